import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import {
  submittedQuestion,
  type SubmittedQuestion,
} from '../../../domain/openintent/submitted-question.js';
import { granted, ID, refused } from '../samples.js';

const LIMITS = {
  attempts: 100,
  ladderEntries: 3,
  ladderEntriesPerAttempt: 2,
  choices: 3,
  questionBytes: 2_000,
  windowSeconds: 1_000_000,
};
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
    assert.deepEqual(once.record.retry_policy, {
      max_attempts: 1,
      strategy: 'fixed',
      escalation_ladder: [],
      final_fallback_policy: 'fail',
    });
    const timed = read({ timeout_seconds: 60 });
    assert.deepEqual(instants(timed), ['2026-11-20T10:00:00.123Z', '2026-11-20T10:01:00.123Z']);
  });

  it('keeps its first attempt if it ends before that', () => {
    const over = read({ expires_at: '2026-11-20T09:00:00' });
    assert.deepEqual(instants(over), ['2026-11-20T10:00:00.123Z', '2026-11-20T09:00:00.000Z']);
  });

  it('keeps channel and recipient of each ladder entry', () => {
    const escalation_ladder = [{ attempt: 2, channel_hint: 'email', notify_to: 'boss' }];
    const retry_policy = { max_attempts: 2, interval_seconds: 60, escalation_ladder };
    assert.deepEqual(
      read({ retry_policy }).record.retry_policy?.escalation_ladder,
      escalation_ladder,
    );
  });

  it('keeps its own fallback, with any value, and its confidence', () => {
    for (const fallback_value of [null, false, 0, '', { a: [1] }]) {
      const fields = { fallback_policy: 'use_default_and_continue', fallback_value };
      const { record } = read({ ...fields, confidence_at_suspension: 0.5 });
      assert.equal(record.fallback_policy, 'use_default_and_continue');
      assert.deepEqual(record.fallback_value, fallback_value);
      assert.equal(record.confidence_at_suspension, 0.5);
    }
    const { record } = read({ confidence_at_suspension: 'high' });
    assert.equal('confidence_at_suspension' in record || 'fallback_value' in record, false);
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

  it('is a choice question without choices if it says nothing else', () => {
    for (const response_type of [null, 'choice']) {
      const { record } = read({ response_type });
      assert.equal(record.response_type, 'choice');
      assert.equal('choices' in record, false);
    }
  });

  it('keeps what a choice says about itself, as far as it can be read', () => {
    const whole = {
      value: 'a',
      label: 'A',
      description: 'All of it',
      style: 'danger',
      metadata: { ticket: 7 },
    };
    const unreadable = { value: '', label: 7, description: '', style: 'loud', metadata: [] };
    const { record } = read({ response_type: 'choice', choices: [whole, unreadable] });
    assert.deepEqual(record.choices, [whole, { value: '', label: '' }]);
  });

  it('may reach its limits', () => {
    const expires_at = new Date(NOW + LIMITS.windowSeconds * 1_000).toISOString();
    assert.equal(read({ expires_at }).record.expires_at, expires_at);
    const retry_policy = { max_attempts: 100, interval_seconds: 10_000 };
    assert.equal(read({ retry_policy }).schedule.attempts.length, 100);
    const choices = ['a', 'b', 'c'].map((value) => ({ value }));
    assert.equal(read({ response_type: 'choice', choices }).record.choices?.length, 3);
    const escalation_ladder = [{ attempt: 1 }, { attempt: 2 }, { attempt: 2 }];
    const climbed = read({ retry_policy: { escalation_ladder } }).record.retry_policy;
    assert.equal(climbed?.escalation_ladder.length, 3);
  });

  it('has a size as a whole, unknown fields included', () => {
    const noteOf = (bytes: number): JsonObject => {
      const empty = jsonBytes(given({ note: '' }));
      return { note: 'x'.repeat(bytes - empty) };
    };
    read(noteOf(LIMITS.questionBytes));
    const large = given(noteOf(LIMITS.questionBytes + 1));
    const refusal = refused(submittedQuestion(large, NOW, LIMITS));
    assert.deepEqual(
      [refusal.code, refusal.field, refusal.accepted],
      ['invalid_patch', '_suspension', 'at most 2000 bytes of JSON'],
    );
  });

  const WRONG: readonly (readonly [field: string, fields: JsonObject])[] = [
    ['id', { id: ID.toUpperCase() }],
    ['id', { id: `${ID}0` }],
    ['id', { id: `0${ID}` }],
    ['id', { id: [ID] }],
    ['question', { question: '' }],
    ['question', { question: 7 }],
    ['response_type', { response_type: 'poll' }],
    ['response_type', { response_type: {} }],
    ['choices', { choices: [{ label: 'x' }] }],
    ['choices', { choices: [{ value: 'x' }, { label: 'y' }] }],
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
    [
      'retry_policy.escalation_ladder',
      { retry_policy: { escalation_ladder: [{ attempt: 2 }, { attempt: 2 }, { attempt: 2 }] } },
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

  for (const [title, fields, accepted] of [
    ['response_type', { response_type: 'poll' }, "one of: ['choice', 'confirm', 'text', 'form']"],
    [
      'fallback_policy',
      { fallback_policy: 'x' },
      'fail, complete_with_fallback, use_default_and_continue',
    ],
    [
      'final_fallback_policy',
      { retry_policy: { final_fallback_policy: 'x' } },
      'fail, complete_with_fallback, use_default_and_continue',
    ],
  ] as const) {
    it(`is refused with all that ${title} can be`, () => {
      assert.equal(refused(submittedQuestion(given(fields), NOW, LIMITS)).accepted, accepted);
    });
  }

  for (const [type, shown] of [
    ['poll', "'poll'"],
    [{ a: 1 }, '{"a":1}'],
  ] as const) {
    it(`is refused with the response_type ${shown}, in the words of the SDK`, () => {
      const { detail } = refused(submittedQuestion(given({ response_type: type }), NOW, LIMITS));
      const expected = "one of: ['choice', 'confirm', 'text', 'form']";
      assert.equal(detail, `Unknown response_type ${shown}. Expected ${expected}`);
    });
  }

  it('is refused where it is no object', () => {
    for (const slot of [undefined, null, 'x', [{}]] as (JsonValue | undefined)[]) {
      assert.equal(refused(submittedQuestion(slot, NOW, LIMITS)).field, '_suspension');
    }
  });
});
