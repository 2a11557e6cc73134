import assert from 'node:assert/strict';
import { recordDecision } from '../../../../api/usecases/coordinator/coordinators.js';
import type { Coordinator } from '../../../../contracts/coordinator/coordinator.js';
import { COORDINATOR, PORTFOLIO_ID } from '../../support/portfolio-records.js';
import { fakeParts } from '../../support/parts.js';
import { EVENT } from '../../support/records.js';
import {
  INTENT_ID,
  ManualClock,
  callerOf,
  intentOf,
  refusalFrom,
  sequences,
  type FakeQueries,
} from '../../support/fakes.js';

/** A coordinator of a portfolio whose log has five events by now. */
function bench(store: FakeQueries) {
  const clock = new ManualClock();
  const lease: Coordinator = { ...COORDINATOR, intent_id: null, portfolio_id: PORTFOLIO_ID };
  const { parts } = fakeParts({
    clock,
    store,
    answers: {
      position: () => ({ last_sequence: 5 }),
      coordinator: () => lease,
      intent: () => ({ intent: intentOf(), last_sequence: 1 }),
      appendEvent: ({ args: [input] }) => ({
        ...EVENT,
        intent_id: INTENT_ID,
        ...(input as object),
      }),
    },
  });
  const decision = {
    coordinator_id: lease.id,
    intent_id: INTENT_ID,
    decision_type: 'plan_created' as const,
    summary: 'Four tasks',
    rationale: 'No agent can do it alone',
    alternatives_considered: [],
  };
  const call = { caller: callerOf(lease.agent_id, 'agent'), parts };
  return { clock, record: () => recordDecision.run(call, decision) };
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
