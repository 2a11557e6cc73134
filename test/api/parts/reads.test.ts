import assert from 'node:assert/strict';
import { WorkflowNotFoundError } from '@temporalio/client';
import { createTemporal } from '../../../api/parts/calls/temporal.js';
import { createReads } from '../../../api/parts/reads/reads.js';
import { createFromStore } from '../../../api/parts/reads/from-store.js';
import {
  fakeClient,
  fakeStore,
  hanging,
  INTENT_ID,
  intentOf,
  ManualClock,
  refusalFrom,
  rpcError,
  settledView,
  silent,
  SUSPENSION_ID,
  viewOf,
  type FakeCall,
  type FakeQueries,
} from '../support/fakes.js';

function bench(query: (call: FakeCall) => unknown, store: FakeQueries = {}) {
  const clock = new ManualClock();
  const { client, calls } = fakeClient({ query });
  const fromStore = createFromStore(fakeStore(store), clock, silent);
  return { clock, calls, reads: createReads(createTemporal(client, clock), fromStore, clock) };
}

const missing = () => {
  throw new WorkflowNotFoundError('missing', '', undefined);
};
const noPoller = () => {
  throw rpcError('FAILED_PRECONDITION');
};

describe('reading one intent', () => {
  it('asks its workflow', async () => {
    const { reads, calls } = bench(() => ({ intent: intentOf(), last_sequence: 4 }));
    assert.deepEqual(await reads.getIntent(INTENT_ID), { value: intentOf(), stale: false });
    assert.equal(calls[0]?.workflowId, `intent-${INTENT_ID}`);
  });

  it('falls back to the store after two seconds and says stale', async () => {
    const { reads, clock } = bench(hanging, { findIntent: async () => intentOf() });
    const read = reads.getIntent(INTENT_ID);
    await clock.advance(2_000);
    assert.deepEqual(await read, { value: intentOf(), stale: true });
  });

  it('takes the row of an ended intent for final once Temporal forgot it', async () => {
    const ended = intentOf({ status: 'completed' });
    const { reads } = bench(missing, { findIntent: async () => ended });
    assert.deepEqual(await reads.getIntent(INTENT_ID), { value: ended, stale: false });
  });

  it('says stale if the row of a lost workflow has not ended', async () => {
    const { reads } = bench(missing, { findIntent: async () => intentOf() });
    assert.equal((await reads.getIntent(INTENT_ID)).stale, true);
  });

  it('is not found if nobody knows it [R25-80]', async () => {
    const { reads } = bench(missing);
    assert.equal((await refusalFrom(reads.getIntent(INTENT_ID))).code, 'intent_not_found');
  });

  it('is unavailable if nobody can know whether it exists', async () => {
    const { reads } = bench(noPoller);
    assert.equal((await refusalFrom(reads.getIntent(INTENT_ID))).code, 'workflow_unavailable');
  });

  it('names the store if the store was needed and hangs', async () => {
    const findIntent = () => new Promise<never>(() => undefined);
    const { reads, clock } = bench(noPoller, { findIntent });
    const refused = refusalFrom(reads.getIntent(INTENT_ID));
    await clock.advance(2_000);
    assert.equal((await refused).code, 'store_unavailable');
  });

  it('asks nobody for what is no id', async () => {
    const { reads, calls } = bench(missing);
    assert.equal((await refusalFrom(reads.getIntent('../x'))).code, 'intent_not_found');
    assert.equal(calls.length, 0);
  });

  it('passes on a failure that is no outage', async () => {
    const { reads } = bench(() => {
      throw new TypeError('broken');
    });
    await assert.rejects(reads.getIntent(INTENT_ID), TypeError);
  });
});

describe('reading one suspension', () => {
  it('asks its workflow', async () => {
    const { reads } = bench(() => viewOf());
    assert.deepEqual(await reads.getSuspension(SUSPENSION_ID), { value: viewOf(), stale: false });
  });

  it('asks no workflow of one that the store has as settled', async () => {
    const { reads, calls } = bench(missing, { findSettled: async () => settledView() });
    const read = await reads.getSuspension(SUSPENSION_ID);
    assert.deepEqual([read, calls], [{ value: settledView(), stale: false }, []]);
  });

  it('asks its workflow while the store is away, or half a second silent', async () => {
    const away = bench(() => viewOf(), { findSettled: () => Promise.reject(new Error('away')) });
    assert.equal((await away.reads.getSuspension(SUSPENSION_ID)).value.state, 'pending');
    const silent = bench(() => viewOf(), { findSettled: () => new Promise(() => undefined) });
    const read = silent.reads.getSuspension(SUSPENSION_ID);
    await silent.clock.advance(499);
    assert.deepEqual(silent.calls, []);
    await silent.clock.advance(1);
    assert.equal((await read).value.state, 'pending');
  });

  it('passes on a defect of the store', async () => {
    const defect = () => Promise.reject(new TypeError('a defect'));
    const { reads } = bench(() => viewOf(), { findSettled: defect });
    await assert.rejects(reads.getSuspension(SUSPENSION_ID), /a defect/);
  });

  it('takes a settled row for final once Temporal forgot it', async () => {
    const { reads } = bench(missing, { findSuspension: async () => settledView() });
    assert.equal((await reads.getSuspension(SUSPENSION_ID)).stale, false);
  });

  it('says stale if no worker answers', async () => {
    const { reads } = bench(noPoller, { findSuspension: async () => settledView() });
    assert.equal((await reads.getSuspension(SUSPENSION_ID)).stale, true);
  });

  it('is not found if nobody knows it', async () => {
    const { reads } = bench(missing);
    const refusal = await refusalFrom(reads.getSuspension(SUSPENSION_ID));
    assert.equal(refusal.code, 'suspension_not_found');
  });
});

describe('reading the leases of an intent', () => {
  it('finds none if Temporal forgot an intent the store knows', async () => {
    const { reads } = bench(missing, { findIntent: async () => intentOf() });
    assert.deepEqual(await reads.listLeases(INTENT_ID), []);
  });

  it('is unavailable without a worker', async () => {
    const { reads } = bench(noPoller, { findIntent: async () => intentOf() });
    assert.equal((await refusalFrom(reads.listLeases(INTENT_ID))).code, 'workflow_unavailable');
  });
});
