export const usage = `usage: cortexfs-fuse --source STORE --mount ROOT --runtime DIR --runner PATH [OPTION…]

Serves the store at ROOT until it is unmounted or gets SIGTERM or SIGINT. Stays in the foreground.
Usually started by \`ctx mount\`.

  --source STORE       the store's directory
  --mount ROOT         an empty directory to mount at
  --runtime DIR        the runtime directory of the same deployment; gets mount.json while the mount serves
  --runner PATH        absolute path of cortexfs-object-runner, the interpreter that objects name
  --transport NAME     kernel (default), or fuse-native, which needs libfuse.so.2
  --allow-other        let other users in; for a user this needs user_allow_other in /etc/fuse.conf
  --foreground         for service files: tells systemd when the mount answers and when it ends (Type=notify)
  --help, --version

exit codes: 0 unmounted, 2 bad arguments or mount point, 13 permission denied, 69 FUSE is not available,
70 internal or I/O error, 1 other errors, 130 on SIGINT
`;
