import assert from 'node:assert/strict';
import { Consistency } from '../../../../api/gateway/reads/consistency.js';
import { createDecisions } from '../../../../api/gateway/coordinator/coordinators.js';
import { createTemporal } from '../../../../api/gateway/calls/temporal.js';
import { createFromStore } from '../../../../api/gateway/reads/from-store.js';
import type { Coordinator } from '../../../../contracts/coordinator.js';
import { COORDINATOR, PORTFOLIO_ID } from '../../support/portfolio-records.js';
import { EVENT } from '../../support/records.js';
import {
  callerOf,
  fakeClient,
  fakeStore,
  INTENT_ID,
  intentOf,
  ManualClock,
  refusalFrom,
  sequences,
  silent,
  type FakeQueries,
  noWrites,
} from '../support.js';

/** A coordinator of a portfolio whose log has five events by now. */
function bench(store: FakeQueries) {
  const clock = new ManualClock();
  const { client } = fakeClient({ query: () => ({ last_sequence: 5 }) });
  const fromStore = createFromStore(fakeStore(store), clock, silent);
  const consistency = new Consistency({
    temporal: createTemporal(client, clock),
    fromStore,
    clock,
    log: silent,
    memory: noWrites(),
    intentRows: { collectDue: () => undefined },
  });
  const lease: Coordinator = { ...COORDINATOR, intent_id: null, portfolio_id: PORTFOLIO_ID };
  const decisions = createDecisions({
    consistency,
    fromStore,
    reads: { getIntent: async () => ({ value: intentOf(), stale: false }) },
    getCoordinator: async () => ({ value: lease, stale: false }),
    appendEvent: async (_caller, _action, intent_id, event_type, payload) => ({
      ...EVENT,
      intent_id,
      event_type,
      payload,
    }),
  });
  const decision = {
    coordinator_id: lease.id,
    intent_id: INTENT_ID,
    decision_type: 'plan_created' as const,
    summary: 'Four tasks',
    rationale: 'No agent can do it alone',
    alternatives_considered: [],
  };
  return {
    clock,
    record: () => decisions.recordDecision(callerOf(lease.agent_id, 'agent'), decision),
  };
}

describe('a decision for a member of a portfolio', () => {
  it('is recorded, by one look at who is in it', async () => {
    const looked: unknown[] = [];
    const { record } = bench({
      lastSequences: sequences(() => 5),
      isMember: async (...ids) => looked.push(ids) > 0,
    });
    const { intent_id, confidence, id } = await record();
    assert.deepEqual([intent_id, confidence, id], [INTENT_ID, null, EVENT.id]);
    assert.deepEqual(looked, [[PORTFOLIO_ID, INTENT_ID]]);
  });

  it('is out of scope for who is no member', async () => {
    const { record } = bench({ lastSequences: sequences(() => 5) });
    assert.equal((await refusalFrom(record())).code, 'outside_scope');
  });

  it('waits for the store to know the members, and is refused as unavailable', async () => {
    const { record, clock } = bench({
      lastSequences: sequences(() => 4),
      isMember: async () => true,
    });
    const refused = refusalFrom(record());
    await clock.advance(2_000);
    assert.equal((await refused).code, 'store_unavailable');
  });

  it('finds a member that the store shows a moment later', async () => {
    let stored = 4;
    const { record, clock } = bench({
      lastSequences: sequences(() => stored),
      isMember: async () => stored === 5,
    });
    const made = record();
    await clock.advance(500);
    stored = 5;
    await clock.advance(500);
    assert.equal((await made).intent_id, INTENT_ID);
  });
});
