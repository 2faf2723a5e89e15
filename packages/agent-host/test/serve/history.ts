/** One line of a session's log, read back. */
export type Line = Record<string, unknown>;

/**
 * What is wrong with a session's history: nothing, when every run has one start, one outcome and one `done`, its steps in
 * between in order, and its messages say the same.
 */
export function faultsOf(events: readonly Line[], messages: readonly Line[]): string[] {
  const holes = events.flatMap(({ id, seq }, at) =>
    seq === at + 1 && id === `e${seq}` ? [] : [`line ${at + 1} is ${id}, seq ${seq}`],
  );
  const runs = [...new Set(events.flatMap(({ run }) => (typeof run === 'string' ? [run] : [])))];
  const strangers = messages
    .filter(({ run }) => !runs.includes(String(run)))
    .map(({ id }) => `${id}: no such run`);
  return [...holes, ...strangers, ...runs.flatMap((run) => faultsOfRun(run, events, messages))];
}

function faultsOfRun(run: string, events: readonly Line[], messages: readonly Line[]): string[] {
  const own = events.filter((event) => event['run'] === run);
  const types = own.map(({ type }) => type);
  const count = (type: string) => types.filter((one) => one === type).length;
  const said = messages.filter((message) => message['run'] === run).map(({ role }) => role);
  const role = (name: string) => said.filter((one) => one === name).length;
  const { status, type: last } = own.at(-1) ?? {};
  // A command of the tool shell ends without an answer and says nothing in the conversation.
  const shell = own.some(({ type, name }) => type === 'tool_call' && name === 'tsh');
  const silent = status === 'cancelled' || (shell && status === 'ok');
  const cut = status !== 'ok';
  const rules: [string, boolean][] = [
    ['one start, first', types[0] === 'start' && count('start') === 1],
    ['one done, last', last === 'done' && count('done') === 1],
    ['one outcome', count('message') + count('error') === (silent ? 0 : 1)],
    ['the outcome right before done', silent || /^(message|error)$/.test(String(types.at(-2)))],
    ['no result without its call', count('tool_result') <= count('tool_call')],
    ['calls but the last have their results', count('tool_call') - count('tool_result') <= 1],
    ['one question', role('user') <= 1],
    ['the answer is stored as a message too', role('assistant') === count('message')],
    // The crash may have come between the two.
    ['results are stored as messages too', shell || count('tool_result') - role('tool') <= (cut ? 1 : 0)],
  ];
  return rules
    .filter(([, holds]) => !holds)
    .map(([rule]) => `run ${run}: not ${rule}: ${types.join(' ')} / ${said.join(' ')}`);
}
