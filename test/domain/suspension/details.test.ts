import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type {
  SuspensionRecord,
  TimelineEntry,
  TimelineKind,
} from '../../../contracts/suspension/suspension.js';
import { summaryOf } from '../../../domain/kernel/text.js';
import { describeSuspension } from '../../../domain/suspension/record/details.js';
import { scheduleOf } from '../../../domain/suspension/asking/schedule.js';
import { viewOf } from '../../../domain/suspension/record/view.js';
import { partWith } from '../approval/wires.js';
import { INTENT_ID, OPENED_AT, recordWith, settledWith } from '../samples.js';

const LADDERED: Partial<SuspensionRecord> = {
  channel_hint: 'slack',
  expires_at: '2026-03-24T12:00:00.000Z',
  retry_policy: {
    max_attempts: 2,
    interval_seconds: 3_600,
    strategy: 'fixed',
    final_fallback_policy: 'fail',
    escalation_ladder: [{ attempt: 2, channel_hint: 'email', notify_to: 'lead_1' }],
  },
};

const CHOICES = [
  { value: 'approve', label: 'Approve refund' },
  { value: 'deny', label: 'Deny refund' },
];

function seen(record: SuspensionRecord, attempt = 1, timeline: readonly TimelineEntry[] = []) {
  const opened = { asked_by: 'agent-1', schedule: scheduleOf(record) };
  return viewOf({ intent_id: INTENT_ID, record, attempt }, opened, timeline);
}

function told(kind: TimelineKind, detail: JsonObject): TimelineEntry {
  return { sequence: 1, at: OPENED_AT, kind, detail };
}

describe('details of a suspension', () => {
  it('name question, attempts, next reminder and expiry', () => {
    assert.equal(
      describeSuspension(
        seen(recordWith({ ...LADDERED, response_type: 'choice', choices: CHOICES })),
      ),
      [
        '**Waiting for an operator**',
        '',
        `- Asked: attempt 1 of 2, ${OPENED_AT}: slack`,
        '- Next reminder: 2026-03-24T11:00:00.000Z, email to lead\\_1',
        '- Expires: 2026-03-24T12:00:00.000Z, then `fail`',
        '- Choices: "approve" Approve refund, "deny" Deny refund',
        `- Asked by agent-1 for intent ${INTENT_ID}`,
        '- Question: Refund order 12345?',
      ].join('\n'),
    );
  });

  it('name the version of what is approved, by its hash', () => {
    const approval = partWith({ version: 2 });
    const lines = describeSuspension(seen(recordWith({ approval }))).split('\n');
    const hash = `hash \`${approval.proposal_hash}\``;
    assert.equal(lines[5], `- Proposal: version 2, medium risk, ${hash}`);
  });

  it('count who agrees, and name who may answer and who has', () => {
    const decision_rule = {
      eligible: { groups: ['finance'], principals: ['tina_1'] },
      excluded: [],
      quorum: 2,
      denials: ['rejected'],
      veto: true,
    };
    const record = recordWith({ approval: partWith(), decision_rule });
    const vote = { principal: 'tina_1', actor: 'tina_1', value: 'approved', question_version: 1 };
    const view = { ...seen(record), votes: [{ ...vote, counted_at: OPENED_AT }], approvals: 1 };
    const lines = describeSuspension(view).split('\n');
    assert.equal(lines[0], '**Waiting for approval**: 1 of 2 agree');
    assert.deepEqual(lines.slice(2, 4), [
      '- May answer: tina\\_1, group finance',
      `- Answered: tina\\_1 "approved", ${OPENED_AT}`,
    ]);
    const plain = recordWith({ decision_rule });
    assert.match(describeSuspension(seen(plain)), /^\*\*Waiting for operators\*\*: 0 of 2 agree/);
    const alone = recordWith({ decision_rule: { ...decision_rule, quorum: 1 } });
    assert.ok(
      !describeSuspension({ ...view, ...seen(alone), votes: view.votes }).includes('Answered'),
    );
  });

  it('name who was asked on a later attempt', () => {
    const text = describeSuspension(seen(recordWith(LADDERED), 2));
    assert.ok(
      text.includes('- Asked: attempt 2 of 2, 2026-03-24T11:00:00.000Z: email to lead\\_1'),
    );
    assert.ok(text.endsWith(`- Before: attempt 1 of 2, ${OPENED_AT}: slack`), text);
    assert.ok(text.includes('Next reminder: none'));
  });

  it('name the default channel and no expiry', () => {
    const text = describeSuspension(seen(recordWith()));
    assert.ok(text.includes(': the default channel'));
    assert.ok(text.includes('Expires: never'));
  });

  for (const [fate, kind, detail] of [
    ['delivered', 'delivered', { channel: 'email' }],
    ['delivered by pager', 'delivered', { channel: 'pager' }],
    ['delivered at try 3', 'delivered', { tries: 3 }],
    ['skipped', 'attempt_skipped', {}],
    ['told nobody', 'attempt', { told: 'nobody' }],
    ['told nobody', 'delivered', { channel: 'none', told: 'nobody' }],
    ['not delivered in time', 'delivery_superseded', {}],
    [
      'not delivered: channel\\_not\\_configured',
      'delivery_failed',
      { error: 'channel_not_configured' },
    ],
  ] as const) {
    it(`tell what became of a message: ${fate}`, () => {
      const entry = told(kind, { attempt: 2, ...detail });
      const lines = describeSuspension(seen(recordWith(LADDERED), 2, [entry])).split('\n');
      const asked = lines.filter((line) => line.includes('attempt '));
      assert.deepEqual(
        asked.map((line) => line.endsWith(` (${fate})`)),
        [true, false],
        asked.join(),
      );
    });
  }

  it('tell all that became of the messages of an attempt, and nothing else', () => {
    const timeline = [
      told('delivery_failed', { attempt: 1, error: 7 }),
      told('delivered', { attempt: 1, tries: 2 }),
      told('attempt', { attempt: 1 }),
    ];
    const text = describeSuspension(seen(recordWith(LADDERED), 1, timeline));
    assert.ok(text.includes(': slack (not delivered: unknown; delivered at try 2)\n'), text);
  });

  it('name the workflow that waits where no intent does', () => {
    const view = { ...seen(recordWith()), intent_id: null };
    assert.match(
      describeSuspension(view, 'refund_7'),
      /^- Asked by agent-1 for workflow refund\\_7$/m,
    );
    for (const nobody of [undefined, null, '']) {
      assert.match(describeSuspension(view, nobody), /^- Asked by agent-1$/m);
    }
  });

  it('of a settled question have no reminder and no expiry', () => {
    assert.equal(
      describeSuspension(seen({ ...settledWith(), ...LADDERED })),
      [
        '**responded**: "go ahead" by alice@example.com at 2026-03-24T10:30:00.000Z',
        '',
        `- Asked: attempt 1 of 2, ${OPENED_AT}: slack`,
        `- Asked by agent-1 for intent ${INTENT_ID}`,
        '- Question: Refund order 12345?',
      ].join('\n'),
    );
  });

  for (const [ending, record] of [
    ['**responded**: "go ahead" by alice@example.com at 2026-03-24T10:30:00.000Z', settledWith()],
    [
      '**cancelled** by agent-1 at 2026-03-24T10:30:00.000Z (no longer \\*needed\\*)',
      {
        ...recordWith(),
        resolution: 'cancelled',
        settled_by: 'agent',
        settled_at: '2026-03-24T10:30:00.000Z',
        submitted_by: 'agent-1',
        reason: 'no longer *needed*',
      },
    ],
    [
      '**expired** at 2026-03-24T10:30:00.000Z, fallback `fail`',
      {
        ...recordWith(),
        resolution: 'expired',
        settled_by: 'clock',
        settled_at: '2026-03-24T10:30:00.000Z',
      },
    ],
  ] as const) {
    it(`tell how it ended: ${record.resolution}`, () => {
      const text = describeSuspension(seen(record));
      assert.ok(text.startsWith(`${ending}\n`), text);
      assert.equal(text.includes('Next reminder'), false);
    });
  }

  it('tell the value of the fallback, as long as it is not too long', () => {
    const policy = { fallback_policy: 'complete_with_fallback' } as const;
    const short = describeSuspension(seen(recordWith({ ...policy, fallback_value: '`deny`' })));
    assert.match(short, /then `complete_with_fallback` with "\\`deny\\`"\n/);
    const long = describeSuspension(
      seen(recordWith({ ...policy, fallback_value: 'x'.repeat(500) })),
    );
    assert.match(long, /with "x{190,200}…\n/);
  });

  it('keep a question from being read as Markdown', () => {
    const text = describeSuspension(seen(recordWith({ question: '[a](b) <i>`x`</i>' })));
    assert.ok(text.includes('- Question: \\[a\\](b) \\<i\\>\\`x\\`\\</i\\>'), text);
  });
});

describe('summary', () => {
  it('is one line', () => {
    assert.equal(summaryOf(' Refund\n\norder\t1? '), 'Refund order 1?');
  });

  for (const character of ['é', '😀', '"']) {
    it(`is cut between characters: ${character}`, () => {
      const summary = summaryOf(character.repeat(500));
      assert.ok(Buffer.byteLength(summary) <= 303, summary);
      assert.equal(summary, `${character.repeat((summary.length - 1) / character.length)}…`);
    });
  }
});

describe('view of a suspension', () => {
  it('stands at attempt 1 before anything was due', () => {
    const view = seen(recordWith(LADDERED), 0);
    assert.deepEqual(
      [view.state, view.attempt, view.max_attempts, view.next_attempt_at],
      ['pending', 1, 2, '2026-03-24T11:00:00.000Z'],
    );
  });

  it('has no next attempt on the last one [AM-29]', () => {
    assert.equal(seen(recordWith(LADDERED), 2).next_attempt_at, null);
  });

  it('has no next attempt once settled', () => {
    const view = seen({ ...settledWith(), ...LADDERED });
    assert.deepEqual([view.state, view.next_attempt_at], ['settled', null]);
  });

  it('say who has claimed it, and until when', () => {
    const claim = { holder: 'ada_1', claimed_at: OPENED_AT, expires_at: OPENED_AT };
    const lines = describeSuspension({ ...seen(recordWith()), claim }).split('\n');
    assert.ok(lines.includes(`- Claimed by ada\\_1 until ${OPENED_AT}`), lines.join('\n'));
  });
});
