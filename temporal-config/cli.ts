import { goInstall } from './builders.js';
import { answerOf, executableName, findExecutable, isExecutableFile } from './commands.js';
import { downloadProgram } from './download.js';
import { TemporalConfigError } from './errors.js';
import { cacheFolder, cachedTool } from './tool-cache.js';
import type { NoTool, ToolMaker } from './tool-cache.js';

/** The last version that `go install` can build: later ones have a replace directive. */
export const CLI_VERSION = '1.5.1';
const GO_TARGET = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;

export interface ResolveOptions {
  /** Default: the environment of this process. */
  env?: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

type Made = 'download' | 'go';

export interface TemporalCli {
  path: string;
  source: 'TEMPORAL_CLI_PATH' | 'path' | Made;
}

/** How to get a CLI that is not installed, in the order of the tries. */
export type CliMakers = (options: Required<ResolveOptions>) => readonly ToolMaker<Made>[];

/**
 * Finds the Temporal CLI, whose `server start-dev` is the development server: `TEMPORAL_CLI_PATH`,
 * `temporal` on PATH, the cache folder, a download, a build with Go. Logs which one it uses. `source` is
 * how the binary came to this machine, also if it was cached. Tests replace `makers`.
 *
 * @throws TemporalConfigError `cli_path_unusable` if `TEMPORAL_CLI_PATH` is no CLI (nothing else is tried
 * then), `cli_not_found` with every way to get one
 */
export async function resolveTemporalCli(
  options: ResolveOptions,
  makers: CliMakers = ordinaryMakers,
): Promise<TemporalCli> {
  const { env = process.env, log } = options;
  const cli = (await fromEnvironment(env)) ?? (await fromPath(env, log)) ?? (await made());
  log(`Temporal CLI: ${cli.path} (${cli.source})`);
  return cli;

  async function made(): Promise<TemporalCli> {
    const result = await cachedTool<Made>({
      folder: cacheFolder(env),
      name: `temporal-${CLI_VERSION}`,
      executable: executableName('temporal'),
      isUsable: isTemporalCli,
      makers: makers({ env, log }),
      log,
    });
    if ('failures' in result) throw notFound(result);
    return result;
  }
}

function ordinaryMakers({ env, log }: Required<ResolveOptions>): ToolMaker<Made>[] {
  const download = {
    artifact: 'cli',
    version: CLI_VERSION,
    program: 'temporal',
    env,
    log,
  } as const;
  return [
    { source: 'download', make: (folder) => downloadProgram(download, folder) },
    { source: 'go', make: (folder) => goInstall({ target: GO_TARGET, env, log }, folder) },
  ];
}

async function isTemporalCli(path: string): Promise<boolean> {
  return (await answerOf(path, ['--version']))?.includes('temporal version') ?? false;
}

async function fromEnvironment(env: NodeJS.ProcessEnv): Promise<TemporalCli | undefined> {
  const path = env['TEMPORAL_CLI_PATH'];
  if (!path) return undefined;
  if (await isTemporalCli(path)) return { path, source: 'TEMPORAL_CLI_PATH' };
  const fault = (await isExecutableFile(path))
    ? 'does not answer `--version` as the Temporal CLI does'
    : 'is not an executable file';
  throw new TemporalConfigError('cli_path_unusable', `TEMPORAL_CLI_PATH: ${path} ${fault}.`);
}

async function fromPath(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<TemporalCli | undefined> {
  const path = await findExecutable('temporal', env);
  if (path === undefined) return undefined;
  if (await isTemporalCli(path)) return { path, source: 'path' };
  log(`${path} does not answer \`--version\` as the Temporal CLI does; passed over`);
  return undefined;
}

function notFound({ failures }: NoTool<Made>): TemporalConfigError {
  const why = (source: Made): string =>
    failures.find((failure) => failure.source === source)?.reason ?? 'not tried';
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
