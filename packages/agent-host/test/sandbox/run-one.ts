// Runs one script in a site's sandbox from a process of its own: run-one.ts SITE-AS-JSON SCRIPT [die-held]
import { runScript } from './run.ts';

const [site, script, fate] = process.argv.slice(2);
const { stdout, stderr, code } = await runScript(JSON.parse(site!), script!, {}, () => {
  if (fate === 'die-held') process.kill(process.pid, 'SIGKILL');
});
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code ?? 1;
