import { Client } from '@temporalio/client';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TASK_QUEUE } from '../../contracts/constants/names.js';
import { untilSaid } from '../support/processes.js';
import { withStore, type TestStore } from '../support/store.js';
import { startTemporal, type StartedTemporal } from '../support/temporal.js';
import { testBundle } from '../support/temporal-test-server.js';
import { openSuspension } from '../workflows/support/suspensions.js';
import { scriptOf } from '../support/scripts.js';

const MAIN = scriptOf('workers/main.ts');

describe('the stack trace of a workflow', () => {
  let temporal: StartedTemporal;
  let store: TestStore;

  before(async () => {
    [temporal, store] = await Promise.all([startTemporal(), withStore()]);
  });
  after(async () => {
    await temporal.stop();
    await store.close();
  });

  /** What Temporal's own query gives for a question that waits, at a worker with these settings. */
  async function traceWith(settings: NodeJS.ProcessEnv): Promise<unknown> {
    const { PATH, HOME } = process.env;
    const worker = spawn(process.execPath, [MAIN], {
      env: {
        PATH,
        HOME,
        DATABASE_URL: store.url,
        HOLDPOINT_WORKFLOW_BUNDLE: (await testBundle()).codePath,
        HOLDPOINT_WORKER_VERSIONING: 'false',
        TEMPORAL_ADDRESS: temporal.address,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(worker, 'exit');
    try {
      await untilSaid(worker.stdout, /^Holdpoint worker ready/);
      const { workflow } = new Client({ connection: temporal.connection });
      const here = { client: workflow, taskQueue: TASK_QUEUE, now: async () => Date.now() };
      const { handle } = await openSuspension(here);
      return await handle.query('__stack_trace');
    } finally {
      worker.kill();
      await exited;
    }
  }

  it('is neither taken nor shown by default', async () => {
    await assert.rejects(traceWith({}), /stack traces are not enabled on this worker/);
  });

  it('shows where the workflow waits with HOLDPOINT_STACK_TRACES=true', async () => {
    assert.match(String(await traceWith({ HOLDPOINT_STACK_TRACES: 'true' })), /workflows\/\S+\.ts/);
  });
});
