import { errorLines, fromNodeError } from '@cortexfs/abi/errors';
import { VERSION } from '@cortexfs/abi/version';
import { type OpenedObject, readObject } from './object.ts';
import { usage } from './usage.ts';

const bin = 'cortexfs-object-runner';

/** Runs OBJECT as its interpreter. Every class, tool and model is a chunk of its own, loaded only when it runs. */
async function main([object, ...args]: readonly string[]): Promise<number> {
  switch (object) {
    case undefined:
      process.stderr.write(usage);
      return 2;
    case '--help':
      process.stdout.write(usage);
      return 0;
    case '--version':
      process.stdout.write(`${bin} ${VERSION}\n`);
      return 0;
    case '--ahead':
      return await runAhead();
    default:
      return await run(object, args);
  }
}

async function run(object: string, args: readonly string[]): Promise<number> {
  const opened = readObject(object);
  switch (opened.class) {
    case 'tool':
      return await runTool(opened, args);
    case 'model':
      return await (await import('./model/run.ts')).runModel(opened, args);
    case 'agent':
      return await (await import('./agent/run.ts')).runAgent(opened, args);
  }
}

/** Everything a tool needs is loaded before it is known which one it will be. */
async function runAhead(): Promise<number> {
  await Promise.all([import('./plugin/tool.ts'), import('./tool/run.ts')]);
  const { object, step } = (await import('./order.ts')).readOrder();
  process.env['CTX_AGENT_STEP'] = step;
  return await run(object, []);
}

async function runTool(tool: OpenedObject, args: readonly string[]): Promise<number> {
  const { runPluginTool } = await import('./plugin/tool.ts');
  return (
    (await runPluginTool(tool, args)) ?? (await (await import('./tool/run.ts')).runTool(tool.name, args))
  );
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (thrown) => {
    const error = fromNodeError(thrown);
    process.stderr.write(errorLines(bin, error));
    process.exitCode = error.exitCode;
  },
);
