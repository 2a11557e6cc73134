import assert from 'node:assert/strict';
import type { HumanRetryPolicy } from '../../../contracts/retry-policy.js';
import { askedSuspension, inputResponse } from '../../../domain/suspension/view.js';
import { ID, recordWith, settledWith } from '../samples.js';

const LADDER: HumanRetryPolicy = {
  max_attempts: 2,
  interval_seconds: 600,
  strategy: 'fixed',
  escalation_ladder: [{ attempt: 2, channel_hint: 'email', notify_to: 'bob' }],
  final_fallback_policy: 'fail',
};

describe('what hooks of an agent on Temporal see of a record', () => {
  it('is the channel and recipient in force, with the attempt in the context [R26-61, R26-62]', () => {
    const context = { order: '1', _attempt: 7 };
    const record = recordWith({ context, channel_hint: 'slack', retry_policy: LADDER });
    const seen = [1, 2].map((attempt) => askedSuspension(record, attempt));
    assert.deepEqual(
      seen.map(({ channel_hint, notify_to, context: own }) => [channel_hint, notify_to, own]),
      [
        ['slack', null, { order: '1', _attempt: 1, _max_attempts: 2 }],
        ['email', 'bob', { order: '1', _attempt: 2, _max_attempts: 2 }],
      ],
    );
    assert.equal(seen[0]?.intent_id, null);
    assert.deepEqual(record.context, context);
  });

  it('has no channel where none is named', () => {
    assert.equal(Object.hasOwn(askedSuspension(recordWith(), 1), 'channel_hint'), false);
  });
});

describe('the answer that hooks of an agent on Temporal see [R25-97]', () => {
  it('names the choice that it matches', () => {
    const choices = [{ value: 'go ahead', label: 'Go', description: 'All of it' }];
    const record = settledWith({ response_type: 'choice', choices, metadata: { via: 'phone' } });
    assert.deepEqual(inputResponse(record), {
      suspension_id: ID,
      value: 'go ahead',
      choice_label: 'Go',
      choice_description: 'All of it',
      responded_by: 'alice@example.com',
      responded_at: '2026-03-24T10:30:00.000Z',
      metadata: { via: 'phone' },
    });
  });

  it('is the value alone where it matches none', () => {
    const answer = inputResponse(settledWith({ response: { amount: 3 } }));
    assert.deepEqual(answer.value, { amount: 3 });
    assert.equal(Object.hasOwn(answer, 'choice_label'), false);
  });
});
