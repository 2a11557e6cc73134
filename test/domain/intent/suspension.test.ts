import assert from 'node:assert/strict';
import {
  PORTFOLIO_DEADLINE,
  PORTFOLIO_DEADLINE_EXCEEDED,
} from '../../../contracts/constants/statuses.js';
import type { Intent, IntentStatus } from '../../../contracts/intent/intent.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import type { ScheduledAttempt } from '../../../contracts/suspension/retry-policy.js';
import { newIntent } from '../../../domain/intent/entity.js';
import {
  abandonForDeadline,
  beginSuspension,
  checkSuspendable,
  endSuspension,
} from '../../../domain/intent/suspension.js';
import { attemptEvents, CLOCK_ACTOR } from '../../../domain/suspension/record/events.js';
import { scheduleOf } from '../../../domain/suspension/asking/schedule.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { granted, ID, INTENT_ID, OPENED_AT, recordWith, refused, settledWith } from '../samples.js';

const LATER = '2026-03-24T10:30:00.000Z';
const DRAFT = { question: 'Refund?', response_type: 'text', fallback_policy: 'fail' } as const;
const INTENT: Intent = {
  ...newIntent(
    { title: 'Refund', status: 'active', state: { order: 12 }, constraints: {} },
    { id: INTENT_ID, created_by: 'agent-1', owner: 'agent-1', created_at: OPENED_AT },
  ),
  version: 4,
};
const SUSPENDED = beginSuspension(INTENT, recordWith(), scheduleOf(recordWith()), 'a').intent;

describe('asking', () => {
  const CODES: Readonly<Record<IntentStatus, string>> = {
    draft: 'intent_not_active',
    active: 'granted',
    blocked: 'intent_not_active',
    suspended_awaiting_input: 'intent_suspended',
    completed: 'intent_closed',
    abandoned: 'intent_closed',
  };
  for (const [status, code] of Object.entries(CODES) as [IntentStatus, string][]) {
    it(`is ${code} when ${status} [R25-05, AM-32]`, () => {
      const ruling = checkSuspendable({ ...INTENT, status }, DRAFT, 100_000);
      assert.equal(ruling.ok ? 'granted' : ruling.refusal.code, code);
    });
  }

  it('needs room for the state, the question and 2,048 bytes around it', () => {
    const bytes = jsonBytes({ order: 12 }) + jsonBytes(DRAFT) + 2_048;
    assert.equal(granted(checkSuspendable(INTENT, DRAFT, bytes)), true);
    const refusal = refused(checkSuspendable(INTENT, DRAFT, bytes - 1));
    const accepted = `at most ${bytes - 1} bytes of state`;
    assert.deepEqual([refusal.code, refusal.accepted], ['state_too_large', accepted]);
  });

  it('is refused with the status of the intent', () => {
    for (const status of ['blocked', 'suspended_awaiting_input', 'completed'] as const) {
      const { state } = refused(checkSuspendable({ ...INTENT, status }, DRAFT, 100_000));
      assert.deepEqual(state, { intent_status: status });
    }
  });

  it('does not count the question that it replaces', () => {
    const context = { long: 'x'.repeat(1_000) };
    const state = { order: 12, _suspension: { id: ID, context } };
    assert.equal(granted(checkSuspendable({ ...INTENT, state }, DRAFT, 2_500)), true);
  });
});

describe('a suspension that begins', () => {
  it('puts the record into the state, two versions on [R25-34]', () => {
    const { intent } = beginSuspension(INTENT, recordWith(), scheduleOf(recordWith()), 'agent-1');
    assert.deepEqual(intent, {
      ...INTENT,
      status: 'suspended_awaiting_input',
      version: 6,
      updated_at: OPENED_AT,
      state: { order: 12, _suspension: recordWith() },
    });
  });

  it('escalates attempt 1 after it was announced [AM-27]', () => {
    const record = recordWith({
      retry_policy: {
        max_attempts: 2,
        interval_seconds: 60,
        strategy: 'fixed',
        escalation_ladder: [
          { attempt: 1, channel_hint: 'email' },
          { attempt: 1, channel_hint: 'sms' },
          { attempt: 2, channel_hint: 'pagerduty' },
        ],
        final_fallback_policy: 'fail',
      },
    });
    const { events } = beginSuspension(INTENT, record, scheduleOf(record), 'agent-1');
    assert.deepEqual(
      events.map(({ event_type, actor, payload }) => [event_type, actor, payload['channel_hint']]),
      [
        ['intent.suspended', 'agent-1', undefined],
        ['intent.suspension_escalated', CLOCK_ACTOR, 'email'],
        ['intent.suspension_escalated', CLOCK_ACTOR, 'sms'],
      ],
    );
  });
});

describe('an attempt', () => {
  const ATTEMPT: ScheduledAttempt = {
    attempt: 2,
    at: LATER,
    next_attempt_at: null,
    channel_hint: 'email',
    notify_to: null,
    ladder: [{ attempt: 2, channel_hint: 'email' }],
  };

  it('is told before its escalations [AM-26]', () => {
    assert.deepEqual(
      attemptEvents(ID, ATTEMPT, 2, false).map(({ event_type }) => event_type),
      ['intent.suspension_renotified', 'intent.suspension_escalated'],
    );
  });

  it('has no escalation where it was skipped [AM-48]', () => {
    const [renotified, ...rest] = attemptEvents(ID, ATTEMPT, 2, true);
    assert.deepEqual(rest, []);
    assert.equal(renotified?.payload['skipped'], true);
  });
});

describe('a suspension that ends', () => {
  const expired = { resolution: 'expired', settled_by: 'clock' } as const;
  const RESUMED = 'intent.resumed';
  const EXPIRED = 'intent.suspension_expired';
  const CANCELLED = 'intent.suspension_cancelled';
  const CHANGED = 'status_changed';
  type Ending = readonly [
    name: string,
    fields: Partial<SettledRecord>,
    alone: readonly [status: string, version: number, why: string | undefined, events: string[]],
    abandoning: readonly [
      status: string,
      version: number,
      why: string | undefined,
      events: string[],
    ],
  ];
  const ENDINGS: readonly Ending[] = [
    [
      'answered [R25-06, R25-54]',
      {},
      ['active', 8, undefined, [RESUMED]],
      ['abandoned', 9, 'no budget', [RESUMED, CHANGED]],
    ],
    [
      'expired with a value [AM-03]',
      { ...expired, fallback_policy: 'complete_with_fallback' },
      ['active', 8, undefined, [EXPIRED, CHANGED]],
      ['abandoned', 8, 'no budget', [EXPIRED, CHANGED]],
    ],
    [
      'expired with a default [AM-04]',
      { ...expired, fallback_policy: 'use_default_and_continue' },
      ['active', 8, undefined, [EXPIRED, CHANGED]],
      ['abandoned', 8, 'no budget', [EXPIRED, CHANGED]],
    ],
    [
      'expired with fail [AM-02]',
      expired,
      ['abandoned', 8, 'suspension_expired', [EXPIRED, CHANGED]],
      ['abandoned', 8, 'suspension_expired', [EXPIRED, CHANGED]],
    ],
    [
      'cancelled [AM-34]',
      { resolution: 'cancelled', settled_by: 'agent', submitted_by: 'agent-1' },
      ['active', 8, undefined, [CANCELLED, CHANGED]],
      ['abandoned', 8, 'no budget', [CANCELLED, CHANGED]],
    ],
  ];
  const ABANDONING = { actor: 'bob', principal: 'key-of-bob', reason: 'no budget' };

  for (const [name, fields, alone, abandoning] of ENDINGS) {
    for (const [how, expected, request] of [
      ['', alone, undefined],
      ['while it is abandoned, ', abandoning, ABANDONING],
    ] as const) {
      it(`goes on as it must: ${how}${name}`, () => {
        const record = settledWith(fields);
        const { intent, events } = endSuspension(SUSPENDED, record, 1, LATER, {
          ...(request && { abandoning: request }),
        });
        const types = events.map(({ event_type }) => event_type);
        assert.deepEqual(
          [intent.status, intent.version, intent.abandonment_reason, types],
          [...expected],
        );
        assert.deepEqual(intent.state, { order: 12, _suspension: record });
        assert.equal(intent.updated_at, LATER);
        const changed = events.filter(({ event_type }) => event_type === CHANGED);
        for (const { payload } of changed) {
          assert.deepEqual(
            [payload['status'], payload['version']],
            [intent.status, intent.version],
          );
        }
      });
    }
  }

  const REASONS: readonly (readonly [Partial<SettledRecord>, string])[] = [
    [expired, 'suspension_expired'],
    [{ ...expired, fallback_policy: 'complete_with_fallback' }, 'suspension_fallback'],
    [{ resolution: 'cancelled', settled_by: 'agent' }, 'suspension_cancelled'],
    [{ ...expired, reason: PORTFOLIO_DEADLINE }, PORTFOLIO_DEADLINE_EXCEEDED],
  ];
  for (const [fields, reason] of REASONS) {
    it(`changes the status for the reason ${reason}`, () => {
      const { events } = endSuspension(SUSPENDED, settledWith(fields), 1, LATER);
      assert.equal(events[1]?.payload['reason'], reason);
    });
  }

  it('is abandoned at the deadline of its portfolio, whatever the fallback is [R26-27, R26-28]', () => {
    const fields = { ...expired, fallback_policy: 'complete_with_fallback' } as const;
    const record = settledWith({ ...fields, reason: PORTFOLIO_DEADLINE });
    const { intent } = endSuspension(SUSPENDED, record, 1, LATER);
    assert.deepEqual(
      [intent.status, intent.abandonment_reason],
      ['abandoned', PORTFOLIO_DEADLINE_EXCEEDED],
    );
  });

  it('is abandoned by the one who asked for it, without a reason if none is given', () => {
    const bob = { actor: 'bob', principal: 'key-of-bob' };
    const { intent, events } = endSuspension(SUSPENDED, settledWith(), 1, LATER, {
      abandoning: bob,
    });
    assert.ok(!('abandonment_reason' in intent));
    assert.deepEqual(events[1], {
      event_type: 'status_changed',
      ...bob,
      payload: { status: 'abandoned', version: 9 },
    });
  });

  it('records whose key settled it, and nobody where the clock did', () => {
    const ends = [
      settledWith({ submitted_by: 'root' }),
      settledWith({ resolution: 'cancelled', settled_by: 'admin', submitted_by: 'root' }),
      settledWith(expired),
    ];
    const principals = ends.map((record) =>
      endSuspension(SUSPENDED, record, 1, LATER).events.map(({ principal }) => principal),
    );
    assert.deepEqual(principals, [['root'], ['root', 'root'], [undefined, undefined]]);
  });

  it('names whoever did it as the actor', () => {
    const ends = [
      settledWith(),
      settledWith(expired),
      settledWith({ resolution: 'cancelled', settled_by: 'admin', submitted_by: 'root' }),
      settledWith({ resolution: 'cancelled', settled_by: 'admin' }),
    ];
    assert.deepEqual(
      ends.map((record) => endSuspension(SUSPENDED, record, 1, LATER).events[0]?.actor),
      ['alice@example.com', CLOCK_ACTOR, 'root', CLOCK_ACTOR],
    );
  });
});

describe('a suspension whose question never came, at the deadline of the portfolio', () => {
  const earlier = '2026-03-24T09:59:59.999Z';
  const moved = (intent: Intent, since: string | undefined, deadline: string) =>
    abandonForDeadline(intent, since, deadline, LATER);

  it('is abandoned if it began before the deadline or at it [R26-27]', () => {
    for (const deadline of [OPENED_AT, LATER]) {
      const change = moved(SUSPENDED, OPENED_AT, deadline) ?? assert.fail();
      assert.deepEqual(
        [change.intent.status, change.intent.version, change.intent.abandonment_reason],
        ['abandoned', 7, PORTFOLIO_DEADLINE_EXCEEDED],
      );
      assert.deepEqual(
        change.events.map(({ actor }) => actor),
        [CLOCK_ACTOR],
      );
    }
  });

  it('goes on if it began after the deadline, or nobody knows when', () => {
    assert.equal(moved(SUSPENDED, OPENED_AT, earlier), undefined);
    assert.equal(moved(SUSPENDED, undefined, LATER), undefined);
  });

  it('leaves an intent alone that is not suspended', () => {
    assert.equal(moved(INTENT, OPENED_AT, LATER), undefined);
  });
});
