import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { scheduleOf } from '../../../domain/suspension/asking/schedule.js';
import { notificationsOf } from '../../../domain/suspension/telling/notifications.js';
import { partWith } from '../approval/wires.js';
import { ID, INTENT_ID, recordWith } from '../samples.js';
import { ANYONE } from './notification-samples.js';

const RECORD = recordWith({
  channel_hint: 'slack',
  expires_at: '2026-03-24T12:00:00.000Z',
  retry_policy: {
    max_attempts: 2,
    interval_seconds: 3_600,
    strategy: 'fixed',
    final_fallback_policy: 'fail',
    escalation_ladder: [
      { attempt: 2, channel_hint: 'email', notify_to: 'lead' },
      { attempt: 2, channel_hint: 'sms' },
    ],
  },
});
const [FIRST, SECOND] = scheduleOf(RECORD).attempts;

describe('notifications of an attempt', () => {
  it('is one on the own channel without a ladder entry', () => {
    assert.ok(FIRST);
    assert.deepEqual(notificationsOf(INTENT_ID, RECORD, FIRST, 2, { deciders: ANYONE }), [
      {
        delivery_id: `${ID}:1`,
        suspension_id: ID,
        intent_id: INTENT_ID,
        attempt: 1,
        max_attempts: 2,
        due_at: RECORD.suspended_at,
        channel_hint: 'slack',
        notify_to: null,
        deciders: ANYONE,
        question: RECORD.question,
        response_type: 'text',
        expires_at: RECORD.expires_at,
        next_attempt_at: '2026-03-24T11:00:00.000Z',
      },
    ]);
  });

  it('says of a form that its context lists it, and of no other fields', () => {
    assert.ok(FIRST);
    const context = { fields: [{ name: 'sum', type: 'number' }] };
    for (const [form, isForm] of [
      [{ response_type: 'form', context }, true],
      [{ response_type: 'form', context, response_schema: { type: 'object' } }, undefined],
      [{ response_type: 'text', context }, undefined],
      [{ response_type: 'form', context: {} }, undefined],
    ] as const) {
      const [request] = notificationsOf(INTENT_ID, recordWith(form), FIRST, 2, {
        deciders: ANYONE,
      });
      assert.equal(request?.fields_are_form, isForm);
    }
  });

  it('is one for each entry, in their order [AM-27]', () => {
    assert.ok(SECOND);
    const sent = notificationsOf(INTENT_ID, RECORD, SECOND, 2, { deciders: ANYONE });
    assert.deepEqual(
      sent.map(({ delivery_id, channel_hint, notify_to, next_attempt_at }) => [
        delivery_id,
        channel_hint,
        notify_to,
        next_attempt_at,
      ]),
      [
        [`${ID}:2`, 'email', 'lead', null],
        [`${ID}:2:2`, 'sms', null, null],
      ],
    );
  });

  it('goes to the recipient of the attempt where no entry names one', () => {
    assert.ok(FIRST);
    const [only] = notificationsOf(INTENT_ID, RECORD, { ...FIRST, notify_to: 'lead' }, 2, {
      deciders: ANYONE,
    });
    assert.deepEqual([only?.channel_hint, only?.notify_to], ['slack', 'lead']);
  });

  it('takes choices and context along', () => {
    assert.ok(FIRST);
    const choices = [{ value: 'yes', label: 'Yes' }];
    const record = recordWith({ choices, context: { order: 7 } });
    const [only] = notificationsOf(INTENT_ID, record, FIRST, 1, { deciders: ANYONE });
    assert.deepEqual([only?.choices, only?.context], [choices, { order: 7 }]);
  });

  it('has the proposal of an approval, whole unless it is too long for a message', () => {
    assert.ok(FIRST);
    const part = partWith();
    const { calls, visible_context } = part.proposal;
    const [short] = notificationsOf(null, recordWith({ approval: part }), FIRST, 1, {
      deciders: ANYONE,
    });
    const { proposal_hash } = part;
    assert.deepEqual(short?.approval, { proposal_hash, whole: { calls, visible_context } });
    const long = { ...part.proposal, visible_context: { note: 'x'.repeat(6_000) } };
    const approval = { ...part, proposal: long };
    const [hashed] = notificationsOf(null, recordWith({ approval }), FIRST, 1, {
      deciders: ANYONE,
    });
    assert.deepEqual(hashed?.approval, { proposal_hash });
  });

  it('tell who has claimed the question', () => {
    assert.ok(SECOND);
    const sent = notificationsOf(INTENT_ID, RECORD, SECOND, 2, {
      deciders: ANYONE,
      heldBy: 'alice',
    });
    assert.ok(sent.length > 1 && sent.every(({ held_by }) => held_by === 'alice'));
  });
});
