export const USAGE = `Usage: tsh [OPTION…] [WORD [ARG…]]

The tool shell: runs CortexFS tools by name. Without WORD it reads command lines: with a
prompt on a terminal, else from standard input. It never runs programs of the host.

  --list         list the visible tools and end
  --json         listings as JSON
  --root DIR     the CortexFS root (default: CTX_ROOT, /ctx, your own mount)
  --frames       the last option: writes start, message and done frames instead of plain
                 output; without WORD it reads {"args":[WORD,…]} from standard input
  --help, --version

Tools are looked for in the directories of CTX_PATH: inside an agent's terminal the one of
the process; for a person CTX_HOME/.tshrc, then CTX_PATH, then ROOT/tool and ROOT/home/UID/tool.

Exit codes: the tool's own, or 128 + the number of the signal that ended it
  0 success   1 general error   2 wrong usage   13 refused   69 unavailable
  70 internal error   127 no such command   130 interrupted
`;
