import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { judgeSnooze } from '../../../domain/suspension/people/snooze.js';
import { plusSeconds, toInstant } from '../../../domain/kernel/time.js';
import { ID, INTENT_ID, recordWith } from '../samples.js';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const at = (seconds: number) => plusSeconds(toInstant(NOW), seconds);

/** A question that expires after an hour and reminds after ten minutes, in its third version. */
function question(changes: object = {}, next_attempt_at: string | null = at(600)) {
  return {
    id: ID,
    intent_id: INTENT_ID,
    attempt: 2,
    next_attempt_at,
    question_version: 3,
    record: recordWith({ expires_at: at(3_600), ...changes }),
  };
}

describe('a snooze', () => {
  it('until an instant lasts whatever the reminders do', () => {
    assert.deepEqual(judgeSnooze(question(), { until: at(3_599) }, NOW), {
      ok: true,
      value: {
        suspension_id: question().id,
        until: at(3_599),
        until_reminder: false,
        snoozed_at: at(0),
        attempt: null,
        question_version: 3,
      },
    });
  });

  it('until the next reminder ends with the attempt', () => {
    const judged = judgeSnooze(question(), { until: 'next_reminder' }, NOW);
    assert.ok(judged.ok);
    assert.deepEqual(
      [judged.value.until, judged.value.until_reminder, judged.value.attempt],
      [at(600), true, 2],
    );
  });

  const refused = (until: string, asked = question()) => {
    const judged = judgeSnooze(asked, { until }, NOW);
    assert.ok(!judged.ok);
    const { code, field, accepted } = judged.refusal;
    return [code, field, accepted];
  };
  const whyNot = (until: string, asked = question()) => {
    const judged = judgeSnooze(asked, { until }, NOW);
    return judged.ok ? undefined : judged.refusal.detail;
  };

  it('never hides what would expire meanwhile', () => {
    const accepted = `an instant after ${at(0)} and before ${at(3_600)}`;
    for (const until of [at(3_600), at(7_200)]) {
      assert.deepEqual(refused(until), ['snooze_not_possible', 'until', accepted]);
    }
    assert.deepEqual(refused('next_reminder', question({ expires_at: at(600) })), [
      'snooze_not_possible',
      'until',
      `an instant after ${at(0)} and before ${at(600)}`,
    ]);
  });

  it('ends in the future, and after 90 days at most', () => {
    const endless = question({ expires_at: undefined });
    const last = at(LIMITS.snoozeSeconds);
    const accepted = `an instant after ${at(0)} and before ${last}`;
    const long = question({ expires_at: at(LIMITS.snoozeSeconds + 1) });
    for (const until of [at(-1), at(0), last]) {
      assert.deepEqual(refused(until, endless), ['snooze_not_possible', 'until', accepted]);
      assert.deepEqual(refused(until, long), ['snooze_not_possible', 'until', accepted]);
    }
    assert.ok(judgeSnooze(endless, { until: at(LIMITS.snoozeSeconds - 1) }, NOW).ok);
  });

  it('is refused with the reason', () => {
    for (const until of [at(-1), at(0)]) assert.equal(whyNot(until), `${until} has passed.`);
    for (const until of [at(3_600), at(7_200)]) {
      const detail = `The question expires at ${at(3_600)}, and would be hidden until then.`;
      assert.equal(whyNot(until), detail);
    }
    const far = at(LIMITS.snoozeSeconds);
    for (const expires_at of [undefined, at(LIMITS.snoozeSeconds + 1)]) {
      assert.equal(whyNot(far, question({ expires_at })), `${far} is too far away.`);
    }
  });

  it('waits for no reminder where none is left', () => {
    assert.deepEqual(refused('next_reminder', question({}, null)), [
      'no_reminder_left',
      'until',
      'an instant before the question expires',
    ]);
  });

  it('is for open questions to people', () => {
    const settled = question({ resolution: 'responded', settled_by: 'bob', settled_at: at(-9) });
    assert.equal(refused(at(60), settled)[0], 'suspension_settled');
    const pause = { reason: 'rate_limit', resume_signal: 'go', resumable_by: [] };
    assert.equal(refused(at(60), question({ pause }))[0], 'reason_mismatch');
  });
});
