import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const SUFFIX = process.platform === 'win32' ? '.exe' : '';

/** The file name of a program on this platform: `temporal`, on Windows `temporal.exe`. */
export function executableName(program: string): string {
  return program + SUFFIX;
}

/** True where `path` is a regular file that this user may execute. */
export async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The first executable file called `program` in the folders of `env.PATH`, or undefined. */
export async function findExecutable(
  program: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const candidate = join(folder, executableName(program));
    if (folder !== '' && (await isExecutableFile(candidate))) return candidate;
  }
  return undefined;
}
