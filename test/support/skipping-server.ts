import {
  downloadProgram,
  findTool,
  type ResolveOptions,
  type ToolMaker,
} from '../../temporal-config/tools.js';
import { TemporalConfigError } from '../../temporal-config/errors.js';
import { mavenInstall } from './maven.js';

/** The release of Temporal's Java SDK whose test server is used. */
const TEST_SERVER_VERSION = '1.32.1';
const PROGRAM = 'temporal-test-server';

type Made = 'download' | 'maven';

export interface TestServer {
  /** For `TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })`. */
  executable: { type: 'existing-path'; path: string };
  source: string;
}

/**
 * Finds the time-skipping test server: `HOLDPOINT_TEST_SERVER_PATH`, the cache folder, a download, Maven.
 *
 * It counts as usable if it prints its usage. A damaged jar that the usage does not need only shows when
 * the server is started. The server listens on all interfaces; Temporal offers no setting for that.
 *
 * @throws TemporalConfigError `test_server_path_unusable` or `test_server_not_found`, as `findTool`
 */
export async function resolveTestServer({
  env = process.env,
  log,
}: ResolveOptions): Promise<TestServer> {
  const tool = {
    label: 'time-skipping test server',
    program: PROGRAM,
    version: TEST_SERVER_VERSION,
    variable: 'HOLDPOINT_TEST_SERVER_PATH',
    unusable: 'test_server_path_unusable',
    check: { args: [], answer: '<port>' },
    fault: 'does not state its usage as the test server does',
    makers: makersOf({ env, log }),
    notFound,
  } as const;
  const { path, source } = await findTool(tool, { env, log });
  return { executable: { type: 'existing-path', path }, source };
}

function makersOf({ env, log }: Required<ResolveOptions>): ToolMaker<Made>[] {
  const wanted = { version: TEST_SERVER_VERSION, program: PROGRAM, env, log };
  return [
    {
      source: 'download',
      make: (folder) => downloadProgram({ artifact: PROGRAM, ...wanted }, folder),
    },
    { source: 'maven', make: (folder) => mavenInstall(wanted, folder) },
  ];
}

function notFound(why: (source: Made) => string): TemporalConfigError {
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
