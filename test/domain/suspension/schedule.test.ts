import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { HumanRetryPolicy, Schedule } from '../../../contracts/suspension/retry-policy.js';
import { plusSeconds, toInstant, toMillis } from '../../../domain/kernel/time.js';
import {
  nextInstant,
  openRecord,
  positionAt,
  scheduleOf,
} from '../../../domain/suspension/asking/schedule.js';
import { ID, OPENED_AT } from '../samples.js';

const START = toMillis(OPENED_AT);

function at(seconds: number): number {
  return START + seconds * 1000;
}

function policyWith(fields: Partial<HumanRetryPolicy> = {}): HumanRetryPolicy {
  return {
    max_attempts: 3,
    interval_seconds: 3600,
    strategy: 'fixed',
    escalation_ladder: [
      { attempt: 2, channel_hint: 'email', notify_to: null },
      { attempt: 3, channel_hint: 'pagerduty', notify_to: 'supervisor@example.com' },
    ],
    final_fallback_policy: 'fail',
    ...fields,
  };
}

function scheduleWith(fields: Partial<HumanRetryPolicy> = {}): Schedule {
  return scheduleOf({
    suspended_at: OPENED_AT,
    channel_hint: 'slack',
    timeout_seconds: 7200,
    retry_policy: policyWith(fields),
  });
}

/** Any schedule with a window, its number of attempts and its window. */
const anySchedule = fc
  .record({
    attempts: fc.integer({ min: 1, max: 100 }),
    window: fc.integer({ min: 1, max: 31_557_600 }),
    start: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  })
  .map((given) => ({
    ...given,
    schedule: scheduleOf({
      suspended_at: toInstant(given.start),
      retry_policy: policyWith({ max_attempts: given.attempts, interval_seconds: given.window }),
    }),
  }));

describe('the schedule of a question', () => {
  it('follows the example of the specification exactly, by the interval and not the timeout [AM-20, R25-44, R26-42, R26-45, R26-46, R26-48, R26-49]', () => {
    assert.deepEqual(scheduleWith(), {
      attempts: [
        {
          attempt: 1,
          at: '2026-03-24T10:00:00.000Z',
          next_attempt_at: '2026-03-24T11:00:00.000Z',
          channel_hint: 'slack',
          notify_to: null,
          ladder: [],
        },
        {
          attempt: 2,
          at: '2026-03-24T11:00:00.000Z',
          next_attempt_at: '2026-03-24T12:00:00.000Z',
          channel_hint: 'email',
          notify_to: null,
          ladder: [{ attempt: 2, channel_hint: 'email', notify_to: null }],
        },
        {
          attempt: 3,
          at: '2026-03-24T12:00:00.000Z',
          next_attempt_at: null,
          channel_hint: 'pagerduty',
          notify_to: 'supervisor@example.com',
          ladder: [{ attempt: 3, channel_hint: 'pagerduty', notify_to: 'supervisor@example.com' }],
        },
      ],
      expires_at: '2026-03-24T13:00:00.000Z',
    });
  });

  it('puts attempt n after n - 1 windows and expires a window after the last [R26-44, R26-47, R26-49]', () => {
    fc.assert(
      fc.property(anySchedule, ({ attempts, window, start, schedule }) => {
        assert.deepEqual(
          schedule.attempts.map((entry) => toMillis(entry.at)),
          Array.from({ length: attempts }, (_, index) => start + index * window * 1000),
        );
        const last = schedule.attempts.at(-1);
        assert.equal(schedule.expires_at, plusSeconds(last?.at ?? '', window));
      }),
    );
  });

  it('names the attempt after each, and none after the last [AM-29]', () => {
    fc.assert(
      fc.property(anySchedule, ({ schedule }) => {
        assert.deepEqual(
          schedule.attempts.map((entry) => entry.next_attempt_at),
          [...schedule.attempts.slice(1).map((entry) => entry.at), null],
        );
      }),
    );
  });

  it('takes the timeout for the window without an interval [AM-20, R25-42, R26-43]', () => {
    const { interval_seconds: _, ...retry_policy } = policyWith({ max_attempts: 2 });
    const schedule = scheduleOf({ suspended_at: OPENED_AT, timeout_seconds: 60, retry_policy });
    assert.equal(schedule.attempts[1]?.at, '2026-03-24T10:01:00.000Z');
    assert.equal(schedule.expires_at, '2026-03-24T10:02:00.000Z');
  });

  it('is one attempt and the timeout without a policy [R25-44, R25-47, R26-52]', () => {
    const schedule = scheduleOf({ suspended_at: OPENED_AT, timeout_seconds: 600 });
    assert.deepEqual(
      schedule.attempts.map(({ ladder }) => ladder),
      [[]],
    );
    assert.equal(schedule.expires_at, '2026-03-24T10:10:00.000Z');
  });

  it('never expires without any window [R25-43, AM-19]', () => {
    const { interval_seconds: _, ...retry_policy } = policyWith({ max_attempts: 3 });
    for (const fields of [{}, { retry_policy }]) {
      const schedule = scheduleOf({ suspended_at: OPENED_AT, ...fields });
      assert.equal(schedule.attempts.length, 1);
      assert.equal('expires_at' in schedule, false);
      assert.equal(positionAt(schedule, at(1e9)).expired, false);
      assert.equal(nextInstant(schedule, START), undefined);
    }
  });
});

describe('the escalation ladder in a schedule', () => {
  it('lets the last of several entries name channel and recipient [AM-27, R26-46]', () => {
    const escalation_ladder = [
      { attempt: 2, channel_hint: 'email', notify_to: 'first@example.com' },
      { attempt: 2, channel_hint: 'sms', notify_to: 'second@example.com' },
      { attempt: 2, channel_hint: 'pagerduty', notify_to: null },
      { attempt: 2, channel_hint: 'phone' },
    ];
    const attempt = scheduleWith({ escalation_ladder }).attempts[1];
    assert.equal(attempt?.channel_hint, 'phone');
    assert.equal(attempt.notify_to, 'second@example.com');
    assert.deepEqual(attempt.ladder, escalation_ladder);
  });

  it('counts for attempt 1 too [AM-27]', () => {
    const escalation_ladder = [{ attempt: 1, channel_hint: 'email', notify_to: 'a@example.com' }];
    const attempt = scheduleWith({ escalation_ladder }).attempts[0];
    assert.equal(attempt?.channel_hint, 'email');
    assert.equal(attempt.notify_to, 'a@example.com');
    assert.deepEqual(attempt.ladder, escalation_ladder);
  });

  it('leaves out entries beyond the last attempt [AM-27]', () => {
    const attempts = scheduleWith({ max_attempts: 2 }).attempts;
    assert.deepEqual(
      attempts.flatMap((attempt) => attempt.ladder.map((entry) => entry.attempt)),
      [2],
    );
  });

  it('is not sticky: a later attempt goes back to the record [AM-28]', () => {
    const escalation_ladder = [{ attempt: 2, channel_hint: 'email', notify_to: 'a@example.com' }];
    const attempt = scheduleWith({ escalation_ladder }).attempts[2];
    assert.equal(attempt?.channel_hint, 'slack');
    assert.equal(attempt.notify_to, null);
  });

  it('leaves the channel null where nobody names one', () => {
    const schedule = scheduleOf({ suspended_at: OPENED_AT, retry_policy: policyWith() });
    assert.deepEqual(
      schedule.attempts.map((attempt) => attempt.channel_hint),
      [null, 'email', 'pagerduty'],
    );
  });
});

describe('the position in a schedule', () => {
  const SECOND = '2026-03-24T11:00:00.000Z';
  const THIRD = '2026-03-24T12:00:00.000Z';
  const END = '2026-03-24T13:00:00.000Z';
  const TABLE: readonly [number, number, string | null, boolean, string | undefined][] = [
    [START - 1, 0, OPENED_AT, false, OPENED_AT],
    [START, 1, SECOND, false, SECOND],
    [at(3600) - 1, 1, SECOND, false, SECOND],
    [at(3600), 2, THIRD, false, THIRD],
    [at(7200) - 1, 2, THIRD, false, THIRD],
    [at(7200), 3, null, false, END],
    [at(10800) - 1, 3, null, false, END],
    [at(10800), 3, null, true, undefined],
    [at(99999), 3, null, true, undefined],
  ];
  for (const [now, attempt, next_attempt_at, expired, next] of TABLE) {
    it(`at ${toInstant(now)} is attempt ${attempt}${expired ? ', expired' : ''} [R26-44, R26-49, AM-29]`, () => {
      const schedule = scheduleWith();
      assert.deepEqual(positionAt(schedule, now), { attempt, next_attempt_at, expired });
      assert.equal(nextInstant(schedule, now), next);
    });
  }

  it('never goes back as time goes on [R26-49]', () => {
    const moment = fc.integer({ min: -10, max: 3_200_000_000 });
    fc.assert(
      fc.property(anySchedule, moment, moment, ({ schedule, start }, a, b) => {
        const earlier = positionAt(schedule, start + Math.min(a, b) * 1000);
        const later = positionAt(schedule, start + Math.max(a, b) * 1000);
        assert.ok(earlier.attempt <= later.attempt);
        assert.ok(!earlier.expired || later.expired);
      }),
    );
  });

  it('passes every instant once when walked from one to the next [R26-47, R26-49]', () => {
    fc.assert(
      fc.property(anySchedule, ({ schedule, start }) => {
        const walked: string[] = [];
        let next = nextInstant(schedule, start - 1);
        while (next !== undefined) {
          walked.push(next);
          next = nextInstant(schedule, toMillis(next));
        }
        const planned = [...schedule.attempts.map((attempt) => attempt.at), schedule.expires_at];
        assert.deepEqual(walked, planned);
      }),
    );
  });
});

describe('an opened record', () => {
  const DRAFT = {
    question: 'Refund?',
    response_type: 'text' as const,
    fallback_policy: 'fail' as const,
    channel_hint: 'slack',
    timeout_seconds: 3600,
    retry_policy: policyWith(),
  };

  it('carries the total deadline beside its draft [R25-35, R25-41, R25-44, R26-48]', () => {
    const { record, schedule } = openRecord(DRAFT, ID, OPENED_AT);
    const expires_at = '2026-03-24T13:00:00.000Z';
    assert.deepEqual(record, { ...DRAFT, id: ID, suspended_at: OPENED_AT, expires_at });
    assert.deepEqual(schedule, scheduleOf(record));
  });

  it('has no deadline where it never expires [R25-43]', () => {
    const { timeout_seconds: _, retry_policy: __, ...draft } = DRAFT;
    const { record } = openRecord(draft, ID, OPENED_AT);
    assert.deepEqual(record, { ...draft, id: ID, suspended_at: OPENED_AT });
  });
});
