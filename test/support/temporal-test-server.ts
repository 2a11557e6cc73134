import { bundleWorkflowCode, DefaultLogger, Runtime } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { fileURLToPath } from 'node:url';
import { ensureSearchAttributes } from '../../temporal-config/search-attributes.js';
import { resolveTestServer } from '../../temporal-config/test-server.js';

Runtime.install({ logger: new DefaultLogger('ERROR') });

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
