export type ObjectClass = 'agent' | 'model' | 'tool';
