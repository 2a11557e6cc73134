import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { executableName, findExecutable, runCommand } from './commands.js';
import {
  downloadProgram,
  findTool,
  type FoundTool,
  type ResolveOptions,
  type ToolMaker,
} from './tools.js';
import { TemporalConfigError } from './errors.js';

const GO_LIMIT_MS = 30 * 60_000;

/** Leaves out debug information, which saves a tenth of the time. */
const GO_FLAGS = ['-gcflags=all=-dwarf=false', '-ldflags=-s -w'];

export interface GoInstall {
  /** Module path and version: `github.com/temporalio/cli/cmd/temporal@v1.5.1`. */
  target: string;
  /** The required file name, if it is not the last part of that path, which Go uses. */
  program?: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/**
 * Builds a Go program from source into `folder`, with a line of progress every ten seconds. Takes minutes, at most
 * 30.
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

/** The last version that `go install` can build: later ones have a replace directive. */
const CLI_VERSION = '1.5.1';
const GO_TARGET = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;

type Made = 'download' | 'go';

export type CliMakers = (options: Required<ResolveOptions>) => readonly ToolMaker<Made>[];

/**
 * Finds the Temporal CLI, whose `server start-dev` is the development server, in this order: `TEMPORAL_CLI_PATH`,
 * `temporal` on PATH, the cache folder, a download, a build with Go. Tests replace `makers`.
 *
 * @throws TemporalConfigError `cli_path_unusable` or `cli_not_found`, as `findTool`
 */
export async function resolveTemporalCli(
  options: ResolveOptions,
  makers: CliMakers = ordinaryMakers,
): Promise<FoundTool> {
  const { env = process.env, log } = options;
  const tool = {
    label: 'Temporal CLI',
    program: 'temporal',
    version: CLI_VERSION,
    variable: 'TEMPORAL_CLI_PATH',
    unusable: 'cli_path_unusable',
    check: { args: ['--version'], answer: 'temporal version' },
    fault: 'does not answer `--version` as the Temporal CLI does',
    makers: makers({ env, log }),
    notFound,
  } as const;
  return findTool(tool, { env, log }, { onPath: true });
}

function ordinaryMakers({ env, log }: Required<ResolveOptions>): ToolMaker<Made>[] {
  const cli = { artifact: 'cli', version: CLI_VERSION, program: 'temporal' } as const;
  const download = { ...cli, env, log };
  return [
    { source: 'download', make: (folder) => downloadProgram(download, folder) },
    { source: 'go', make: (folder) => goInstall({ target: GO_TARGET, env, log }, folder) },
  ];
}

function notFound(why: (source: Made) => string): TemporalConfigError {
  return new TemporalConfigError(
    'cli_not_found',
    [
      'No Temporal server is set and none can be started here. One of these four is enough:',
      '  1. set TEMPORAL_ADDRESS to the host:port of a Temporal server;',
      '  2. put the Temporal CLI (`temporal`) on PATH, or set TEMPORAL_CLI_PATH to it;',
      `  3. let temporal.download be reached, from where it is downloaded (${why('download')});`,
      `  4. install Go, to build it with \`go install ${GO_TARGET}\` (${why('go')}).`,
    ].join('\n'),
  );
}
