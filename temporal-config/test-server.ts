import { mavenInstall } from './builders.js';
import type { ResolveOptions } from './cli.js';
import { answerOf, executableName, isExecutableFile } from './commands.js';
import { downloadProgram } from './download.js';
import { TemporalConfigError } from './errors.js';
import { cacheFolder, cachedTool } from './tool-cache.js';
import type { NoTool, ToolMaker } from './tool-cache.js';

/** The release of Temporal's Java SDK whose test server is used. */
export const TEST_SERVER_VERSION = '1.32.1';
const PROGRAM = 'temporal-test-server';

type Made = 'download' | 'maven';

export interface TestServer {
  /** For `TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })`. */
  executable: { type: 'existing-path'; path: string };
  source: 'HOLDPOINT_TEST_SERVER_PATH' | Made;
}

/** How to get a test server, in the order of the tries. */
export type TestServerMakers = (options: Required<ResolveOptions>) => readonly ToolMaker<Made>[];

/**
 * Finds the time-skipping test server: `HOLDPOINT_TEST_SERVER_PATH`, the cache folder, a download, Maven.
 * Logs which one it uses. Tests replace `makers`.
 *
 * It counts as usable if it prints its usage. A damaged jar that the usage does not need only shows when
 * the server is started. The server listens on all interfaces; Temporal offers no setting for that.
 *
 * @throws TemporalConfigError `test_server_path_unusable` if the variable names no test server (nothing
 * else is tried then), `test_server_not_found` with every way to get one
 */
export async function resolveTestServer(
  options: ResolveOptions,
  makers: TestServerMakers = ordinaryMakers,
): Promise<TestServer> {
  const { env = process.env, log } = options;
  const { path, source } = (await fromEnvironment(env)) ?? (await made());
  log(`time-skipping test server: ${path} (${source})`);
  return { executable: { type: 'existing-path', path }, source };

  async function made(): Promise<{ path: string; source: Made }> {
    const result = await cachedTool<Made>({
      folder: cacheFolder(env),
      name: `${PROGRAM}-${TEST_SERVER_VERSION}`,
      executable: executableName(PROGRAM),
      isUsable: isTestServer,
      makers: makers({ env, log }),
      log,
    });
    if ('failures' in result) throw notFound(result);
    return result;
  }
}

function ordinaryMakers({ env, log }: Required<ResolveOptions>): ToolMaker<Made>[] {
  const wanted = { version: TEST_SERVER_VERSION, program: PROGRAM, env, log };
  return [
    {
      source: 'download',
      make: (folder) => downloadProgram({ artifact: PROGRAM, ...wanted }, folder),
    },
    { source: 'maven', make: (folder) => mavenInstall(wanted, folder) },
  ];
}

/** Without arguments it prints its usage and ends. */
async function isTestServer(path: string): Promise<boolean> {
  return (await answerOf(path, []))?.includes('<port>') ?? false;
}

async function fromEnvironment(
  env: NodeJS.ProcessEnv,
): Promise<{ path: string; source: 'HOLDPOINT_TEST_SERVER_PATH' } | undefined> {
  const path = env['HOLDPOINT_TEST_SERVER_PATH'];
  if (!path) return undefined;
  if (await isTestServer(path)) return { path, source: 'HOLDPOINT_TEST_SERVER_PATH' };
  const fault = (await isExecutableFile(path))
    ? 'does not state its usage as the test server does'
    : 'is not an executable file';
  throw new TemporalConfigError(
    'test_server_path_unusable',
    `HOLDPOINT_TEST_SERVER_PATH: ${path} ${fault}.`,
  );
}

function notFound({ failures }: NoTool<Made>): TemporalConfigError {
  const why = (source: Made): string =>
    failures.find((failure) => failure.source === source)?.reason ?? 'not tried';
  return new TemporalConfigError(
    'test_server_not_found',
    [
      'There is no Temporal test server for tests that skip time. One of these three is enough:',
      '  1. set HOLDPOINT_TEST_SERVER_PATH to an executable test server;',
      `  2. let temporal.download be reached, from where it is downloaded (${why('download')});`,
      `  3. install Java and Maven, to fetch io.temporal:temporal-test-server (${why('maven')}).`,
    ].join('\n'),
  );
}
