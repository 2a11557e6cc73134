import { bundleWorkflowCode, DefaultLogger, Runtime } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { fileURLToPath } from 'node:url';
import { multistream, pino } from 'pino';
import { ensureSearchAttributes } from '../../temporal-config/search-attributes.js';
import { resolveTestServer } from '../../temporal-config/test-server.js';
import { runtimeLogging } from '../../workers/log.js';
import { runLog } from './secrets.js';

// As a worker logs in production, and errors to whoever watches the tests besides.
const streams = [
  { level: 'trace', stream: runLog('worker') },
  { level: 'error', stream: process.stderr },
] as const;
/** Mocha loads some files by `require` and some by `import`: this module then lives twice in a process. */
const INSTALLED = Symbol.for('holdpoint.test.runtime');
if (!Object.hasOwn(globalThis, INSTALLED)) {
  Runtime.install(runtimeLogging(pino({ level: 'trace' }, multistream([...streams]))));
  Object.defineProperty(globalThis, INSTALLED, { value: true });
}

let bundled: Promise<{ code: string }> | undefined;

/** The workflow bundle of this test run; made once. */
export function testBundle(): Promise<{ code: string }> {
  bundled ??= bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  });
  return bundled;
}

/** A time-skipping server of its own, with our search attributes registered. */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const { executable } = await resolveTestServer({ log: () => undefined });
  const env = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
  await ensureSearchAttributes(env.connection, 'default');
  return env;
}
