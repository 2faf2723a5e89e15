export const usage = `usage: cortexfs-object-runner OBJECT [ARG…]

Interprets a CortexFS object: an executable file below agent/, model/ or tool/ of
a CortexFS root. The kernel starts it through the object's first line, so that
"/ctx/tool/fs.read README.md" runs it.

  model   input is text or {"messages":[…],"tools":[…]}, as arguments or on standard input
  tool    input is JSON that matches the tool's schema, or one bare word where one string is enough
  agent   started by agent-host with one envelope on standard input; on a terminal: opens the chat

Output is one JSON frame a line.

  --ahead    wait on standard input for a line {"object":PATH,"step":N}, then be that object's
             interpreter; what follows the line is its input (for agent-host)
  --help     show this text
  --version  show the version

Exit codes:
  0   success
  1   failed
  2   wrong arguments or malformed input
  13  refused by permissions or policy
  69  unavailable
  70  internal or I/O fault
`;
