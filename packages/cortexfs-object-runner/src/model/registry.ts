import type { Model } from './model.ts';

/** The models that need no provider. */
const models: Readonly<Record<string, () => Promise<{ readonly model: Model }>>> = {
  'debug/echo': () => import('./echo.ts'),
  'debug/script': () => import('./script.ts'),
};

/** The model of that name, undefined when none is built in. */
export async function loadModel(name: string): Promise<Model | undefined> {
  return Object.hasOwn(models, name) ? (await models[name]!()).model : undefined;
}
