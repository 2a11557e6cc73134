import { WorkflowNotFoundError } from '@temporalio/client';
import assert from 'node:assert/strict';
import { createTemporal } from '../../../../api/parts/calls/temporal.js';
import type { Caller } from '../../../../api/parts/caller.js';
import { createFromStore } from '../../../../api/parts/reads/from-store.js';
import { createReads } from '../../../../api/parts/reads/reads.js';
import { erasePersonalData, eraseSuspension } from '../../../../api/usecases/intent/erase.js';
import type { IntentErasure } from '../../../../contracts/log/erasure.js';
import { ok, refuse } from '../../../../domain/kernel/ruling.js';
import type { ErasureOrder } from '../../../../store/queries/erasure/erasure.js';
import {
  INTENT_ID,
  ManualClock,
  SUSPENSION_ID,
  callerOf,
  fakeClient,
  fakeStore,
  intentOf,
  refusalFrom,
  rpcError,
  settledView,
  silent,
  viewOf,
  type FakeCall,
  type FakeHandlers,
  type FakeQueries,
} from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

const ADMIN = callerOf('root', 'admin');

const missing = () => {
  throw new WorkflowNotFoundError('missing', '', undefined);
};

/** The erasures of one process over a store that shows at once what was written, and has this question. */
function bench(
  handlers: FakeHandlers,
  queries: FakeQueries,
  view = settledView({ intent_id: null }),
) {
  const clock = new ManualClock();
  const waited: unknown[] = [];
  const { parts, calls } = fakeParts({
    clock,
    temporal: { query: () => view, ...handlers },
    store: {
      findSettled: async () => (view.state === 'settled' ? view : undefined),
      lastSequences: async (ids) => {
        waited.push(...ids);
        return new Map(ids.map((id) => [id, 5]));
      },
      ...queries,
    },
  });
  return {
    erasePersonalData: (caller: Caller, id: string) => erasePersonalData.run({ caller, parts }, id),
    eraseSuspension: (caller: Caller, id: string) => eraseSuspension.run({ caller, parts }, id),
    clock,
    calls,
    waited,
  };
}

/** A store that keeps one erasure, as the real one does. */
function closedIntent() {
  let erasure: IntentErasure | undefined;
  const orders: ErasureOrder[] = [];
  const queries: FakeQueries = {
    eraseClosedIntent: async (intent_id, order) => {
      orders.push(order);
      const { by: erased_by, at: erased_at } = order;
      erasure ??= { intent_id, erased_at, erased_by, through_sequence: 4, event_sequence: 5 };
      return ok(erasure);
    },
    questionsOf: async () => [SUSPENSION_ID],
  };
  return { queries, orders };
}

describe('an order to erase an intent', () => {
  const ERASURE = {
    intent_id: INTENT_ID,
    erased_at: '2026-01-01T00:00:00.000Z',
    erased_by: 'root',
    through_sequence: 4,
    event_sequence: 5,
  };

  it('goes to its workflow, and waits until the store shows it', async () => {
    const one = bench({ update: () => ERASURE }, {});
    const { calls, waited } = one;
    assert.deepEqual(await one.erasePersonalData(ADMIN, INTENT_ID), ERASURE);
    assert.deepEqual(
      calls.map(({ workflowId, name }) => [workflowId, name]),
      [[`intent-${INTENT_ID}`, 'erasePersonalData']],
    );
    assert.deepEqual(waited, [INTENT_ID]);
  });

  it('goes to the store where the workflow is closed, and to questions that still live', async () => {
    const { queries, orders } = closedIntent();
    const signals: FakeCall[] = [];
    const one = bench({ update: missing, signal: (call) => void signals.push(call) }, queries);
    const at = new Date(one.clock.now()).toISOString();
    assert.deepEqual(await one.erasePersonalData(ADMIN, INTENT_ID), { ...ERASURE, erased_at: at });
    assert.deepEqual(orders, [{ by: 'root', actor: 'root', at }]);
    assert.deepEqual(
      signals.map(({ workflowId, name, args }) => [workflowId, name, args]),
      [[`suspension-${SUSPENSION_ID}`, 'forget', [at]]],
    );
  });

  it('is neither lost nor doubled by a process that ends after the store has it', async () => {
    const { queries, orders } = closedIntent();
    let isAway = true;
    const signal = () => {
      if (isAway) throw rpcError('INVALID_ARGUMENT');
      return missing();
    };
    const first = bench({ update: missing, signal }, queries);
    const ended = assert.rejects(
      first.erasePersonalData(ADMIN, INTENT_ID),
      /^RefusalError: workflow_unavailable/,
    );
    await first.clock.advance(10_000);
    await ended;
    isAway = false;
    const second = bench({ update: missing, signal }, queries);
    await second.clock.advance(60_000);
    const erasure = await second.erasePersonalData(ADMIN, INTENT_ID);
    assert.equal(orders.length, 2);
    assert.deepEqual([erasure.erased_at, erasure.event_sequence], [orders[0]?.at, 5]);
  });

  it('waits for the approvals of the intent, and reaches those that are decided', async () => {
    const placed = { space: 'default', run_id: 'run-7', intent_id: INTENT_ID };
    const approvals = [
      { ...placed, id: 'a1', pending: false },
      { ...placed, id: 'a2', pending: true },
    ];
    const signals: FakeCall[] = [];
    const handlers = {
      update: () => ERASURE,
      signal: (call: FakeCall) => void signals.push(call),
    };
    const waiting = bench(handlers, { approvalsOf: async () => approvals });
    const refusal = await refusalFrom(waiting.erasePersonalData(ADMIN, INTENT_ID));
    assert.deepEqual([refusal.code, refusal.field], ['question_open', 'status']);
    assert.deepEqual([waiting.calls, signals], [[], []]);
    const decided = bench(handlers, { approvalsOf: async () => approvals.slice(0, 1) });
    await decided.erasePersonalData(ADMIN, INTENT_ID);
    assert.deepEqual(
      signals.map(({ workflowId, name, args }) => [workflowId, name, args]),
      [['approval-a1', 'forget', [ERASURE.erased_at]]],
    );
  });

  it('tells what the store refuses, and an intent that nobody knows', async () => {
    const refusing = bench(
      { update: missing },
      { eraseClosedIntent: async () => refuse('question_open', 'A question waits.') },
    );
    const refusal = await refusalFrom(refusing.erasePersonalData(ADMIN, INTENT_ID));
    assert.equal(refusal.code, 'question_open');
    const unknown = bench({ update: missing }, { eraseClosedIntent: async () => undefined });
    const { code } = await refusalFrom(unknown.erasePersonalData(ADMIN, INTENT_ID));
    assert.equal(code, 'intent_not_found');
  });
});

describe('an order to erase a question', () => {
  it('is refused while it is open, and while the store does not know its end', async () => {
    const open = bench({}, {}, viewOf({ intent_id: null }));
    const refusal = await refusalFrom(open.eraseSuspension(ADMIN, SUSPENSION_ID));
    assert.deepEqual([refusal.code, refusal.field], ['question_open', 'state']);
    const behind = bench({}, { eraseSuspension: async () => refuse('question_open', 'x') });
    const { code, detail } = await refusalFrom(behind.eraseSuspension(ADMIN, SUSPENSION_ID));
    assert.equal(code, 'store_unavailable');
    assert.equal(detail, 'The store does not know yet how the question ended.');
  });

  it('is refused for an approval that waits, or that an intent has', async () => {
    const placed = { id: 'a1', space: 'default', run_id: 'run-7' };
    for (const [approval, code] of [
      [{ ...placed, intent_id: null, pending: true }, 'question_open'],
      [{ ...placed, intent_id: INTENT_ID, pending: false }, 'question_of_intent'],
    ] as const) {
      const one = bench({}, { approvalOfQuestion: async () => approval });
      const refusal = await refusalFrom(one.eraseSuspension(ADMIN, SUSPENSION_ID));
      assert.equal(refusal.code, code);
    }
  });

  it('reaches the approval that it asks for, and the other questions of that', async () => {
    const erased_at = '2026-01-01T00:00:00.000Z';
    const signals: FakeCall[] = [];
    const one = bench(
      { signal: (call) => void signals.push(call) },
      {
        approvalOfQuestion: async () => ({
          id: 'a1',
          space: 'default',
          run_id: 'run-7',
          intent_id: null,
          pending: false,
        }),
        questionsOfApprovals: async (ids) => [SUSPENSION_ID, `another of ${ids.join(', ')}`],
        eraseSuspension: async () =>
          ok({ suspension_id: SUSPENSION_ID, erased_at, erased_by: 'root' }),
      },
    );
    await one.eraseSuspension(ADMIN, SUSPENSION_ID);
    assert.deepEqual(
      signals.map(({ workflowId }) => workflowId),
      [`suspension-${SUSPENSION_ID}`, 'suspension-another of a1', 'approval-a1'],
    );
  });
});

describe('a read of what has ended', () => {
  const erased = intentOf({ status: 'completed', title: '[erased]' });
  const snapshot = { intent: intentOf({ status: 'completed' }), last_sequence: 4 };
  const erasure = {
    intent_id: INTENT_ID,
    erased_at: erased.updated_at,
    erased_by: 'root',
    through_sequence: 4,
    event_sequence: 5,
  };

  function read(findErasure: NonNullable<FakeQueries['findErasure']>) {
    const clock = new ManualClock();
    const { client } = fakeClient({ query: () => snapshot });
    const store = fakeStore({ findErasure, findIntent: async () => erased });
    const fromStore = createFromStore(store, clock, silent);
    const reads = createReads(createTemporal(client, clock), fromStore, clock);
    return reads.getIntent(INTENT_ID);
  }

  it('shows what the store has erased since', async () => {
    assert.deepEqual(await read(async () => erasure), { value: erased, stale: false });
  });

  it('shows what a workflow says that has erased it itself, or that nobody erased', async () => {
    const own = { value: snapshot.intent, stale: false };
    assert.deepEqual(await read(async () => ({ ...erasure, event_sequence: 4 })), own);
    assert.deepEqual(await read(async () => undefined), own);
  });

  it('shows it all the same while the store is away', async () => {
    const away = () => Promise.reject(new Error('away'));
    assert.deepEqual(await read(away), { value: snapshot.intent, stale: false });
  });
});
