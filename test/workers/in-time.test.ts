import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '@temporalio/client';
import { openDatabase } from '../../store/database.js';
import { NoAnswer, appendEvent } from '../../workers/calls.js';
import { reconciliation } from '../../workers/reconciliation.js';

class OutOfTime extends Error {
  readonly code = 4;
  readonly details = '';
  readonly metadata = {};
}

/** A Temporal that takes calls and never replies, but for `described`. A call fails by its deadline, which passes at once. */
function silent(described?: 'COMPLETED'): Pick<Client, 'workflow'> {
  const deadlines = new AsyncLocalStorage<number>();
  const call = (): Promise<never> =>
    new Promise((_, reject) => {
      const deadline = deadlines.getStore();
      if (deadline === undefined) return;
      assert.ok(deadline > Date.now() && deadline <= Date.now() + 10_000);
      reject(new OutOfTime());
    });
  const workflow = {
    withDeadline: (deadline: number, work: () => Promise<unknown>) => deadlines.run(deadline, work),
    getHandle: () => ({
      client: workflow,
      describe: async () => (described ? { status: { name: described } } : call()),
      query: call,
      result: call,
      signal: call,
      executeUpdate: call,
    }),
    async *list() {
      await call();
    },
    options: { namespace: 'default' },
    workflowService: { listWorkflowExecutions: call },
  };
  return { workflow } as unknown as Pick<Client, 'workflow'>;
}

describe('a Temporal that never replies', () => {
  // Nothing is read, so nothing is connected.
  const db = openDatabase('postgres://127.0.0.1:9/nowhere');
  const placed = { id: 's1', space: 'default' };
  const [work, completed] = [
    reconciliation(db, () => silent()),
    reconciliation(db, () => silent('COMPLETED')),
  ];
  const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' };
  const all = async (list: AsyncIterable<unknown>) => {
    for await (const page of list) assert.ok(page);
  };
  const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
    'is asked how a question ended': () => work.endOf(placed),
    'is asked what a question returned': () => completed.endOf(placed),
    'is asked how an approval ended': () => work.approvals.endOf(placed),
    'is asked which workflows ended': () => all(work.endedIn(range)),
    'is asked which workflows run': () => all(work.runningSince('intent', range)),
    'is asked to have rows written': () => work.askToWrite('suspension', placed),
  };

  for (const [what, call] of Object.entries(CALLS)) {
    it(`${what}, and not for ever`, async () => {
      await assert.rejects(call(), OutOfTime);
    });
  }

  it('is asked for a question and what an approval decided, as if no worker were there', async () => {
    await assert.rejects(work.lookUp(placed), NoAnswer);
    await assert.rejects(completed.approvals.endOf(placed), NoAnswer);
  });

  it('is asked how far a question has come, as if no worker were there', async () => {
    assert.equal(await work.progressOf(placed), 'no_worker');
  });

  it('is told of an outcome and of an event, and not for ever', async () => {
    const view = {
      id: 's1',
      intent_id: null,
      record: { resolution: 'responded' },
      attempt: 1,
      timeline: [],
    };
    await assert.rejects(work.tell(view as never, 'default'), OutOfTime);
    await assert.rejects(work.tell({ ...view, intent_id: 'i1' } as never, 'default'), OutOfTime);
    const note = { key: 'k', intent_id: 'i1', actor: 'a', event_type: 'comment', payload: {} };
    await assert.rejects(appendEvent(silent(), 'intent-i1', note), NoAnswer);
  });
});
