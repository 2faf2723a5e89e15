/**
 * Shared spaces, by their modes: `open` is 1777, `team` 2770 of a group that alice is in, `notes` 0755 of root, `hers` 0700 of
 * alice. `{x}` in `open` is a file of that actor.
 */
export const spaces = `
list       shared                            | ok      ok      ok
mkdir      shared/new-{x}                    | ok      EACCES  EACCES
rmdir      shared/new-{x}                    | ok      ENOENT  ENOENT
create     shared/file-{x}                   | EPERM   EACCES  EACCES
symlink    shared/link-{x}  open             | EPERM   EACCES  EACCES
rename     shared/open      ./shared/closed  | EPERM   EACCES  EACCES
rmdir      shared/open                       | ENOTEMPTY EACCES EACCES
chmod      shared/open      1777             | ok      EPERM   EPERM

list       shared/open                       | ok      ok      ok
create     shared/open/new-{x}               | ok      ok      ok
mkdir      shared/open/dir-{x}               | ok      ok      ok
write      shared/open/{x}  text             | ok      ok      ok
chmod      shared/open/{x}  0644             | ok      ok      ok
read       shared/open/alice                 | ok      ok      ok
write      shared/open/alice text            | ok      ok      EACCES
append     shared/open/alice text            | ok      ok      EACCES
truncate   shared/open/alice                 | ok      ok      EACCES
chmod      shared/open/alice 0644            | ok      ok      EPERM
utimes     shared/open/alice                 | ok      ok      EPERM
remove     shared/open/alice                 | -       -       EPERM
rename     shared/open/alice ./shared/open/taken | -   -       EPERM
rename     shared/open/new-{x} ./shared/open/alice | - -       EPERM
link       shared/open/alice ./shared/open/mine-{x} | ok ok    EPERM
create     shared/open/dir-alice/f-{x}       | -       ok      EACCES
rmdir      shared/open/dir-root              | -       EPERM   EPERM
remove     shared/open/new-{x}               | ok      ok      ok
rename     shared/open/dir-{x} ./shared/notes/dir-{x} | EXDEV EACCES EACCES

list       shared/team                       | ok      ok      EACCES
create     shared/team/new-{x}               | ok      ok      EACCES
read       shared/team/plan                  | ok      ok      EACCES
write      shared/team/plan text             | ok      ok      EACCES
chmod      shared/team/plan 0660             | ok      EPERM   EACCES
remove     shared/team/new-{x}               | ok      ok      EACCES

list       shared/notes                      | ok      ok      ok
read       shared/notes/today                | ok      ok      ok
write      shared/notes/today text           | ok      EACCES  EACCES
create     shared/notes/new-{x}              | ok      EACCES  EACCES
remove     shared/notes/today                | -       EACCES  EACCES

list       shared/hers                       | ok      ok      EACCES
create     shared/hers/new-{x}               | ok      ok      EACCES
read       shared/hers/new-alice             | -       ok      EACCES
chmod      shared/hers      0700             | ok      ok      EPERM
chgrp      shared/hers      {TEAM}           | ok      ok      EPERM
chgrp      shared/open/{x}  {TEAM}           | ok      ok      EPERM
chown      shared/open/{x}  0                | ok      EPERM   EPERM
`;
