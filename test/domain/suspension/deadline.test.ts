import assert from 'node:assert/strict';
import { newIntent } from '../../../domain/intent/entity.js';
import { endSuspension } from '../../../domain/intent/suspension.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { endedByDeadline } from '../../../contracts/constants/fallback.js';
import {
  expireForDeadline,
  isDeadline,
  isSettled,
} from '../../../domain/suspension/record/state.js';
import { INTENT_ID, OPENED_AT, recordWith, settledWith } from '../samples.js';

const DEADLINE = '2026-03-24T10:20:00.000Z';
const FALLBACK = { fallback_policy: 'complete_with_fallback', fallback_value: 'deny' } as const;

function ended() {
  const state = { intent_id: INTENT_ID, record: recordWith(FALLBACK), attempt: 1 };
  const record = expireForDeadline(state, toMillis(DEADLINE))?.record ?? assert.fail();
  return isSettled(record) ? record : assert.fail();
}

describe('the deadline of a portfolio and a question', () => {
  it('expires it by the clock, and says why [AM-38]', () => {
    assert.deepEqual(ended(), {
      ...recordWith(FALLBACK),
      resolution: 'expired',
      settled_by: 'clock',
      settled_at: DEADLINE,
      reason: 'portfolio_deadline',
    });
    assert.ok(endedByDeadline(ended()));
  });

  it('changes nothing where it is settled', () => {
    const state = { intent_id: INTENT_ID, record: settledWith(), attempt: 1 };
    assert.equal(expireForDeadline(state, toMillis(DEADLINE)), undefined);
  });

  it('abandons the intent past a fallback that would have gone on [R26-27, R26-28, R26-29]', () => {
    const request = { title: 'Refund', status: 'active', state: {}, constraints: {} } as const;
    const identity = {
      id: INTENT_ID,
      created_by: 'agent-1',
      owner: 'agent-1',
      created_at: OPENED_AT,
    };
    const { intent, events } = endSuspension(newIntent(request, identity), ended(), 1, DEADLINE);
    assert.equal(intent.status, 'abandoned');
    assert.equal(intent.abandonment_reason, 'portfolio_deadline_exceeded');
    assert.deepEqual(
      events.map(({ event_type, actor, payload }) => [event_type, actor, payload['reason']]),
      [
        ['intent.suspension_expired', 'holdpoint', 'portfolio_deadline'],
        ['status_changed', 'holdpoint', 'portfolio_deadline_exceeded'],
      ],
    );
  });

  it('is not what a withdrawal with the same words is', () => {
    const record = settledWith({ resolution: 'cancelled', reason: 'portfolio_deadline' });
    assert.equal(endedByDeadline(record), false);
  });

  it('is told by a message that names portfolio and instant', () => {
    assert.ok(isDeadline({ portfolio_id: INTENT_ID, deadline: DEADLINE }));
    for (const given of [
      undefined,
      null,
      'now',
      {},
      { portfolio_id: INTENT_ID, deadline: 'now' },
      { portfolio_id: 7, deadline: DEADLINE },
    ]) {
      assert.equal(isDeadline(given), false);
    }
  });
});
