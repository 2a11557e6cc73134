import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SuspensionDraft } from '../../../contracts/suspension/suspension.js';
import { notificationsOf } from '../../../domain/suspension/telling/notifications.js';
import {
  openingBeside,
  openingRest,
  openingRow,
} from '../../../domain/suspension/record/opening-row.js';
import { openRecord } from '../../../domain/suspension/asking/schedule.js';
import { ANYONE } from './notification-samples.js';

const AT = '2026-11-21T10:00:00.000Z';
const BARE: SuspensionDraft = {
  question: 'Refund?',
  response_type: 'text',
  fallback_policy: 'fail',
};
const FULL: SuspensionDraft = {
  ...BARE,
  response_type: 'choice',
  choices: [{ value: 'yes', label: 'Yes', metadata: { ledger: 7 } }],
  context: { order: 12 },
  timeout_seconds: 600,
  channel_hint: 'email',
  fallback_policy: 'complete_with_fallback',
  fallback_value: 'yes',
};

describe('the opening row beside a notification', () => {
  for (const [name, draft] of Object.entries({ bare: BARE, full: FULL })) {
    it(`is the whole one of a ${name} question`, () => {
      const asked = { intent_id: null, asked_by: 'agent-1', ...openRecord(draft, 'q-1', AT) };
      const [first] = asked.schedule.attempts;
      const [request] = first
        ? notificationsOf(null, asked.record, first, 1, { deciders: ANYONE })
        : [];
      assert.ok(request);
      assert.deepEqual(openingBeside(request, openingRest(asked)), openingRow(asked));
    });
  }

  it('says in which name it was asked, and which workflow of an agent waits', () => {
    const asked = (subject_workflow_id: string | null) => ({
      intent_id: null,
      asked_by: 'agent-1',
      asked_as: 'Billing',
      subject_workflow_id,
      ...openRecord(BARE, 'q-1', AT),
    });
    const [first] = asked(null).schedule.attempts;
    const [request] = first
      ? notificationsOf(null, asked(null).record, first, 1, { deciders: ANYONE })
      : [];
    assert.ok(request);
    for (const [subject, waiting] of [
      ['billing-7', 'billing-7'],
      ['team/approval-1', undefined],
      ['plan-1', undefined],
      [null, undefined],
    ] as const) {
      const row = openingRow(asked(subject));
      assert.ok(row.kind === 'suspension_opened');
      assert.deepEqual([row.asked_as, row.waiting_workflow], ['Billing', waiting]);
      assert.deepEqual(openingBeside(request, openingRest(asked(subject))), row);
    }
  });

  it('repeats nothing that the notification says at length', () => {
    const asked = { intent_id: null, asked_by: 'agent-1', ...openRecord(FULL, 'q-1', AT) };
    const { record } = openingRest(asked);
    for (const field of ['question', 'choices', 'context']) assert.ok(!(field in record), field);
  });
});
