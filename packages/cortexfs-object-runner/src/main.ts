import { errorLines, fromNodeError } from '@cortexfs/abi/errors';
import { VERSION } from '@cortexfs/abi/version';
import { readObject } from './object.ts';
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
    default:
      return await run(object, args);
  }
}

async function run(object: string, args: readonly string[]): Promise<number> {
  const { class: className, name } = readObject(object);
  switch (className) {
    case 'tool':
      return await (await import('./tool/run.ts')).runTool(name, args);
    case 'model':
      return await (await import('./model/run.ts')).runModel(name, args);
    case 'agent':
      return await (await import('./agent/run.ts')).runAgent(name, args);
  }
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
