export const USAGE = `Usage: ctxterm --listen SOCKET [OPTION…] [--] [COMMAND [ARG…]]

Runs COMMAND (default: tsh) on a pseudo-terminal of its own and lets others watch it or take
part over the Unix socket SOCKET. It ends when the command ends.

  --listen SOCKET     where to serve; the directory must be yours alone (mode 0700)
  --meta DIR          keep meta.json, state, status, owner, cwd and events.jsonl in DIR
  --agent NAME        agent in meta.json (default: what meta.json says, else CTX_AGENT)
  --session NAME      session in meta.json (default: what meta.json says, else default)
  --cols N --rows N   first size, 1 to 1000 each (default: 80 and 24)
  --scrollback N      lines kept above the screen, to 100000 (default: 1000)
  --help, --version

SIGHUP makes the socket anew, SIGTERM hangs up.

Exit codes: the command's own, or 128 + the number of the signal that ended it; before it runs
  1 general error   2 wrong usage   13 refused   69 unavailable   70 internal error
`;
