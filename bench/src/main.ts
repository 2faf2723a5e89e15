// pnpm bench [NAME…]: runs the benchmarks of these names, or all, and prints a table of each (docs/bench.md).
import { benchHost } from './host/bench.ts';
import { benchInstall } from './install/bench.ts';
import { benchMount } from './mount/bench.ts';
import { printTable, type Row } from './table.ts';

const benchmarks: Record<string, () => Promise<Row[]>> = {
  host: benchHost,
  install: benchInstall,
  mount: benchMount,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  process.stderr.write(
    `bench: no benchmark ${unknown.join(', ')}; there is ${Object.keys(benchmarks).join(', ')}\n`,
  );
  process.exit(2);
}
for (const [name, run] of Object.entries(benchmarks))
  if (wanted.length === 0 || wanted.includes(name)) printTable(name, await run());
