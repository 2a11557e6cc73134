import { execFile, execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { runCommand } from '../temporal-config/commands.js';

const HERE = fileURLToPath(new URL('../', import.meta.url));
const INSTALL_LIMIT_MS = 15 * 60_000;

/**
 * Checks a commit out into a temporary folder, installs its dependencies there, and gives `work` the folder. The
 * folder is removed at the end, or when this process exits before.
 *
 * @throws Error with git's or npm's last lines
 */
export async function withVersion<T>(
  name: string,
  say: (line: string) => void,
  work: (root: URL) => Promise<T>,
): Promise<{ readonly commit: string; readonly figures: T }> {
  const commit = await git('rev-parse', '--short', '--verify', `${name}^{commit}`);
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'holdpoint-version-')));
  const root = path.join(parent, commit);
  say(`Installing ${commit} in ${root}.`);
  const remove = (): void => removeWorktree(root, parent);
  process.once('exit', remove);
  try {
    await git('worktree', 'add', '--detach', root, commit);
    await runCommand({
      program: 'npm',
      args: ['ci', '--no-audit', '--no-fund'],
      cwd: root,
      env: process.env,
      label: 'installing its dependencies',
      log: say,
      limitMs: INSTALL_LIMIT_MS,
    });
    say(`Measuring ${commit}.`);
    return { commit, figures: await work(pathToFileURL(`${root}/`)) };
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Not asynchronous, because a process that exits waits for nothing. */
function removeWorktree(root: string, parent: string): void {
  rmSync(root, { recursive: true, force: true });
  rmSync(parent, { recursive: true, force: true });
  execFileSync('git', ['worktree', 'prune'], { cwd: HERE });
}

async function git(...args: string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd: HERE })).stdout.trim();
}
