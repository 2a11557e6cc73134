import { Client } from '@temporalio/client';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { systemClock } from '../../../api/parts/calls/deadline.js';
import { listUnattended } from '../../../api/usecases/server/watch.js';
import { MOST_UNATTENDED, type UnattendedQueue } from '../../../contracts/server/unattended.js';
import { FRESH_POLL_MS } from '../../../temporal-config/pollers.js';
import { lookUntil } from '../../support/looks.js';
import { PATIENCE } from '../../support/patience.js';
import { respondUpdate } from '../../../workflows/suspension/messages.js';
import { Agents } from '../../workflows/support/agents.js';
import { callerOf } from '../support/fakes.js';
import { fakeParts } from '../support/parts.js';

const CONFIRM = { question: 'Refund?', response_type: 'confirm' } as const;

describe("the workflows of agents in Temporal's list", () => {
  let agents: Agents;
  before(async () => {
    agents = await Agents.start({ on: 'dev server' });
  });
  after(() => agents.close());

  /** What is reported so many milliseconds from now, once a condition holds. */
  async function reported(
    inMs: number,
    isSo: (queues: readonly UnattendedQueue[]) => boolean,
  ): Promise<readonly UnattendedQueue[]> {
    const client = new Client({ connection: agents.world.place.connection });
    const clock = {
      ...systemClock(() => Date.now() + inMs),
      patience: { servers: PATIENCE, worker: PATIENCE },
    };
    const { parts } = fakeParts({ deps: { client, clock } });
    let queues: readonly UnattendedQueue[] = [];
    await lookUntil(
      async () => {
        ({ queues } = await listUnattended.run({ caller: callerOf('admin'), parts }));
        return isSo(queues);
      },
      () => `${JSON.stringify(queues)} is reported`,
    );
    return queues;
  }

  it('show which wait without a worker, before the answer and after it', async () => {
    const [open, answered] = [await agents.run('asks', CONFIRM), await agents.run('asks', CONFIRM)];
    await agents.question(open);
    const question = await agents.question(answered);
    await agents.stopWorker();
    const { world } = agents;
    const answer = await world.answer(question, 'yes');
    await world.suspension(question.id).executeUpdate(respondUpdate, { args: [answer] });
    const [queue, ...others] = await reported(
      FRESH_POLL_MS + 5_000,
      ([found]) => found?.workflows === 2,
    );
    assert.deepEqual(others, []);
    assert.deepEqual([queue?.task_queue, queue?.version], ['agents', null]);
    assert.deepEqual(
      new Set(queue?.examples),
      new Set([open.workflowId, answered.workflowId].slice(0, MOST_UNATTENDED.examples)),
    );
    assert.ok(queue?.last_poll, 'the last poll is known');
    // Until then their worker may be there, between two polls.
    await reported(0, (queues) => queues.length === 0);

    await agents.startWorker();
    await answered.result();
    const [rest] = await reported(FRESH_POLL_MS + 5_000, ([found]) => found?.workflows === 1);
    assert.deepEqual(rest?.examples, [open.workflowId]);
  });
});
