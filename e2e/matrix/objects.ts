/** Tools and models are root's on the machine's mount. */
export const objects = `
list       tool                              | ok      ok      ok
read       tool/fs.read                      | ok      ok      ok
executable tool/fs.read                      | ok      ok      ok
write      tool/fs.read     x                | EPERM   EACCES  EACCES
remove     tool/fs.read                      | EPERM   EACCES  EACCES
rename     tool/fs.read     ./tool/fs.steal  | EPERM   EACCES  EACCES
rename     tool/fs.read     ./home/{x}       | EPERM   EACCES  EACCES
chmod      tool/fs.read     0777             | EPERM   EPERM   EPERM
create     tool/new-{x}                      | EPERM   EACCES  EACCES
mkdir      tool/new-{x}.d                    | EPERM   EACCES  EACCES
symlink    tool/new-{x}     fs.read          | EPERM   EACCES  EACCES
read       tool/fs.read.d/schema             | ok      ok      ok
write      tool/fs.read.d/description Reads.\\n | ok   EACCES  EACCES
replace    tool/fs.read.d/description Reads.\\n | ok   EACCES  EACCES
write      tool/fs.read.d/policy    deny\\n  | EINVAL  EACCES  EACCES
replace    tool/fs.read.d/schema    {        | EINVAL  EACCES  EACCES
write      tool/fs.read.d/status    ready\\n | EROFS   EACCES  EACCES
write      tool/fs.read.d/log       x        | EROFS   EACCES  EACCES
create     tool/fs.read.d/owner              | EPERM   EACCES  EACCES
remove     tool/fs.read.d/policy             | EPERM   EACCES  EACCES
chmod      tool/fs.read.d/policy    0666     | EPERM   EPERM   EPERM
chown      tool/fs.read.d/policy    {A}      | EPERM   EPERM   EPERM

list       model                             | ok      ok      ok
list       model/debug                       | ok      ok      ok
read       model/debug/echo                  | ok      ok      ok
executable model/debug/echo                  | ok      ok      ok
write      model/debug/echo x                | EPERM   EACCES  EACCES
remove     model/debug/echo                  | EPERM   EACCES  EACCES
readlink   model/main                        | ok      ok      ok
remove     model/main                        | EPERM   EACCES  EACCES
symlink    model/mine-{x}   debug/echo       | EPERM   EACCES  EACCES
mkdir      model/mine-{x}                    | EPERM   EACCES  EACCES
create     model/debug/mine-{x}              | EPERM   EACCES  EACCES
read       model/debug/echo.d/limit          | ok      ok      ok
write      model/debug/echo.d/limit 1\\n     | EROFS   EACCES  EACCES
append     model/debug/echo.d/limit 1\\n     | EROFS   EACCES  EACCES
truncate   model/debug/echo.d/limit          | EROFS   EACCES  EACCES
replace    model/debug/echo.d/limit 1\\n     | EROFS   EACCES  EACCES
remove     model/debug/echo.d/limit          | EROFS   EACCES  EACCES
chmod      model/debug/echo.d/limit 0666     | EROFS   EPERM   EPERM
utimes     model/debug/echo.d/limit          | EROFS   EPERM   EPERM
write      model/debug/echo.d/effort auto\\n | ok      EACCES  EACCES
write      model/debug/echo.d/cap   x\\n     | EINVAL  EACCES  EACCES
`;

/** Attributes tell facts, and take none. Setting one first needs the right to write the file. */
export const attributes = `
getxattr   agent/ann.d/window  user.cortexfs.kind      | ok         ok         ok
getxattr   model/debug/echo    user.cortexfs.abi_path  | ok         ok         ok
getxattr   home/{A}/mine       user.cortexfs.bytes     | ok         ok         EACCES
getxattr   agent/ann.d/window  user.other              | ENODATA    ENODATA    ENODATA
setxattr   agent/ann.d/window  user.cortexfs.kind      | EPERM      EPERM      EACCES
setxattr   agent/ann.d/window  user.other              | ENOTSUP ENOTSUP EACCES
rmxattr    agent/ann.d/window  user.cortexfs.kind      | EPERM      EPERM      EACCES
setxattr   tool/fs.read.d/cap  user.cortexfs.kind      | EPERM      EACCES     EACCES
setxattr   home/{A}/mine       user.other              | ENOTSUP ENOTSUP EACCES
setxattr   shared/open/{x}     user.cortexfs.origin    | EPERM      EPERM      EPERM
setxattr   shared/open/{x}     user.other              | ENOTSUP ENOTSUP ENOTSUP
`;
