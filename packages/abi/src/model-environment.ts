/**
 * Names in the environment that a model's process gets from whoever starts it: where keys and providers are, and how to reach the
 * network. No key is in any environment (docs/models.md).
 */
export const MODEL_ENVIRONMENT = [
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
] as const;

/** The whole environment of a model that is asked by a program: those names, a fixed path and language, and `own`. */
export function modelEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed = MODEL_ENVIRONMENT.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...own };
}
