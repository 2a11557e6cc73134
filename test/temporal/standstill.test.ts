import type { WorkflowHandle } from '@temporalio/client';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { newIntent } from '../../domain/intent/entity.js';
import type { intent } from '../../workflows/intent/workflow.js';
import { localPlace } from '../workflows/support/places.js';
import type { Place } from '../workflows/support/places.js';
import { openSuspension } from '../workflows/support/suspensions.js';
import { ourCode } from '../support/temporal-test-server.js';
import { LocalTemporal } from './local-temporal.js';

const TASK_QUEUE = 'standstill';

describe('a workflow in this process that waits for ever', () => {
  let place: Place;
  beforeEach(() => {
    place = localPlace(new LocalTemporal(undefined, 20));
  });
  afterEach(() => place.giveBack());

  async function reasonOf(handle: WorkflowHandle): Promise<string> {
    const error: unknown = await handle.result().catch((reason: unknown) => reason);
    assert.ok(error instanceof Error, 'it ends');
    return String(error.cause);
  }

  it('is told of at once where no worker comes', async () => {
    const world = { client: place.client, taskQueue: TASK_QUEUE, now: () => place.now() };
    const { handle } = await openSuspension(world);
    const reason = await reasonOf(handle);
    assert.ok(reason.includes('nothing can happen any more'), reason);
    assert.ok(reason.endsWith(`${handle.workflowId} waits for a worker on ${TASK_QUEUE}`), reason);
  });

  it('is told of with the activity that nobody carries out, or the messages that nobody sends', async () => {
    const writeJournal = () => Promise.resolve();
    const workers = [{ activities: {} }, { activities: { writeJournal } }] as const;
    const created_at = new Date(await place.now()).toISOString();
    const identity = { id: 'intent-1', created_by: 'agent-1', owner: 'agent-1', created_at };
    const draft = { title: 'Refund', status: 'active', state: {}, constraints: {} } as const;
    const handle = await place.client.start<typeof intent>('intent', {
      workflowId: 'intent-1',
      taskQueue: TASK_QUEUE,
      args: [{ intent: newIntent(draft, identity) }],
    });
    const reasons: string[] = [];
    for (const { activities } of workers) {
      const code = await ourCode();
      const worker = await place.startWorker({ taskQueue: TASK_QUEUE, code, activities });
      reasons.push(await reasonOf(handle));
      await worker.stop();
    }
    const [activity, messages] = reasons;
    assert.ok(activity?.endsWith(`a worker on ${TASK_QUEUE} for writeJournal`), activity);
    assert.ok(messages?.endsWith('intent-1 waits for messages'), messages);
  });
});

describe('a worker in this process', () => {
  it('refuses what only a worker of the SDK heeds', async () => {
    const place = localPlace();
    const work = { taskQueue: TASK_QUEUE, activities: {}, maxCachedWorkflows: 0 };
    await assert.rejects(place.startWorker(work), /maxCachedWorkflows needs a worker of the SDK/);
    await place.giveBack();
  });
});
