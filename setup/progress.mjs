// What a person sees while set-up works. Everything goes to standard error, so that
// standard output carries the answer alone.
const started = Date.now();

/** Runs `work` under a one-line title and prints how it ended: "done", or what `work` returned. */
export async function step(title, work) {
  const begin = Date.now();
  process.stderr.write(`  ${title} … `);
  try {
    const outcome = (await work()) ?? 'done';
    process.stderr.write(`${outcome}${seconds(begin)}\n`);
  } catch (error) {
    process.stderr.write('failed\n');
    throw error;
  }
}

export function say(line) {
  process.stderr.write(`${line}\n`);
}

export function elapsed() {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}

function seconds(begin) {
  const spent = (Date.now() - begin) / 1000;
  return spent < 0.5 ? '' : ` (${spent.toFixed(1)} s)`;
}
