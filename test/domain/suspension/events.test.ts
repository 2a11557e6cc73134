import assert from 'node:assert/strict';
import { fallbackPolicySchema } from '../../../contracts/suspension/retry-policy.js';
import { PORTFOLIO_DEADLINE } from '../../../contracts/constants/statuses.js';
import { resolutionSchema } from '../../../contracts/suspension/suspension.js';
import {
  cancelledPayload,
  escalatedPayloads,
  expiredPayload,
  expiryReason,
  renotifiedPayload,
  resumedPayload,
  suspendedPayload,
} from '../../../domain/suspension/record/events.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { erasedEvent, identityOf } from '../../../domain/intent/erasure.js';
import { openRecord } from '../../../domain/suspension/asking/schedule.js';
import { ID, INTENT_ID, OPENED_AT, recordWith, settledWith } from '../samples.js';

const POLICY = {
  max_attempts: 3,
  interval_seconds: 3600,
  strategy: 'fixed' as const,
  escalation_ladder: [
    { attempt: 2, channel_hint: 'email', notify_to: null },
    { attempt: 3, channel_hint: 'pagerduty', notify_to: 'supervisor@example.com' },
  ],
  final_fallback_policy: 'fail' as const,
};
const CHOICES = [
  { value: 'approve', label: 'Approve refund', description: 'In full' },
  { value: 'deny', label: 'Deny refund' },
];
const { record: RECORD, schedule: SCHEDULE } = openRecord(
  {
    question: 'Should we proceed with the refund?',
    response_type: 'choice',
    choices: CHOICES,
    context: { order_id: '12345' },
    channel_hint: 'slack',
    timeout_seconds: 3600,
    fallback_policy: 'fail',
    retry_policy: POLICY,
    confidence_at_suspension: 0.55,
  },
  ID,
  OPENED_AT,
);
const EXPIRED = { resolution: 'expired' } as const;
const [FIRST, SECOND, THIRD] = SCHEDULE.attempts;
assert.ok(FIRST && SECOND && THIRD);

describe('intent.suspended', () => {
  it('tells the question, its deadline and its policy [AM-10]', () => {
    assert.deepEqual(suspendedPayload(RECORD), {
      suspension_id: ID,
      question: 'Should we proceed with the refund?',
      response_type: 'choice',
      choices: CHOICES,
      channel_hint: 'slack',
      timeout_seconds: 3600,
      expires_at: '2026-03-24T13:00:00.000Z',
      fallback_policy: 'fail',
      confidence_at_suspension: 0.55,
      retry_policy: POLICY,
    });
  });

  it('leaves out what the record lacks [AM-10, R25-43]', () => {
    assert.deepEqual(suspendedPayload(recordWith()), {
      suspension_id: ID,
      question: 'Refund order 12345?',
      response_type: 'text',
      fallback_policy: 'fail',
    });
  });
});

describe('intent.resumed', () => {
  it('tells value, person, instant and attempt [AM-10]', () => {
    assert.deepEqual(resumedPayload(INTENT_ID, settledWith(), 2), {
      intent_id: INTENT_ID,
      suspension_id: ID,
      value: 'go ahead',
      responded_by: 'alice@example.com',
      responded_at: '2026-03-24T10:30:00.000Z',
      attempt: 2,
    });
  });

  it('names the label of the choice that was taken [R25-74]', () => {
    const record = settledWith({ response_type: 'choice', choices: CHOICES, response: 'deny' });
    assert.equal(resumedPayload(INTENT_ID, record, 1)['choice_label'], 'Deny refund');
  });

  it('names who submitted only where that is somebody else [AM-17]', () => {
    const byOther = settledWith({ submitted_by: 'slack-bridge' });
    assert.equal(resumedPayload(INTENT_ID, byOther, 1)['submitted_by'], 'slack-bridge');
    const bySelf = settledWith({ submitted_by: 'alice@example.com' });
    assert.equal('submitted_by' in resumedPayload(INTENT_ID, bySelf, 1), false);
  });

  it('says why, in the words that came with each answer', () => {
    const comment = 'The customer waited long enough.';
    assert.equal(resumedPayload(INTENT_ID, settledWith({ comment }), 1)['comment'], comment);
    assert.equal('comment' in resumedPayload(INTENT_ID, settledWith(), 1), false);
    const vote = {
      principal: 'bella',
      actor: 'bella',
      value: 'yes',
      question_version: 1,
      counted_at: OPENED_AT,
    };
    const noted = { ...vote, comment: 'Agreed.', metadata: { via: 'slack' }, data: { n: 1 } };
    const { votes } = resumedPayload(INTENT_ID, settledWith({ votes: [noted, vote] }), 1);
    assert.deepEqual(votes, [{ ...vote, comment: 'Agreed.' }, vote]);
  });

  it('forgets those words once personal data is erased', () => {
    const payload = resumedPayload(INTENT_ID, settledWith({ comment: 'for Marta Keller' }), 1);
    const event = {
      event_type: 'intent.resumed',
      actor: 'alice',
      payload,
    } as unknown as IntentEvent;
    assert.match(JSON.stringify(event), /Marta/);
    assert.doesNotMatch(JSON.stringify([erasedEvent(event), identityOf(event)]), /Marta/);
  });

  it('keeps falsy values [AM-10]', () => {
    for (const response of [false, 0, null]) {
      const record = settledWith({ response_type: 'form', response });
      assert.equal(resumedPayload(INTENT_ID, record, 1)['value'], response);
    }
  });
});

describe('intent.suspension_renotified', () => {
  it('for attempt 2 names the ladder channel and attempt 3 [R26-54, R26-55, AM-29]', () => {
    assert.deepEqual(renotifiedPayload(ID, SECOND, 3, false), {
      suspension_id: ID,
      attempt: 2,
      max_attempts: 3,
      channel_hint: 'email',
      notify_to: null,
      next_attempt_at: '2026-03-24T12:00:00.000Z',
    });
  });

  it('for the last attempt has no next one [R26-55, AM-29]', () => {
    assert.deepEqual(renotifiedPayload(ID, THIRD, 3, false), {
      suspension_id: ID,
      attempt: 3,
      max_attempts: 3,
      channel_hint: 'pagerduty',
      notify_to: 'supervisor@example.com',
      next_attempt_at: null,
    });
  });

  it('is marked only where the attempt was skipped [AM-48]', () => {
    assert.equal(renotifiedPayload(ID, SECOND, 3, true)['skipped'], true);
    assert.equal('skipped' in renotifiedPayload(ID, SECOND, 3, false), false);
  });

  it('fills channel and recipient from the last entry naming them [AM-27, AM-28]', () => {
    const escalation_ladder = [
      { attempt: 2, channel_hint: 'email', notify_to: 'first@example.com' },
      { attempt: 2, channel_hint: 'sms' },
    ];
    const policy = { ...POLICY, escalation_ladder };
    const { schedule } = openRecord({ ...RECORD, retry_policy: policy }, ID, OPENED_AT);
    const payloads = schedule.attempts.map((attempt) => renotifiedPayload(ID, attempt, 3, false));
    assert.deepEqual(
      payloads.slice(1).map((payload) => [payload['channel_hint'], payload['notify_to']]),
      [
        ['sms', 'first@example.com'],
        ['slack', null],
      ],
    );
  });
});

describe('intent.suspension_escalated', () => {
  it('is emitted for a change of channel alone, with null kept [R26-56, R26-57, R26-58]', () => {
    assert.deepEqual(escalatedPayloads(ID, SECOND), [
      { suspension_id: ID, attempt: 2, escalated_to: null, channel_hint: 'email' },
    ]);
  });

  it('names the identity that is notified [R26-57]', () => {
    assert.deepEqual(escalatedPayloads(ID, THIRD), [
      {
        suspension_id: ID,
        attempt: 3,
        escalated_to: 'supervisor@example.com',
        channel_hint: 'pagerduty',
      },
    ]);
  });

  it('comes once per entry of the attempt, in order [AM-27]', () => {
    const ladder = [
      { attempt: 2, channel_hint: 'email', notify_to: 'b@example.com' },
      { attempt: 2, channel_hint: 'sms' },
      { attempt: 2, channel_hint: 'email', notify_to: 'a@example.com' },
    ];
    assert.deepEqual(
      escalatedPayloads(ID, { ...SECOND, ladder }).map((payload) => payload['escalated_to']),
      ['b@example.com', null, 'a@example.com'],
    );
  });

  it('is not emitted for an attempt without entries [R26-56]', () => {
    assert.deepEqual(escalatedPayloads(ID, FIRST), []);
  });
});

describe('intent.suspension_expired', () => {
  it('tells the attempts and the fallback that follows [AM-10, R26-59]', () => {
    assert.deepEqual(expiredPayload({ ...RECORD, ...EXPIRED }, 3), {
      suspension_id: ID,
      reason: 'attempts_exhausted',
      attempts: 3,
      fallback_policy: 'fail',
    });
  });

  it('keeps the spelling of the policy and shows its value [R25-58, AM-10]', () => {
    const policy = 'use_default_and_continue';
    const record = { ...RECORD, fallback_policy: policy, fallback_value: 'deny' } as const;
    const payload = expiredPayload(record, 3);
    assert.equal(payload['fallback_policy'], policy);
    assert.equal(payload['fallback_value'], 'deny');
    assert.equal('fallback_value_valid' in payload, false);
  });

  it('shows null where a value was to be returned but none given [AM-05]', () => {
    const record = recordWith({ fallback_policy: 'complete_with_fallback', response_type: 'form' });
    assert.equal(expiredPayload(record, 1)['fallback_value'], null);
  });

  it('marks a value outside the choices [AM-06]', () => {
    const record = {
      ...RECORD,
      fallback_policy: 'complete_with_fallback',
      fallback_value: 'Deny refund',
    } as const;
    assert.equal(expiredPayload(record, 3)['fallback_value_valid'], false);
  });

  it('says of the value what was found when it was asked, and judges no more', () => {
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'deny' } as const;
    const invalid = { fallback_value_valid: false } as const;
    const fitting = { ...RECORD, ...fallback };
    assert.equal(expiredPayload(fitting, 3, invalid)['fallback_value_valid'], false);
    const wrong = { ...fitting, fallback_value: 'Deny refund' };
    assert.equal('fallback_value_valid' in expiredPayload(wrong, 3, {}), false);
  });

  it('names only the policy where a deadline bypasses it [AM-10]', () => {
    const record = recordWith({ fallback_policy: 'complete_with_fallback' });
    const end = { ...EXPIRED, reason: PORTFOLIO_DEADLINE };
    assert.deepEqual(expiredPayload({ ...record, ...end }, 1), {
      suspension_id: ID,
      reason: 'portfolio_deadline',
      attempts: 1,
      fallback_policy: 'complete_with_fallback',
    });
  });

  const REASONS = [
    [undefined, 'timeout'],
    [{ ...POLICY, max_attempts: 1 }, 'timeout'],
    [{ ...POLICY, max_attempts: 2 }, 'attempts_exhausted'],
  ] as const;
  for (const [policy, reason] of REASONS) {
    it(`has the reason ${reason} for ${policy?.max_attempts ?? 'no'} attempts [AM-10]`, () => {
      const record = policy === undefined ? recordWith() : recordWith({ retry_policy: policy });
      assert.equal(expiryReason(record), reason);
      assert.equal(expiredPayload(record, 1)['reason'], reason);
    });
  }
});

describe('intent.suspension_cancelled', () => {
  const CANCELLED = { resolution: 'cancelled', settled_by: 'agent' } as const;

  it('tells who withdrew the question, when and why [AM-34]', () => {
    const record = settledWith({ ...CANCELLED, reason: 'Order was withdrawn' });
    assert.deepEqual(cancelledPayload(record), {
      suspension_id: ID,
      reason: 'Order was withdrawn',
      settled_by: 'agent',
      settled_at: '2026-03-24T10:30:00.000Z',
    });
  });

  it('has no reason where none was given [AM-34]', () => {
    assert.equal('reason' in cancelledPayload(settledWith(CANCELLED)), false);
  });
});

describe('the words of a record', () => {
  it('are three resolutions [R25-52]', () => {
    assert.deepEqual(resolutionSchema.options, ['responded', 'expired', 'cancelled']);
  });

  it('are three fallback policies [R25-55]', () => {
    assert.deepEqual(fallbackPolicySchema.options, [
      'fail',
      'complete_with_fallback',
      'use_default_and_continue',
    ]);
  });
});
