/** Every path of CortexFS in one place. See docs/paths.md. */
export * from './paths/object.ts';
export * from './paths/runtime.ts';
export * from './paths/sandbox.ts';
export * from './paths/session.ts';
export * from './paths/socket-limit.ts';
