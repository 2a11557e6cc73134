/** What any Node program may need of its surroundings; none of it is a secret of ours. */
const COMMON =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|TMP|TEMP|NODE_\w+|XDG_\w+|SSL_CERT_\w+|GRPC_\w+|\w*_PROXY|\w*_proxy|NO_COLOR|FORCE_COLOR|SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE)$/;

/**
 * The environment of a supervised process: what every program needs, and of the rest only what is
 * given. A key or password that another process was started with does not reach it.
 */
export function childEnv(
  env: NodeJS.ProcessEnv,
  given: Readonly<Record<string, string | undefined>> = {},
): NodeJS.ProcessEnv {
  const common = Object.entries(env).filter(([name]) => COMMON.test(name));
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...common, ...own]);
}
