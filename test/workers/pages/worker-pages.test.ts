import { Client } from '@temporalio/client';
import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { TASK_QUEUE } from '../../../contracts/constants/names.js';
import { lookUntil } from '../../support/looks.js';
import { untilSaid } from '../../support/processes.js';
import { withStore, type TestStore } from '../../support/store.js';
import { startTemporal, type StartedTemporal } from '../../support/temporal.js';
import { testBundle } from '../../support/temporal-test-server.js';
import { openSuspension } from '../../workflows/support/suspensions.js';
import { scriptOf } from '../../support/scripts.js';

const MAIN = scriptOf('workers/main.ts');

describe('the pages of a worker', () => {
  let temporal: StartedTemporal;
  let store: TestStore;
  let worker: ChildProcessByStdio<null, null, Readable> | undefined;

  before(async () => {
    [temporal, store] = await Promise.all([startTemporal(), withStore()]);
  });
  afterEach(async () => {
    if (worker === undefined) return;
    worker.kill('SIGTERM');
    const ended = await once(worker, 'exit');
    worker = undefined;
    assert.deepEqual(ended, [0, null]);
  });
  after(async () => {
    await temporal.stop();
    await store.close();
  });

  /** Starts a worker; returns where its pages are. */
  async function launch(temporalAddress: string): Promise<string> {
    const { PATH, HOME } = process.env;
    worker = spawn(process.execPath, [MAIN], {
      env: {
        PATH,
        HOME,
        DATABASE_URL: store.url,
        HOLDPOINT_WORKFLOW_BUNDLE: (await testBundle()).codePath,
        HOLDPOINT_WORKER_VERSIONING: 'false',
        HOLDPOINT_WORKER_METRICS: '0',
        TEMPORAL_ADDRESS: temporalAddress,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return untilSaid(worker.stderr, /^Metrics on (http:\/\/127\.0\.0\.1:\d+)\/metrics$/);
  }

  const textAt = async (url: string) => (await fetch(url)).text();

  it('show what it did, what the SDK measured, and that it is ready', async () => {
    const url = await launch(temporal.address);
    await lookUntil(async () => (await fetch(`${url}/ready`)).status === 200, 'it was never ready');
    const { workflow } = new Client({ connection: temporal.connection });
    const here = { client: workflow, taskQueue: TASK_QUEUE, now: async () => Date.now() };
    await openSuspension(here);
    const wanted = [
      /^holdpoint_delivery_tries_total\{channel="console",outcome="delivered"\} 1$/m,
      /^holdpoint_questions_asked_total 1$/m,
      /^holdpoint_journal_rows_total\{kind="suspension_opened"\} [1-9]/m,
      /^holdpoint_journal_lag_seconds_count [1-9]/m,
      /^temporal_workflow_task_queue_poll_succeed_total\{/m,
      /^temporal_worker_task_slots_available\{/m,
      /^temporal_workflow_task_schedule_to_start_latency_seconds_bucket\{/m,
    ];
    const shown = await lookUntil(async () => {
      const text = await textAt(`${url}/metrics`);
      return wanted.every((line) => line.test(text)) && text;
    }, 'the question did not show in the metrics');
    const names = [...shown.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    assert.deepEqual([...new Set(names)], names);
    assert.doesNotMatch(shown, /# EOF|cannot be read/);
  });

  it('say that it is there and not ready while Temporal is away', async () => {
    const url = await launch('127.0.0.1:1');
    assert.equal(await textAt(`${url}/health`), '{"status":"ok"}');
    const { status, dependencies } = await lookUntil(async () => {
      const reply = await fetch(`${url}/ready`);
      const body = (await reply.json()) as { dependencies: Record<string, { ok: boolean }> };
      return body.dependencies['store']?.ok === true && { ...body, status: reply.status };
    }, 'the store never answered');
    assert.equal(status, 503);
    assert.deepEqual(
      Object.entries(dependencies).map(([name, { ok }]) => [name, ok]),
      [
        ['worker', false],
        ['temporal', false],
        ['store', true],
      ],
    );
  });
});
