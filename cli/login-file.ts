import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CliError, EXIT } from './failures.js';
import { COMMAND } from './own-name.js';

export interface Login {
  readonly url: string;
  readonly api_key: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the file in which `holdpoint login` stores address and key, in the configuration folder of the XDG rules. */
export function loginFile(env: Env): string {
  const own = env['XDG_CONFIG_HOME'] ?? '';
  const folder = path.isAbsolute(own) ? own : path.join(env['HOME'] || homedir(), '.config');
  return path.join(folder, 'holdpoint', 'login.json');
}

export async function readLogin(env: Env): Promise<Login | undefined> {
  const file = loginFile(env);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unusable(file, 'it cannot be read', error);
  }
  const login = parsed(text);
  if (login === undefined) throw unusable(file, 'it is no login');
  return login;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function parsed(text: string): Login | undefined {
  try {
    const { url, api_key } = JSON.parse(text) as Partial<Record<keyof Login, unknown>>;
    return typeof url === 'string' && typeof api_key === 'string' ? { url, api_key } : undefined;
  } catch {
    return undefined;
  }
}

function unusable(file: string, why: string, cause?: unknown): CliError {
  return new CliError(
    EXIT.notAllowed,
    `${file} cannot be used: ${why}. Write it anew with \`${COMMAND} login\`.`,
    cause,
  );
}

/** Stores a login in a file that only its owner may read, in place of an earlier one. */
export async function writeLogin(env: Env, login: Login): Promise<string> {
  const file = loginFile(env);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  await chmod(fresh, 0o600);
  await rename(fresh, file);
  return file;
}
