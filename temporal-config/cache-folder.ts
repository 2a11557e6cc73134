import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The folder in which downloaded and built tools are kept between runs: `HOLDPOINT_CACHE_DIR`,
 * else `holdpoint` under `XDG_CACHE_HOME`, else `~/.cache/holdpoint`. Not created here.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const own = env['HOLDPOINT_CACHE_DIR'];
  if (own) return resolve(own);
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'holdpoint');
}
