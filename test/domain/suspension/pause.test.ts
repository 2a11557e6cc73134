import assert from 'node:assert/strict';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { PAUSE_REASONS } from '../../../contracts/constants/statuses.js';
import type { Caller } from '../../../contracts/people/caller.js';
import {
  type PauseBody,
  pauseRequestSchema,
} from '../../../contracts/suspension/pause-requests.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import { type Answer, judgeAnswer } from '../../../domain/suspension/answering/answer.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import {
  judgeReply,
  judgeSignal,
  resumptionOf,
} from '../../../domain/suspension/answering/resume.js';
import { isPauseRequest, pauseEnd, resolvePause } from '../../../domain/suspension/asking/pause.js';
import { scheduleOf } from '../../../domain/suspension/asking/schedule.js';
import { judgeEligibility } from '../../../domain/suspension/people/eligibility.js';
import { describeSuspension } from '../../../domain/suspension/record/details.js';
import { isAnswer } from '../../../domain/suspension/record/message-form.js';
import {
  isSettled,
  settleDue,
  type SuspensionState,
} from '../../../domain/suspension/record/state.js';
import { viewOf } from '../../../domain/suspension/record/view.js';
import { caller } from '../../support/callers.js';
import { granted, OPENED_AT, recordWith, refused, requestWith } from '../samples.js';
import { pausedWith, signalOf } from './pause-samples.js';

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

const AT = Date.parse(OPENED_AT) + 30_000;
const CRAWLER = caller('crawler');
const PAUSED: SuspensionState = {
  intent_id: null,
  record: pausedWith({ resumable_by: ['watcher'] }),
  attempt: 1,
};

function judge(answer: Answer, state = PAUSED, at = AT) {
  return judgeSignal(state, answer, at, 'crawler');
}

const resumedBy = (by: Caller) => granted(judge(signalOf(by))).state.record;

describe('a signal to a pause', () => {
  it('resumes it with its data [JC-46] [JC-50]', () => {
    const { state, verdict, repeated, accepted } = granted(judge(signalOf(CRAWLER)));
    const { record } = state;
    assert.ok(isSettled(record));
    assert.deepEqual([verdict, repeated], ['settled', false]);
    assert.deepEqual(pauseEnd(record), { outcome: 'resumed', data: { remaining: 500 } });
    assert.deepEqual(accepted.result.value, { remaining: 500 });
    assert.deepEqual(
      [record.resolution, record.settled_by, record.submitted_by, record.settled_at],
      ['responded', 'agent', 'crawler', '2026-03-24T10:00:30.000Z'],
    );
  });

  it('is for who opened it, whom it names, and admins', () => {
    assert.equal(resumedBy(CRAWLER).settled_by, 'agent');
    assert.equal(resumedBy(caller('watcher', 'operator')).settled_by, 'operator');
    assert.equal(resumedBy(caller('watcher', 'agent')).settled_by, 'agent');
    assert.equal(resumedBy(caller('watcher', 'user')).settled_by, 'user');
    assert.equal(resumedBy(caller('watcher', 'user', 'admin')).settled_by, 'user');
    assert.equal(resumedBy(caller('root', 'operator', 'admin')).settled_by, 'admin');
    assert.equal(resumedBy(caller('root', 'admin')).settled_by, 'admin');
    for (const role of ['agent', 'operator', 'user', 'auditor'] as const) {
      assert.equal(refused(judge(signalOf(caller('mallory', role)))).code, 'forbidden', role);
    }
    assert.equal(refused(judge(signalOf(caller('watcher', 'auditor')))).code, 'forbidden');
  });

  it('has to be the one that it waits for', () => {
    const other = judge(signalOf(CRAWLER, { resume_signal: 'job_done' }));
    const { code, field, accepted } = refused(other);
    assert.deepEqual(
      [code, field, accepted],
      ['resume_signal_mismatch', 'resume_signal', 'rate_limit_cleared'],
    );
  });

  it('counts once under its key, and comes too late under another [JC-45]', () => {
    const { state, accepted } = granted(judge(signalOf(CRAWLER)));
    const again = granted(judge(signalOf(CRAWLER, { resume_signal: 'any' }), state, AT + 1_000));
    assert.deepEqual([again.repeated, again.accepted], [true, accepted]);
    assert.equal(again.state, state);
    const late = signalOf(CRAWLER, { answer: { key: 'r:2', body_hash: '' } });
    assert.equal(refused(judge(late, state)).code, 'suspension_settled');
  });

  it('comes too late once the time is over [JC-45]', () => {
    const record = {
      ...PAUSED.record,
      resolution: 'expired',
      settled_by: 'clock',
      settled_at: OPENED_AT,
    } as const;
    const { code, state } = refused(judge(signalOf(CRAWLER), { ...PAUSED, record }));
    assert.deepEqual([code, state?.['resolution']], ['suspension_settled', 'expired']);
  });

  it('has data as large as an answer', () => {
    const most = 'x'.repeat(LIMITS.answerBytes - 2);
    granted(judge(signalOf(CRAWLER, { value: most })));
    const { code, field } = refused(judge(signalOf(CRAWLER, { value: `${most}x` })));
    assert.deepEqual([code, field], ['answer_too_large', 'data']);
  });

  it('settles no question, whoever sends it [JC-51]', () => {
    const state = { ...PAUSED, record: recordWith() };
    assert.equal(refused(judge(signalOf(CRAWLER), state)).code, 'forbidden');
    const { code, state: why } = refused(judge(signalOf(caller('alice', 'operator')), state));
    assert.deepEqual([code, why], ['reason_mismatch', { reason: 'human_input' }]);
  });

  it('has the form of a message', () => {
    assert.equal(isAnswer(signalOf(CRAWLER)), true);
    assert.equal(isAnswer({ ...signalOf(CRAWLER), resume_signal: 7 }), false);
  });
});

describe('an answer to a pause', () => {
  it('is refused, for nobody is asked', () => {
    const { resume_signal: _, ...answer } = signalOf(caller('alice', 'operator'));
    const { code, state } = refused(judgeAnswer(PAUSED, answer, AT));
    assert.deepEqual([code, state], ['reason_mismatch', { reason: 'rate_limit' }]);
    const admin = { ...answer, responded_by: 'root', by: caller('root', 'admin') };
    assert.equal(refused(judgeAnswer(PAUSED, admin, AT)).code, 'reason_mismatch');
  });
});

describe('a request to resume', () => {
  it('is a signal with data, or an answer [JC-51]', () => {
    const signal = { kind: 'signal', resume_signal: 'done', data: null };
    assert.deepEqual(granted(resumptionOf({ resume_signal: 'done' })), signal);
    const withData = granted(resumptionOf({ resume_signal: 'done', data: [1] }));
    assert.deepEqual(withData, { ...signal, data: [1] });
    const answer = granted(resumptionOf({ value: null, metadata: { note: 'ok' } }));
    assert.deepEqual(answer, { kind: 'answer', value: null });
    const both = granted(resumptionOf({ value: 'yes', data: { limit: 1 } }));
    assert.deepEqual(both, { kind: 'answer', value: 'yes', data: { limit: 1 } });
  });

  for (const [what, request, field] of [
    ['nothing', {}, 'resume_signal'],
    ['data alone', { data: 1 }, 'resume_signal'],
    ['both', { resume_signal: 'done', value: 'yes' }, 'value'],
    ['an answer whose data are no object', { value: 'yes', data: 1 }, 'data'],
    ['a signal in a name', { resume_signal: 'done', responded_by: 'bob' }, 'responded_by'],
  ] as const) {
    it(`is not ${what}`, () => {
      const refusal = refused(resumptionOf(request));
      assert.deepEqual([refusal.code, refusal.field], ['invalid_request', field]);
    });
  }
});

describe('a reply to a suspension', () => {
  const QUESTION: SuspensionState = {
    ...PAUSED,
    record: recordWith({ response_type: 'confirm', on_behalf_of: 'ursula' }),
  };
  const asked = { asked_by: 'crawler', asked_as: 'night crawler', record: QUESTION.record };
  const yes = (name: string): Answer => ({
    value: 'yes',
    responded_by: name,
    by: caller(name, 'operator'),
    separation_of_duties: true,
    answer: { key: `r:${name}`, body_hash: '' },
  });

  it('is judged as a signal if it is one, for who opened the pause', () => {
    const { state } = granted(judgeReply(PAUSED, signalOf(CRAWLER), AT, asked));
    assert.equal(state.record.settled_by, 'agent');
    const { code } = refused(judgeReply(QUESTION, signalOf(CRAWLER), AT, asked));
    assert.equal(code, 'forbidden');
  });

  it('is judged as an answer otherwise, and not of who asked or is asked for', () => {
    granted(judgeReply(QUESTION, yes('alice'), AT, asked));
    for (const name of ['crawler', 'night crawler', 'ursula']) {
      const { code } = refused(judgeReply(QUESTION, yes(name), AT, asked));
      assert.equal(code, 'not_eligible', name);
    }
  });
});
