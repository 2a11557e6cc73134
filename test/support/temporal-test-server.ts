import { bundleWorkflowCode, DefaultLogger, Runtime } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { multistream, pino } from 'pino';
import { endServer, launchServer } from '../../temporal-config/dev-server.js';
import type { LaunchedServer } from '../../temporal-config/dev-server.js';
import { freePort } from '../../temporal-config/ports.js';
import { ensureSearchAttributes } from '../../temporal-config/search-attributes.js';
import { resolveTestServer } from '../../temporal-config/test-server.js';
import { runtimeTelemetry } from '../../workers/log.js';
import { prepareWorkflowThreads } from '../../workers/workflow-threads.js';
import { bundleSources, slim } from '../../workers/bundle-sources.js';
import { BUNDLE_SOURCES } from '../../workers/shipped-bundle.js';
import { cachedBuild } from './cached-builds.js';
import { lookUntil } from './looks.js';
import { runLog } from './secrets.js';
import { reuseWorkflowThreads } from './workflow-threads.js';

// As a worker logs in production, and errors to whoever watches the tests besides.
const streams = [
  { level: 'trace', stream: runLog('worker') },
  { level: 'error', stream: process.stderr },
] as const;
Runtime.install(runtimeTelemetry(pino({ level: 'trace' }, multistream([...streams]))));
prepareWorkflowThreads();
reuseWorkflowThreads();

const COMPANIONS = 'test/workflows/support';

/** A file with workflow code for `Worker.create`. */
export interface WorkflowBundle {
  readonly codePath: string;
}

/** Our workflows as one file, made as for a release. */
export async function testBundle(): Promise<WorkflowBundle> {
  return bundle('workflows.js', BUNDLE_SOURCES, bundleSources);
}

const RECORDER = `${COMPANIONS}/issued-commands.ts`;
const placeOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** Our workflows as one file that tells what commands they issue, for replays. */
export async function replayBundle(): Promise<WorkflowBundle> {
  const make = () => bundleSources([placeOf(RECORDER)]);
  return bundle('replay.js', [...BUNDLE_SOURCES, RECORDER], make);
}

/** Workflows that tests bring along, in one module of their folder, as one file. */
export async function companionBundle(module: string): Promise<WorkflowBundle> {
  return companions(`${module}.js`, module, []);
}

/** The same as one file that tells what commands they issue, for replays. */
export async function companionReplayBundle(module: string): Promise<WorkflowBundle> {
  return companions(`${module}-replay.js`, module, [RECORDER]);
}

async function companions(
  name: string,
  module: string,
  interceptors: readonly string[],
): Promise<WorkflowBundle> {
  const file = `${COMPANIONS}/${module}.ts`;
  return bundle(name, [...BUNDLE_SOURCES, file, ...interceptors], async () => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: placeOf(file),
      workflowInterceptorModules: interceptors.map(placeOf),
      logger: new DefaultLogger('ERROR'),
    });
    return { code: slim(code) };
  });
}

const bundles = new Map<string, Promise<string>>();

async function bundle(
  name: string,
  sources: readonly string[],
  make: () => Promise<{ code: string }>,
): Promise<WorkflowBundle> {
  const made =
    bundles.get(name) ??
    cachedBuild(name, sources, async (target) => {
      const { code } = await make();
      assertMadeOf(code, sources);
      await writeFile(target, code);
    });
  bundles.set(name, made);
  return { codePath: await made };
}

/** A bundle that held more than its sources would not be made anew when that changes. */
function assertMadeOf(code: string, sources: readonly string[]): void {
  const modules = [...code.matchAll(/^\/\*\*\*\/ "\.\/([^"]+)"/gm)].map(([, name]) => name ?? '');
  const known = [...sources, 'node_modules'].map((source) => source.replace(/\.ts$/, ''));
  const others = modules.filter((name) => !known.some((prefix) => name.startsWith(prefix)));
  assert.ok(modules.length > 0);
  assert.deepEqual(others, [], 'modules whose content the cache does not look at');
}

/** A port that is free may be taken by another job of the tests before the server has it. */
const PORTS_TRIED = 3;

/** The SDK's way to an environment, which it keeps to itself: the public one starts the server, and gives it 5 s for that. */
interface Creating {
  create(options: {
    readonly server: { readonly type: 'existing' };
    readonly address: string;
    readonly supportsTimeSkipping: true;
  }): Promise<TestWorkflowEnvironment>;
}

/** A time-skipping server of its own, with our search attributes registered. */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const { executable } = await resolveTestServer({ log: () => undefined });
  const { server, address } = await launchTestServer(executable.path);
  const sdk = TestWorkflowEnvironment as unknown as Creating;
  const env = await sdk.create({
    server: { type: 'existing' },
    address,
    supportsTimeSkipping: true,
  });
  const disconnect = env.teardown.bind(env);
  env.teardown = async () => {
    await disconnect();
    await endServer(server);
  };
  await ensureSearchAttributes(env.connection, 'default');
  return env;
}

/** Starts the server, however long that takes on a machine that others keep busy. */
async function launchTestServer(program: string, tries = PORTS_TRIED): Promise<TestServerAt> {
  const port = await freePort();
  const server = launchServer(program, [String(port)], false);
  let end: string | undefined;
  void server.ended.then((how) => (end = how));
  await lookUntil(
    async () => end !== undefined || (await isListening(port)),
    () => `the time-skipping server does not listen: ${server.lastLines()}`,
  );
  if (end === undefined) return { server, address: `127.0.0.1:${port}` };
  if (tries > 1) return launchTestServer(program, tries - 1);
  throw new Error(`the time-skipping server did not start: ${end}\n${server.lastLines()}`);
}

interface TestServerAt {
  readonly server: LaunchedServer;
  readonly address: string;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
