import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { PAUSE_REASONS } from '../../../contracts/constants/statuses.js';
import {
  pauseRequestSchema,
  type PauseBody,
} from '../../../contracts/suspension/pause-requests.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import { describeSuspension } from '../../../domain/suspension/record/details.js';
import { judgeEligibility } from '../../../domain/suspension/people/eligibility.js';
import { isPauseRequest, pauseEnd, resolvePause } from '../../../domain/suspension/asking/pause.js';
import { scheduleOf } from '../../../domain/suspension/asking/schedule.js';
import { settleDue } from '../../../domain/suspension/record/state.js';
import { viewOf } from '../../../domain/suspension/record/view.js';
import { caller } from '../../support/callers.js';
import { OPENED_AT, granted, recordWith, refused, requestWith } from '../samples.js';
import { pausedWith } from './pause-samples.js';

const BODY: PauseBody = { reason: 'rate_limit', resume_signal: 'rate_limit_cleared' };

function resolve(fields: Partial<PauseBody> = {}) {
  return resolvePause(pauseRequestSchema.parse({ ...BODY, ...fields }), LIMITS);
}

const seen = (record = pausedWith()) =>
  viewOf(
    { intent_id: null, record, attempt: 1 },
    { asked_by: 'crawler', schedule: scheduleOf(record) },
    [],
  );

describe('a pause', () => {
  it('keeps reason, signal, timeout, outcome and metadata [JC-48]', () => {
    const metadata = { retry_after: 60 };
    const { draft, findings } = granted(resolve({ timeout_seconds: 60, metadata }));
    assert.deepEqual(draft.pause, {
      reason: 'rate_limit',
      resume_signal: 'rate_limit_cleared',
      resumable_by: [],
      timeout_outcome: 'timeout',
      metadata: { retry_after: 60 },
    });
    assert.equal(draft.timeout_seconds, 60);
    assert.deepEqual(findings, {});
  });

  for (const reason of PAUSE_REASONS) {
    it(`waits for a signal and asks nobody: ${reason} [JC-47] [JC-49]`, () => {
      const { draft } = granted(resolve({ reason }));
      const { approval, decision_rule, choices, channel_hint, retry_policy } = draft;
      assert.deepEqual(
        [approval, decision_rule, choices, channel_hint, retry_policy],
        Array(5).fill(undefined),
      );
      assert.equal(draft.pause?.reason, reason);
      assert.match(draft.question, /: rate_limit_cleared$/);
    });
  }

  it('is what a reason says, and a question is human_input [JC-47]', () => {
    assert.equal(isPauseRequest(pauseRequestSchema.parse(BODY)), true);
    assert.equal(isPauseRequest(requestWith()), false);
    assert.equal(isPauseRequest(requestWith({ reason: 'human_input' })), false);
    assert.equal(pauseRequestSchema.safeParse({ ...BODY, reason: 'human_input' }).success, false);
    assert.equal(pauseRequestSchema.safeParse({ ...BODY, reason: 'weather' }).success, false);
  });

  it('names each principal that may resume it once', () => {
    const { draft } = granted(resolve({ resumable_by: ['watcher', 'job', 'watcher'] }));
    assert.deepEqual(draft.pause?.resumable_by, ['watcher', 'job']);
  });

  it('has a timeout outcome that no resumption has', () => {
    const { code, field } = refused(resolve({ timeout_outcome: 'resumed' }));
    assert.deepEqual([code, field], ['invalid_request', 'timeout_outcome']);
    assert.equal(
      granted(resolve({ timeout_outcome: 'skip' })).draft.pause?.timeout_outcome,
      'skip',
    );
  });

  it('has limits, as a question has', () => {
    const most = 'x'.repeat(LIMITS.contextBytes - JSON.stringify({ x: '' }).length);
    granted(resolve({ metadata: { x: most } }));
    const { code, field } = refused(resolve({ metadata: { x: `${most}x` } }));
    assert.deepEqual([code, field], ['invalid_request', 'metadata']);
    const resumable_by = Array.from({ length: 100 }, (_, n) => `${n}${'ö'.repeat(197)}`);
    const whole = resolve({ metadata: { x: most }, resumable_by });
    assert.equal(refused(whole).code, 'question_too_large');
  });

  it('notifies nobody, and expires at its time [JC-45]', () => {
    const record = pausedWith();
    const schedule = scheduleOf(record);
    const state = { intent_id: null, record, attempt: 0 };
    const at = Date.parse(OPENED_AT);
    const opened = settleDue(state, schedule, at);
    assert.deepEqual([opened.attempts, opened.state.attempt, opened.expired], [[], 1, false]);
    assert.equal(settleDue(state, schedule, at + 59_999).expired, false);
    const { expired, state: after, attempts } = settleDue(state, schedule, at + 60_000);
    assert.deepEqual([expired, attempts], [true, []]);
    const end = pauseEnd(after.record as SettledRecord);
    assert.deepEqual(end, { outcome: 'timeout', data: null });
  });

  it('lets nobody change who may answer', () => {
    const state = { intent_id: null, record: pausedWith(), attempt: 1 };
    const change = { by: caller('root', 'admin'), eligible: {} };
    assert.equal(refused(judgeEligibility(state, change, 0)).code, 'reason_mismatch');
    granted(judgeEligibility({ ...state, record: recordWith() }, change, 0));
    assert.deepEqual(DEFAULT_RULE.eligible, {});
  });
});

describe('details of a pause', () => {
  it('name the signal, who may send it, and what silence leads to', () => {
    const record = pausedWith({ resumable_by: ['watcher'], timeout_outcome: 'skip' });
    assert.equal(
      describeSuspension(seen(record)),
      [
        '**Waiting for rate\\_limit\\_cleared**',
        '',
        '- Expires: 2026-03-24T10:01:00.000Z, then `skip`',
        '- Also resumed by watcher',
        '- Asked by crawler',
        '- Question: Waits for a rate limit: rate\\_limit\\_cleared',
      ].join('\n'),
    );
  });

  it('name the outcome once its time is over', () => {
    const record: SettledRecord = {
      ...pausedWith(),
      resolution: 'expired',
      settled_by: 'clock',
      settled_at: '2026-03-24T10:01:00.000Z',
    };
    const [first] = describeSuspension(seen(record)).split('\n');
    assert.equal(first, '**expired** at 2026-03-24T10:01:00.000Z, outcome `timeout`');
  });

  it('name no time where there is none', () => {
    const { expires_at: _, timeout_seconds: __, ...endless } = pausedWith();
    assert.match(describeSuspension(seen(endless)), /^- Expires: never, then `timeout`$/m);
  });
});
