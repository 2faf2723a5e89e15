/** Homes: alice's and bob's, each made by themselves through the mount; nobody but root enters another's. */
export const homes = `
list       home                              | ok      ok      ok
stat       home/{A}                          | ok      ok      ok
list       home/{A}                          | ok      ok      EACCES
list       home/{B}                          | ok      EACCES  ok
list       home/0                            | ok      EACCES  EACCES
mkdir      home/{A}                          | EEXIST  EEXIST  EEXIST
mkdir      home/4242                         | EPERM   EPERM   EPERM
mkdir      home/{x}                          | EPERM   EPERM   EPERM
create     home/{x}                          | EPERM   EPERM   EPERM
symlink    home/4242        {A}              | EPERM   EPERM   EPERM
rename     home/{A}         ./home/4242      | EPERM   EPERM   EPERM
rmdir      home/{A}                          | EPERM   EPERM   EPERM
chmod      home/{A}         0777             | ok      ok      EPERM
list       home/{A}                          | ok      ok      EACCES
chown      home/{A}         {B}              | -       EPERM   EPERM

read       home/{A}/mine                     | ok      ok      EACCES
write      home/{A}/mine    text             | ok      ok      EACCES
create     home/{A}/new-{x}                  | ok      ok      EACCES
mkdir      home/{A}/dir-{x}                  | ok      ok      EACCES
create     home/{A}/dir-{x}/f                | ok      ok      EACCES
rmdir      home/{A}/dir-{x}                  | ENOTEMPTY ENOTEMPTY EACCES
remove     home/{A}/dir-{x}/f                | ok      ok      EACCES
rmdir      home/{A}/dir-{x}                  | ok      ok      EACCES
rename     home/{A}/new-{x} ./home/{A}/old-{x} | ok    ok      EACCES
link       home/{A}/old-{x} ./home/{A}/two-{x} | ok    ok      EACCES
symlink    home/{A}/link-{x} /etc/passwd     | ok      ok      EACCES
mkfifo     home/{A}/pipe-{x}                 | ok      ok      EACCES
mksocket   home/{A}/sock-{x}                 | ok      ok      EACCES
chmod      home/{A}/mine    0666             | ok      ok      EACCES
chown      home/{A}/mine    {B}              | -       EPERM   EACCES
chgrp      home/{A}/mine    {TEAM}           | ok      ok      EACCES
utimes     home/{A}/mine                     | ok      ok      EACCES
truncate   home/{A}/mine                     | ok      ok      EACCES
read       home/{A}/absent                   | ENOENT  ENOENT  EACCES
rename     home/{A}/old-{x} ./home/{B}/old-{x} | EXDEV EACCES  EACCES
link       home/{A}/old-{x} ./shared/open/old-{x} | EXDEV EXDEV EACCES
rename     home/{A}/old-{x} ./shared/open/old-{x} | EXDEV EXDEV EACCES
rename     home/{A}/old-{x} ./agent/ann.d/window | EXDEV EXDEV EACCES
remove     home/{A}/old-{x}                  | ok      ok      EACCES

# A user's own objects stand in fixed places of their home.
mkdir      home/{A}/tool                     | EEXIST  EEXIST  EACCES
create     home/{A}/tool/mine-{x}            | ok      ok      EACCES
symlink    home/{A}/model/main-{x} ../../../model/main | ok ok EACCES
rename     home/{A}/tool    ./home/{A}/tools | EPERM   EPERM   EACCES
rename     home/{A}/agent   ./home/{A}/agents | EPERM  EPERM   EACCES
mkdir      home/{B}/dir-{x}                  | ok      EACCES  ok
create     home/{B}/dir-root/f-{x}           | ok      EACCES  EACCES
`;
