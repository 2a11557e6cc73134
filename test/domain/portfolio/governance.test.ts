import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { changeGovernance, newIntent } from '../../../domain/intent/entity.js';
import { INTENT_ID, OPENED_AT, granted, refused } from '../samples.js';

describe('a governance policy', () => {
  const request = {
    title: 'Refund',
    status: 'active' as const,
    state: {},
    constraints: {},
    depends_on: [],
  };
  const intent = newIntent(request, {
    id: INTENT_ID,
    created_by: 'agent',
    owner: 'agent',
    created_at: OPENED_AT,
  });
  const policy = { max_cost: 5 };

  it('is stored unchanged and removed, one version each', () => {
    const set = granted(changeGovernance(intent, policy, 'agent', OPENED_AT, 1_000));
    assert.deepEqual([set.intent.governance_policy, set.intent.version], [policy, 2]);
    assert.deepEqual(set.events, [
      { event_type: 'governance.policy_set', actor: 'agent', payload: { policy, version: 2 } },
    ]);
    const removed = granted(changeGovernance(set.intent, null, 'agent', OPENED_AT, 1_000));
    assert.ok(!('governance_policy' in removed.intent));
    assert.deepEqual(removed.events, [
      { event_type: 'governance.policy_removed', actor: 'agent', payload: { version: 3 } },
    ]);
  });

  it('is not changed of a closed intent', () => {
    const closed = { ...intent, status: 'completed' } as const;
    assert.equal(
      refused(changeGovernance(closed, policy, 'a', OPENED_AT, 1_000)).code,
      'intent_closed',
    );
  });
});
