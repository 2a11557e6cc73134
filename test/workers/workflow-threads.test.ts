import { Client, Connection } from '@temporalio/client';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { SET_ASIDE } from '../../workers/workflow-threads.js';
import { untilSaid } from '../support/processes.js';
import { startTemporal } from '../support/temporal.js';
import type { StartedTemporal } from '../support/temporal.js';
import { goOn, healthy, poison } from './poisoned-workflows.js';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const PROGRAM = path.resolve(import.meta.dirname, 'poisoned-worker.ts');
const taskQueue = 'poisoned';

describe('a workflow whose tasks never end', () => {
  let temporal: StartedTemporal;
  let connection: Connection;

  before(async () => {
    temporal = await startTemporal();
    connection = await Connection.connect({ address: temporal.address });
  });
  after(async () => {
    await connection.close();
    await temporal.stop();
  });

  it('is set aside after three tasks, and others of its worker go on', async () => {
    const args = ['--import', TSX, PROGRAM, temporal.address, taskQueue];
    const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = once(worker, 'exit');
    try {
      await untilSaid(worker.stdout, /^ready/);
      const { workflow } = new Client({ connection });
      const waiting = await workflow.start(healthy, { taskQueue, workflowId: 'healthy' });
      const ill = await workflow.start(poison, { taskQueue, workflowId: 'ill' });
      const isSetAside = untilSaid(worker.stderr, new RegExp(`"workflow_id":"ill".*${SET_ASIDE}`));
      await ill.signal(goOn);
      await isSetAside;
      await waiting.signal(goOn);
      assert.equal(await waiting.result(), 'answered');
      const later = await workflow.start(healthy, { taskQueue, workflowId: 'later' });
      await later.signal(goOn);
      assert.equal(await later.result(), 'answered');
      assert.equal(worker.exitCode, null);
      await ill.terminate('its test is over');
    } finally {
      worker.kill('SIGKILL');
      await exited;
    }
  });
});
