/** The frozen root, the views, and what ctx itself provides. */
export const frame = `
list       /                                 | ok      ok      ok
stat       /                                 | ok      ok      ok
create     new-{x}                           | EPERM   EACCES  EACCES
mkdir      new-{x}                           | EPERM   EACCES  EACCES
symlink    new-{x}          status           | EPERM   EACCES  EACCES
mkfifo     new-{x}                           | EPERM   EACCES  EACCES
chmod      /                0777             | EPERM   EPERM   EPERM
read       status                            | ok      ok      ok
write      status           dead\\n          | EROFS   EACCES  EACCES
truncate   status                            | EROFS   EACCES  EACCES
chmod      status           0666             | EROFS   EPERM   EPERM
remove     status                            | EPERM   EACCES  EACCES
rename     status           ./ready          | EPERM   EACCES  EACCES
rmdir      agent                             | EPERM   EACCES  EACCES
rename     agent            ./agents         | EPERM   EACCES  EACCES
rmdir      home                              | EPERM   EACCES  EACCES
rename     shared           ./home/shared    | EPERM   EACCES  EACCES
stat       nothing                           | ENOENT  ENOENT  ENOENT
stat       .hidden                           | ENOENT  ENOENT  ENOENT
list       bin                               | ok      ok      ok
read       bin/ctx                           | ok      ok      ok
executable bin/ctx                           | ok      ok      ok
write      bin/ctx          x                | EROFS   EACCES  EACCES
remove     bin/ctx                           | EROFS   EACCES  EACCES
create     bin/mine-{x}                      | EROFS   EACCES  EACCES
stat       .view                             | ok      ok      ok
list       .view                             | ok      EACCES  EACCES
mkdir      .view/new                         | EPERM   EACCES  EACCES
list       .view/ann                         | ok      ok      EACCES
list       .view/bea                         | ok      EACCES  ok
list       .view/coder                       | ok      EACCES  EACCES
stat       .view/nobody                      | ENOENT  ENOENT  ENOENT
read       .view/ann/status                  | ok      ok      EACCES
list       .view/ann/tool                    | ok      ok      EACCES
read       .view/ann/tool/fs.read            | ok      ok      EACCES
stat       .view/ann/tool/fs.write           | ENOENT  ENOENT  EACCES
stat       .view/ann/agent/coder             | ENOENT  ENOENT  EACCES
stat       .view/ann/home/{B}                | ENOENT  ENOENT  EACCES
read       .view/ann/agent/ann.d/policy      | ok      ok      EACCES
write      .view/ann/agent/ann.d/policy x    | EROFS   EACCES  EACCES
create     .view/ann/agent/ann.d/.new-{x}    | EROFS   EACCES  EACCES
mkdir      .view/ann/agent/ann.d/new         | EPERM   EACCES  EACCES
remove     .view/ann/agent/ann.d/window      | EROFS   EACCES  EACCES
create     .view/ann/home/{A}/agent/ann/f-{x} | ok     ok      EACCES
create     .view/ann/home/{A}/agent/ann/session/f | EROFS EROFS EACCES
mkdir      .view/ann/shared/new              | EROFS   EACCES  EACCES
stat       .view/ann/.view                   | ENOENT  ENOENT  EACCES
`;
