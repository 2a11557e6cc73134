import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { submittedQuestion } from '../../../domain/openintent/submitted-question.js';
import type { SubmittedQuestion } from '../../../domain/openintent/submitted-question.js';
import { granted, ID, refused } from '../samples.js';

const LIMITS = { attempts: 100, ladderEntries: 2, choices: 3, windowSeconds: 1_000_000 };
const AT = '2026-11-20T10:00:00.123456';
const NOW = Date.parse('2026-11-20T10:00:01.000Z');

const given = (fields: JsonObject = {}): JsonObject => ({
  id: ID,
  question: 'Refund?',
  response_type: 'text',
  suspended_at: AT,
  ...fields,
});
const read = (fields: JsonObject = {}): SubmittedQuestion =>
  granted(submittedQuestion(given(fields), NOW, LIMITS));
const instants = ({ schedule }: SubmittedQuestion) => [
  ...schedule.attempts.map(({ at }) => at),
  schedule.expires_at ?? null,
];

describe('a given question', () => {
  it('is read with zones and without what was left out', () => {
    const { record } = read({ context: {}, channel_hint: null, timeout_seconds: null });
    assert.deepEqual(record, {
      id: ID,
      question: 'Refund?',
      response_type: 'text',
      context: {},
      suspended_at: '2026-11-20T10:00:00.123Z',
      fallback_policy: 'fail',
    });
    assert.equal(read({ suspended_at: null }).record.suspended_at, '2026-11-20T10:00:01.000Z');
  });

  it('follows its policy, whose fallback counts before its own [R26-36]', () => {
    const retry_policy = {
      max_attempts: 3,
      interval_seconds: 60,
      strategy: 'exponential',
      final_fallback_policy: 'complete_with_fallback',
      escalation_ladder: [{ attempt: 2, channel_hint: '', notify_to: '' }],
    };
    const question = read({ retry_policy, channel_hint: 'slack', timeout_seconds: 5 });
    assert.equal(question.record.fallback_policy, 'complete_with_fallback');
    assert.deepEqual(question.record.retry_policy, {
      max_attempts: 3,
      interval_seconds: 60,
      strategy: 'fixed',
      escalation_ladder: [{ attempt: 2, channel_hint: '', notify_to: null }],
      final_fallback_policy: 'complete_with_fallback',
    });
    assert.deepEqual(instants(question), [
      '2026-11-20T10:00:00.123Z',
      '2026-11-20T10:01:00.123Z',
      '2026-11-20T10:02:00.123Z',
      '2026-11-20T10:03:00.123Z',
    ]);
    assert.equal(question.schedule.attempts[1]?.channel_hint, 'slack');
    assert.equal(question.record.expires_at, '2026-11-20T10:03:00.123Z');
  });

  it('has no message of a ladder entry before its first attempt', () => {
    const escalation_ladder = [0, -1].map((attempt) => ({ attempt, notify_to: 'boss' }));
    const retry_policy = { max_attempts: 2, interval_seconds: 60, escalation_ladder };
    const { record, schedule } = read({ retry_policy });
    assert.deepEqual(record.retry_policy?.escalation_ladder, []);
    assert.deepEqual(
      schedule.attempts.map(({ ladder, notify_to }) => [ladder, notify_to]),
      [
        [[], null],
        [[], null],
      ],
    );
  });

  it('ends when it says, and has no attempt after that', () => {
    const retry_policy = { max_attempts: 3, interval_seconds: 60 };
    const question = read({ retry_policy, expires_at: '2026-11-20T10:02:00.123456' });
    assert.deepEqual(instants(question), [
      '2026-11-20T10:00:00.123Z',
      '2026-11-20T10:01:00.123Z',
      '2026-11-20T10:02:00.123Z',
    ]);
    assert.equal(question.schedule.attempts.at(-1)?.next_attempt_at, null);
  });

  it('has one attempt without an interval, and no end without a time', () => {
    const once = read({ retry_policy: { max_attempts: 3, interval_seconds: 0 } });
    assert.deepEqual(instants(once), ['2026-11-20T10:00:00.123Z', null]);
    const timed = read({ timeout_seconds: 60 });
    assert.deepEqual(instants(timed), ['2026-11-20T10:00:00.123Z', '2026-11-20T10:01:00.123Z']);
  });

  it('is told at once where the clock of its agent is ahead', () => {
    const ahead = read({ suspended_at: '2026-11-20T11:00:00', timeout_seconds: 60 });
    assert.deepEqual(instants(ahead), ['2026-11-20T10:00:01.000Z', '2026-11-20T10:01:01.000Z']);
    assert.equal(ahead.record.suspended_at, '2026-11-20T11:00:00.000Z');
  });

  it('offers what can be taken', () => {
    const choices = [{ value: 'no', label: 'Never', style: 'loud' }, { value: 'maybe' }];
    const offered = (response_type: string) => read({ response_type, choices }).record.choices;
    assert.deepEqual(offered('confirm'), [
      { value: 'yes', label: 'Yes' },
      { value: 'no', label: 'Never' },
    ]);
    assert.deepEqual(offered('choice'), [
      { value: 'no', label: 'Never' },
      { value: 'maybe', label: 'maybe' },
    ]);
    assert.equal(offered('form'), undefined);
  });

  const WRONG: readonly (readonly [field: string, fields: JsonObject])[] = [
    ['id', { id: ID.toUpperCase() }],
    ['question', { question: '' }],
    ['response_type', { response_type: 'poll' }],
    ['response_type', { response_type: {} }],
    ['choices', { choices: [{ label: 'x' }] }],
    ['choices', { choices: ['a', 'b', 'c', 'd'].map((value) => ({ value })) }],
    ['choices', { choices: { value: 'x' } }],
    ['context', { context: [] }],
    ['suspended_at', { suspended_at: 'now' }],
    ['suspended_at', { suspended_at: '+010000-01-01T00:00:00Z' }],
    ['expires_at', { expires_at: 7 }],
    ['expires_at', { expires_at: '0000-01-01T00:00:00' }],
    ['expires_at', { expires_at: '2026-12-31T10:00:00' }],
    ['timeout_seconds', { timeout_seconds: 1.5 }],
    ['fallback_policy', { fallback_policy: 'x' }],
    ['retry_policy', { retry_policy: 'x' }],
    ['retry_policy.max_attempts', { retry_policy: { max_attempts: 101 } }],
    ['retry_policy.interval_seconds', { retry_policy: { interval_seconds: -1 } }],
    ['retry_policy', { retry_policy: { max_attempts: 100, interval_seconds: 20_000 } }],
    [
      'retry_policy.escalation_ladder',
      { retry_policy: { escalation_ladder: [{ channel_hint: 'x' }] } },
    ],
    ['retry_policy.final_fallback_policy', { retry_policy: { final_fallback_policy: 'x' } }],
  ];
  for (const [field, fields] of WRONG) {
    it(`is refused for ${JSON.stringify(fields).slice(0, 60)}`, () => {
      const refusal = refused(submittedQuestion(given(fields), NOW, LIMITS));
      assert.deepEqual([refusal.code, refusal.field], ['invalid_patch', `_suspension.${field}`]);
      assert.ok(refusal.accepted);
    });
  }

  it('is refused where it is no object', () => {
    for (const slot of [undefined, null, 'x', [{}]] as (JsonValue | undefined)[]) {
      assert.equal(refused(submittedQuestion(slot, NOW, LIMITS)).field, '_suspension');
    }
  });
});
