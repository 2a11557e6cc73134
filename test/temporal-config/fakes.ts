import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `use` with a new empty folder that is removed afterwards. */
export async function withTempFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-temporal-config-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A shell script that may be executed; the folder is made where it is missing. */
export async function fakeProgram(folder: string, name: string, script: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

/** Answers `--version` as the Temporal CLI does. */
export const CLI_SCRIPT = 'echo "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)"';

/** A promise that a test opens from outside. */
export function gate(): { opened: Promise<string>; open: (word: string) => void } {
  let open: (word: string) => void = () => undefined;
  const opened = new Promise<string>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A search for programs in a folder of its own: its `bin` is the PATH. `asked` is empty, for notes of what was asked. */
export async function withEnv(
  use: (env: NodeJS.ProcessEnv, folder: string, asked: string[]) => Promise<void>,
): Promise<void> {
  await withTempFolder(async (folder) => {
    const env = { PATH: join(folder, 'bin'), HOLDPOINT_CACHE_DIR: join(folder, 'cache') };
    await use(env, folder, []);
  });
}
