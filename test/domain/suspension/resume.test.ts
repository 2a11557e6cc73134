import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Caller } from '../../../contracts/people/caller.js';
import { judgeAnswer, type Answer } from '../../../domain/suspension/answering/answer.js';
import { isAnswer } from '../../../domain/suspension/record/message-form.js';
import { pauseEnd } from '../../../domain/suspension/asking/pause.js';
import {
  judgeReply,
  judgeSignal,
  resumptionOf,
} from '../../../domain/suspension/answering/resume.js';
import { isSettled, type SuspensionState } from '../../../domain/suspension/record/state.js';
import { caller } from '../../support/callers.js';
import { OPENED_AT, granted, recordWith, refused } from '../samples.js';
import { pausedWith, signalOf } from './pause-samples.js';

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
