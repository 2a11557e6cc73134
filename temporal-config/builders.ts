import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { executableName, findExecutable, runCommand } from './commands.js';

const GO_LIMIT_MS = 30 * 60_000;

/** Leaves out debug information, which saves a tenth of the time. */
const GO_FLAGS = ['-gcflags=all=-dwarf=false', '-ldflags=-s -w'];

export interface GoInstall {
  /** Module path and version: `github.com/temporalio/cli/cmd/temporal@v1.5.1`. */
  target: string;
  /** The wanted file name, if it is not the last part of that path, which Go uses. */
  program?: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/**
 * Builds a Go program from source into `folder`, with a line of progress every ten seconds. Takes several
 * minutes on a small machine, at most 30.
 *
 * @throws Error if `go` is not on PATH, or with the last lines of a failed build
 */
export async function goInstall(install: GoInstall, folder: string): Promise<void> {
  const { target, program, env, log } = install;
  const go = await findExecutable('go', env);
  if (go === undefined) throw new Error('`go` is not on PATH');
  log(`building ${target} with Go, because it cannot be downloaded; usually 2 to 10 minutes, once`);
  await runCommand({
    program: go,
    args: ['install', ...GO_FLAGS, target],
    cwd: folder,
    // Go refuses GOBIN while it builds for another platform than its own.
    env: { ...env, GOBIN: folder, GOOS: undefined, GOARCH: undefined },
    label: 'building with Go',
    log,
    limitMs: GO_LIMIT_MS,
  });
  if (program === undefined) return;
  const built = executableName(basename(target.split('@')[0] ?? ''));
  await rename(join(folder, built), join(folder, executableName(program)));
}
