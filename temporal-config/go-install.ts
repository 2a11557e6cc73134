import { findExecutable } from './find-executable.js';
import { runCommand } from './run-command.js';

const LIMIT_MS = 30 * 60_000;

export interface GoInstall {
  /** Module path and version: `github.com/temporalio/cli/cmd/temporal@v1.5.1`. */
  target: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/**
 * Builds a Go program from source and leaves it in `folder`, with progress every ten seconds.
 * Several minutes on a small machine; given up after 30.
 *
 * @throws Error where `go` is not on PATH, or with the last lines of a failed build.
 */
export async function goInstall({ target, env, log }: GoInstall, folder: string): Promise<void> {
  const go = await findExecutable('go', env);
  if (go === undefined) throw new Error('`go` is not on PATH');
  log(`building ${target} with Go; this takes a few minutes, once`);
  await runCommand({
    program: go,
    args: ['install', target],
    cwd: folder,
    // Go refuses GOBIN while it builds for another platform than its own.
    env: { ...env, GOBIN: folder, GOOS: undefined, GOARCH: undefined },
    label: 'building with Go',
    log,
    limitMs: LIMIT_MS,
  });
}
