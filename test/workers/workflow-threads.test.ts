import { Client } from '@temporalio/client';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MOST_OVERRUNS, type RunsSetAside } from '../../contracts/log/set-aside.js';
import { patientClock } from '../support/patience.js';
import { listSetAside } from '../../api/usecases/server/watch.js';
import type { RunNames } from '../../store/queries/work/quarantine.js';
import { SET_ASIDE } from '../../workers/workflow-threads.js';
import { fakeParts } from '../api/support/parts.js';
import { caller } from '../support/callers.js';
import { lookUntil } from '../support/looks.js';
import { untilSaid } from '../support/processes.js';
import { startTemporal, type StartedTemporal } from '../support/temporal.js';
import { goOn, healthy, poison } from './poisoned-workflows.js';
import { scriptOf } from '../support/scripts.js';

const PROGRAM = scriptOf('test/workers/poisoned-worker.ts');
const taskQueue = 'poisoned';
const NOTED = /^noted (\{.*"workflow_id":"ill".*\})$/m;

/** What `holdpoint doctor` is told where just this run is noted. */
async function toldOf(client: Client, run: RunNames): Promise<RunsSetAside> {
  const noted = { ...run, since: new Date().toISOString() };
  const store = { notedSetAside: async () => [noted], forgetSetAside: async () => undefined };
  const { parts } = fakeParts({ store, deps: { client, clock: patientClock() } });
  return listSetAside.run({ caller: caller('root', 'admin'), parts });
}

describe('a workflow whose tasks never end', () => {
  let temporal: StartedTemporal;

  before(async () => {
    temporal = await startTemporal();
  });
  after(async () => {
    await temporal.stop();
  });

  it('is set aside after three tasks and named until it ends, and others of its worker go on', async () => {
    const args = [PROGRAM, temporal.address, taskQueue];
    const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = once(worker, 'exit');
    try {
      await untilSaid(worker.stdout, /^ready/);
      const client = new Client({ connection: temporal.connection });
      const { workflow } = client;
      const waiting = await workflow.start(healthy, { taskQueue, workflowId: 'healthy' });
      const ill = await workflow.start(poison, { taskQueue, workflowId: 'ill' });
      const isSetAside = untilSaid(worker.stderr, new RegExp(`"workflow_id":"ill".*${SET_ASIDE}`));
      const isNoted = untilSaid(worker.stdout, NOTED);
      await ill.signal(goOn);
      await isSetAside;
      const run = { workflow_id: 'ill', run_id: ill.firstExecutionRunId };
      assert.deepEqual(JSON.parse(await isNoted), run);
      // Temporal hears of the third stopped task a moment after the process does.
      await lookUntil(async () => {
        const [named] = (await toldOf(client, run)).workflows;
        return named?.workflow_id === 'ill' && (named.tries ?? 0) >= MOST_OVERRUNS;
      }, 'the run is not named');
      await waiting.signal(goOn);
      assert.equal(await waiting.result(), 'answered');
      const later = await workflow.start(healthy, { taskQueue, workflowId: 'later' });
      await later.signal(goOn);
      assert.equal(await later.result(), 'answered');
      assert.equal(worker.exitCode, null);
      await ill.terminate('its test is over');
      assert.deepEqual((await toldOf(client, run)).workflows, []);
    } finally {
      worker.kill('SIGKILL');
      await exited;
    }
  });
});
