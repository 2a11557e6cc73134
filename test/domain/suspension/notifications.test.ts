import assert from 'node:assert/strict';
import type {
  SuspensionDraft,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import { openRecord, scheduleOf } from '../../../domain/suspension/asking/schedule.js';
import {
  openingBeside,
  openingRest,
  openingRow,
} from '../../../domain/suspension/record/opening-row.js';
import { noticesOf } from '../../../domain/suspension/telling/notice.js';
import {
  longestPauseMs,
  notificationsOf,
} from '../../../domain/suspension/telling/notifications.js';
import { partWith } from '../approval/wires.js';
import { ID, INTENT_ID, recordWith } from '../samples.js';
import { ANYONE, SUSPENSION_ID } from './notification-samples.js';

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
  const sentBy = (record: SuspensionRecord, attempt = FIRST, heldBy?: string) =>
    notificationsOf(INTENT_ID, record, attempt ?? assert.fail(), 2, {
      deciders: ANYONE,
      ...(heldBy && { heldBy }),
    });

  it('is one on the own channel without a ladder entry', () => {
    assert.deepEqual(sentBy(RECORD), [
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
    const context = { fields: [{ name: 'sum', type: 'number' }] };
    for (const [form, isForm] of [
      [{ response_type: 'form', context }, true],
      [{ response_type: 'form', context, response_schema: { type: 'object' } }, undefined],
      [{ response_type: 'text', context }, undefined],
      [{ response_type: 'form', context: {} }, undefined],
    ] as const) {
      const [request] = sentBy(recordWith(form));
      assert.equal(request?.fields_are_form, isForm);
    }
  });

  it('is one for each entry, in their order [AM-27]', () => {
    const sent = sentBy(RECORD, SECOND);
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
    const [only] = sentBy(RECORD, FIRST && { ...FIRST, notify_to: 'lead' });
    assert.deepEqual([only?.channel_hint, only?.notify_to], ['slack', 'lead']);
  });

  it('takes choices and context along', () => {
    const choices = [{ value: 'yes', label: 'Yes' }];
    const record = recordWith({ choices, context: { order: 7 } });
    const [only] = sentBy(record);
    assert.deepEqual([only?.choices, only?.context], [choices, { order: 7 }]);
  });

  it('has the proposal of an approval, whole unless it is too long for a message', () => {
    const part = partWith();
    const { calls, visible_context } = part.proposal;
    const [short] = sentBy(recordWith({ approval: part }));
    const { proposal_hash } = part;
    assert.deepEqual(short?.approval, { proposal_hash, whole: { calls, visible_context } });
    const long = { ...part.proposal, visible_context: { note: 'x'.repeat(6_000) } };
    const approval = { ...part, proposal: long };
    const [hashed] = sentBy(recordWith({ approval }));
    assert.deepEqual(hashed?.approval, { proposal_hash });
  });

  it('tell who has claimed the question', () => {
    const sent = sentBy(RECORD, SECOND, 'alice');
    assert.ok(sent.length > 1 && sent.every(({ held_by }) => held_by === 'alice'));
  });
});

describe('longest pause between two tries', () => {
  for (const [window, windowMs, pauseMs] of [
    ['a second', 1_000, 5_000],
    ['a minute', 60_000, 6_000],
    ['an hour', 3_600_000, 360_000],
    ['a week', 604_800_000, 600_000],
    ['no end', undefined, 3_600_000],
  ] as const) {
    it(`is ${pauseMs / 1_000} s in a window of ${window}`, () => {
      assert.equal(longestPauseMs(windowMs), pauseMs);
    });
  }
});

const ASKED = {
  id: SUSPENSION_ID,
  question: 'Refund order A-7?',
  asked_by: 'agent-1',
  attempt: 1,
  max_attempts: 3,
};

describe('a notice in a browser', () => {
  it('says what is asked and by whom, and opens the question', () => {
    assert.deepEqual(noticesOf([ASKED], true), [
      {
        title: 'Input needed: Refund order A-7?',
        body: 'Asked by agent-1',
        tag: `${SUSPENSION_ID}:1`,
        path: `/inbox/q/${SUSPENSION_ID}`,
      },
    ]);
  });

  it('is another one for each reminder', () => {
    const [reminder] = noticesOf([{ ...ASKED, attempt: 2 }], true);
    assert.equal(reminder?.title, 'Reminder (2): Refund order A-7?');
    assert.equal(reminder.tag, `${SUSPENSION_ID}:2`);
  });

  it('has no word of the question where whoever sees the screen may see it', () => {
    const shown = [1, 2].flatMap((attempt) => noticesOf([{ ...ASKED, attempt }], false));
    assert.deepEqual(
      shown.map(({ title, body }) => [title, body]),
      [
        ['A question waits for you', 'Open it in the inbox.'],
        ['A question still waits for you', 'Open it in the inbox.'],
      ],
    );
  });

  it('never shows the id', () => {
    for (const words of [true, false]) {
      const [notice] = noticesOf([ASKED], words);
      assert.ok(notice && !`${notice.title}${notice.body}`.includes(SUSPENSION_ID));
    }
  });

  it('counts questions where there are more than three', () => {
    const ids = ['a', 'b', 'c', 'd'];
    assert.equal(
      noticesOf(
        ids.slice(1).map((id) => ({ ...ASKED, id })),
        true,
      ).length,
      3,
    );
    assert.deepEqual(
      noticesOf(
        ids.map((id) => ({ ...ASKED, id })),
        true,
      ),
      [
        {
          title: '4 questions wait for you',
          body: 'Open the inbox.',
          tag: 'inbox',
          path: '/inbox',
        },
      ],
    );
  });

  it('shows characters that steer text as codes, in one short line', () => {
    const [notice] = noticesOf(
      [
        {
          ...ASKED,
          question: `Pay\n\u202e${'x'.repeat(500)}`,
          asked_by: `a\u202eb${'y'.repeat(200)}`,
        },
      ],
      true,
    );
    assert.match(notice?.title ?? '', /^Input needed: Pay \[U\+202E\]x+…?/);
    assert.ok((notice?.title.length ?? 0) <= 160 && (notice?.body.length ?? 0) <= 100);
    assert.match(notice?.body ?? '', /^Asked by a\[U\+202E\]b/);
  });
});

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
      ['team/approval-6f1cbb0e-4a58-4c4e-9a3c-0d2f6a7b8c9d', undefined],
      ['plan-6f1cbb0e-4a58-4c4e-9a3c-0d2f6a7b8c9d', undefined],
      ['plan-1', 'plan-1'],
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
