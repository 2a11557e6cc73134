import { goInstall } from './builders.js';
import { downloadProgram } from './download.js';
import { TemporalConfigError } from './errors.js';
import { findTool } from './tool-cache.js';
import type { FoundTool, ResolveOptions, ToolMaker } from './tool-cache.js';

/** The last version that `go install` can build: later ones have a replace directive. */
const CLI_VERSION = '1.5.1';
const GO_TARGET = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;

type Made = 'download' | 'go';

/** The ways to get a CLI that is not installed, in the order of the tries. */
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
