/** Agents: `ann` is alice's, `bea` and `tob` (a temporary one) are bob's, `coder` is root's. Root made all of them. */
export const agents = `
list       agent                             | ok      ok      ok
create     agent/new-{x}                     | EPERM   EPERM   EPERM
symlink    agent/new-{x}    ann              | EPERM   EPERM   EPERM
mkfifo     agent/new-{x}                     | EPERM   EPERM   EPERM
rename     agent/ann        ./agent/new      | EPERM   EPERM   EPERM
rename     agent/ann.d      ./agent/new.d    | EPERM   EPERM   EPERM
rmdir      agent/ann.d                       | EPERM   EPERM   EPERM
rmdir      agent/coder.d                     | EPERM   EPERM   EPERM
read       agent/ann                         | ok      ok      ok
executable agent/ann                         | ok      ok      ok
write      agent/ann        x                | EPERM   EACCES  EACCES
remove     agent/ann                         | EPERM   EPERM   EPERM
chmod      agent/ann        0777             | EPERM   EPERM   EPERM
chown      agent/ann        {B}              | EPERM   EPERM   EPERM
utimes     agent/ann                         | ok      ok      EPERM
remove     agent/tob                         | -       EPERM   ok
remove     agent/tob.d/policy                | EPERM   EACCES  ok
rmdir      agent/tob.d                       | EPERM   EPERM   ENOTEMPTY

# Everybody makes agents, of their own alone; nobody else sees them before they are whole.
mkdir      agent/new-{x}                     | EPERM   EPERM   EPERM
mkdir      agent/ann.d                       | EEXIST  EEXIST  EEXIST
mkdir      agent/made-{x}.d                  | ok      ok      ok
stat       agent/made-root.d                 | ok      ENOENT  ENOENT
mkdir      agent/made-{x}.d                  | EEXIST  EEXIST  EEXIST
write      agent/made-{x}.d/uid     {A}\\n    | ok      ok      EPERM
write      agent/made-{x}.d/owner   {B}\\n    | ok      EPERM   ok
write      agent/made-{x}.d/groups  {TEAM}\\n | ok      ok      EPERM
create     agent/made-{x}.d/parent  agent:coder\\n | ok EPERM  EPERM
create     agent/made-{x}.d/label   mine\\n   | ok      ok      ok
create     agent/made-{x}.d/abi     v0\\n     | EINVAL  EINVAL  EINVAL
create     agent/made-{x}.d/unknown          | EPERM   EPERM   EPERM
create     agent/made-{x}                    | EINVAL  EINVAL  EINVAL
remove     agent/made-{x}.d/label            | ok      ok      ok

# Controls are for everybody to read and for the owner to write.
list       agent/ann.d                       | ok      ok      ok
read       agent/ann.d/policy                | ok      ok      ok
read       agent/ann.d/owner                 | ok      ok      ok
read       agent/ann.d/status                | ok      ok      ok
read       agent/ann.d/pid                   | ok      ok      ok
read       agent/ann.d/log                   | ok      ok      EACCES
read       agent/coder.d/log                 | ok      EACCES  EACCES
write      agent/ann.d/window       auto\\n  | ok      ok      EACCES
append     agent/ann.d/system.md    more\\n  | ok      ok      EACCES
replace    agent/ann.d/window       auto\\n  | ok      ok      EACCES
write      agent/ann.d/window       much\\n  | EINVAL  EINVAL  EACCES
write      agent/ann.d/window       8192\\n  | EINVAL  EINVAL  EACCES
replace    agent/ann.d/approval     maybe\\n | EINVAL  EINVAL  EACCES
write      agent/ann.d/label        user_u:agent_r:ann_t:s0\\n | ok ok  EACCES
write      agent/ann.d/life         owned\\n | ok      ok      EACCES
write      agent/ann.d/cwd          /workspace\\n | ok ok      EACCES
write      agent/ann.d/model        main\\n  | ok      ok      EACCES
write      agent/ann.d/tools        tsh\\n   | EINVAL  EINVAL  EACCES
write      agent/ann.d/policy       deny\\n  | EINVAL  EINVAL  EACCES
write      agent/ann.d/abi          v0\\n    | EINVAL  EINVAL  EACCES
create     agent/ann.d/meta-{x}.json         | EPERM   EPERM   EACCES
write      agent/ann.d/meta.json    {}       | ok      ok      EACCES
truncate   agent/ann.d/system.md             | ok      ok      EACCES
utimes     agent/ann.d/policy                | ok      ok      EPERM

# Whose it is and as whom it runs is root's to say.
write      agent/ann.d/owner        {A}\\n   | ok      EPERM   EACCES
write      agent/ann.d/uid          {A}\\n   | ok      EPERM   EACCES
write      agent/ann.d/gid          {A}\\n   | ok      EPERM   EACCES
write      agent/ann.d/groups       {TEAM}\\n | ok     EPERM   EACCES
write      agent/ann.d/iso          shared\\n | ok     EPERM   EACCES
write      agent/ann.d/parent       agent:architect\\n | ok EPERM EACCES
replace    agent/ann.d/uid          0\\n     | -       EPERM   EACCES
remove     agent/ann.d/uid                   | EPERM   EPERM   EACCES
remove     agent/ann.d/policy                | EPERM   EPERM   EACCES

# What runs is nobody's to write.
write      agent/ann.d/status       dead\\n  | EROFS   EACCES  EACCES
write      agent/ann.d/pid          1\\n     | EROFS   EACCES  EACCES
write      agent/ann.d/log          x        | EROFS   EACCES  EACCES
replace    agent/ann.d/status       dead\\n  | EROFS   EROFS   EACCES
remove     agent/ann.d/status                | EROFS   EROFS   EACCES

# There is nothing but known controls.
create     agent/ann.d/secret-{x}            | EPERM   EPERM   EACCES
create     agent/ann.d/.tmp-{x}              | ok      ok      EACCES
remove     agent/ann.d/.tmp-{x}              | ok      ok      ENOENT
mkdir      agent/ann.d/sub                   | EPERM   EPERM   EACCES
symlink    agent/ann.d/link-{x}     window   | EPERM   EPERM   EACCES
mkfifo     agent/ann.d/pipe-{x}              | EPERM   EPERM   EACCES
rename     agent/ann.d/window  ./agent/ann.d/w2 | EPERM EPERM  EACCES
link       agent/ann.d/window  ./agent/ann.d/w2 | EPERM EPERM  EPERM
chmod      agent/ann.d/window       0600     | EPERM   EPERM   EPERM
chown      agent/ann.d/window       {B}      | EPERM   EPERM   EPERM
chown      agent/ann.d/window       {A}      | ok      ok      EPERM
chmod      agent/ann.d              0700     | EPERM   EPERM   EPERM
stat       agent/ann.d/.cortexfs-receipt.json | ENOENT ENOENT  ENOENT

# The same seen from the other side.
write      agent/bea.d/window       auto\\n  | ok      EACCES  ok
replace    agent/bea.d/policy       x        | EINVAL  EACCES  EINVAL
write      agent/bea.d/uid          0\\n     | -       EACCES  EPERM
create     agent/bea.d/.tmp-{x}              | ok      EACCES  ok
write      agent/coder.d/window     auto\\n  | ok      EACCES  EACCES
replace    agent/coder.d/policy     x        | EINVAL  EACCES  EACCES
create     agent/coder.d/.tmp-{x}            | ok      EACCES  EACCES
remove     agent/coder.d/window              | -       EACCES  EACCES
`;

/** Hooks are their agent's owner's, whoever made them; those of tools are root's. */
export const hooks = `
list       agent/ann.d/hooks                 | ok      ok      ok
list       agent/ann.d/hooks/pre.d           | ok      ok      ok
create     agent/ann.d/hooks/pre.d/10-{x}    | ok      ok      EACCES
chmod      agent/ann.d/hooks/pre.d/10-{x} 0755 | ok    ok      ENOENT
read       agent/ann.d/hooks/pre.d/00-given  | ok      ok      ok
write      agent/ann.d/hooks/pre.d/00-given x | ok     ok      EACCES
chmod      agent/ann.d/hooks/pre.d/00-given 0777 | ok  ok      EPERM
write      agent/ann.d/hooks/pre.d/00-given y | ok     ok      EACCES
utimes     agent/ann.d/hooks/pre.d/00-given  | ok      ok      EPERM
remove     agent/ann.d/hooks/pre.d/00-given  | -       -       EACCES
rename     agent/ann.d/hooks/pre.d/10-{x} ./agent/ann.d/hooks/post.d/10-{x} | ok ok ENOENT
rename     agent/ann.d/hooks/post.d/10-{x} ./home/{A}/stolen | EXDEV EXDEV EACCES
link       agent/ann.d/hooks/post.d/10-{x} ./home/{A}/stolen | EXDEV EXDEV ENOENT
mkdir      agent/ann.d/hooks/pre.d/sub-{x}   | ok      ok      EACCES
rmdir      agent/ann.d/hooks/pre.d/sub-{x}   | ok      ok      ENOENT
symlink    agent/ann.d/hooks/pre.d/20-{x} 10 | ok      ok      EACCES
remove     agent/ann.d/hooks/post.d/10-root  | -       ok      ENOENT
create     agent/bea.d/hooks/pre.d/10-{x}    | ok      EACCES  ok
create     agent/coder.d/hooks/pre.d/10-{x}  | ok      EACCES  EACCES
create     tool/fs.read.d/hooks/pre.d/10-{x} | ok      EACCES  EACCES
mkdir      model/debug/echo.d/hooks          | EPERM   EACCES  EACCES
`;

/** Socket aliases are made by the agent's owner alone, and lead below that user's runtime directory. */
export const sockets = `
alias      agent/ann.sock   /run/user/{A}/cortexfs/agent/ann.sock      | ok    ok     EACCES
alias      agent/ann.sock   /run/user/{A}/cortexfs/other/place         | ok    ok     EACCES
alias      agent/ann.sock   /run/user/{B}/cortexfs/agent/ann.sock      | EPERM EPERM  EACCES
alias      agent/ann.sock   /run/user/{A}/cortexfs/../ann.sock         | EPERM EPERM  EACCES
alias      agent/ann.sock   /run/cortexfs/agent/ann.sock               | EPERM EPERM  EACCES
alias      agent/ann.sock   /tmp/cortexfs-{A}/agent/ann.sock           | EPERM EPERM  EACCES
alias      agent/ann.sock   ann                                        | EPERM EPERM  EACCES
alias      agent/bea.sock   /run/user/{B}/cortexfs/agent/bea.sock      | EEXIST EEXIST EEXIST
alias      agent/coder.sock /run/cortexfs/agent/coder.sock             | ok    EACCES EACCES
alias      agent/none.sock  /run/user/{A}/cortexfs/agent/none.sock     | ENOENT ENOENT ENOENT
alias      tool/fs.read.sock /run/cortexfs/x                           | EPERM EACCES EACCES
alias      model/debug/echo.sock /run/cortexfs/x                       | EPERM EACCES EACCES
readlink   agent/bea.sock                                              | ok    ok     ok
remove     agent/bea.sock                                              | -     EPERM  ok
create     agent/ann.sock                                              | EPERM EPERM  EPERM
mksocket   agent/ann.sock                                              | EPERM EPERM  EPERM
rename     agent/ann        ./agent/ann.sock                           | EPERM EPERM  EPERM
symlink    home/{A}/agent/ann/session/s/terminal/main.sock /tmp/x      | EPERM EPERM  EACCES
alias      home/{A}/agent/ann/session/s/terminal/main.sock /run/user/{A}/cortexfs/terminal/ann/s/main.sock | ok ok EACCES
alias      home/{A}/agent/ann/session/s/terminal/main.sock /run/user/{B}/cortexfs/terminal/ann/s/main.sock | EPERM EPERM EACCES
`;
