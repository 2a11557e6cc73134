import assert from 'node:assert/strict';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { jsonBytes, textIn } from '../../../domain/kernel/json.js';
import { plusSeconds, toInstant, toMillis } from '../../../domain/kernel/time.js';
import { type Answer, judgeAnswer } from '../../../domain/suspension/answering/answer.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import {
  claimAt,
  type Claiming,
  isClaiming,
  judgeClaim,
  judgeRelease,
  readAt,
} from '../../../domain/suspension/people/claim.js';
import { judgeSnooze } from '../../../domain/suspension/people/snooze.js';
import { checkRoom, isDoing, verbEvent } from '../../../domain/suspension/people/verb.js';
import type { SuspensionState } from '../../../domain/suspension/record/state.js';
import { caller, sent } from '../../support/callers.js';
import { partWith } from '../approval/wires.js';
import { granted, ID, INTENT_ID, OPENED_AT, recordWith, refused, settledWith } from '../samples.js';

const OPENED = toMillis(OPENED_AT);
const MINUTE = 60_000;
const HALF_HOUR = LIMITS.claimSeconds * 1_000;
const OPEN: SuspensionState = { intent_id: null, record: recordWith(), attempt: 1 };

const claim = (
  by: Claiming = sent('alice', 'operator'),
  state = OPEN,
  now = OPENED,
  askers: string[] = [],
) => judgeClaim({ state, timeline: [], isAmendable: true, asker: 'agent-1', askers }, by, now);
const release = (by: ReturnType<typeof sent>, state = CLAIMED, now = OPENED) =>
  judgeRelease({ state, timeline: [], isAmendable: true, asker: 'agent-1', askers: [] }, by, now);
const CLAIMED = granted(claim()).state;

function answer(principal: string, fields: Partial<Answer> = {}): Answer {
  const by = caller(principal, 'operator');
  const key = { key: `r:${principal}`, body_hash: '' };
  return { value: 'go ahead', responded_by: principal, by, answer: key, ...fields };
}

describe('a claim of a question', () => {
  it('holds for half an hour, and says who has it until when', () => {
    const { state, entry } = granted(claim());
    const expires_at = toInstant(OPENED + HALF_HOUR);
    assert.deepEqual(state.claim, { holder: 'alice', claimed_at: OPENED_AT, expires_at });
    assert.deepEqual(entry, ['claimed', { claimed_by: 'alice', expires_at }]);
    assert.equal(claimAt(state, OPENED + HALF_HOUR - 1)?.holder, 'alice');
    assert.equal(claimAt(state, OPENED + HALF_HOUR), undefined);
    assert.equal(claimAt(state, OPENED - 1), undefined);
  });

  it('is refused while somebody else holds one, and says who', () => {
    const bob = sent('bob', 'operator');
    const { code, state } = refused(claim(bob, CLAIMED, OPENED + MINUTE));
    assert.equal(code, 'claimed_by_other');
    assert.deepEqual(state, { holder: 'alice', expires_at: CLAIMED.claim?.expires_at });
    const later = granted(claim(bob, CLAIMED, OPENED + HALF_HOUR));
    assert.equal(later.state.claim?.holder, 'bob');
  });

  it('of a version that is not the current one is refused', () => {
    const alice = sent('alice', 'operator');
    const amended = { ...OPEN, record: recordWith({ question_version: 2 }) };
    granted(claim({ ...alice, question_version: 2 }, amended));
    granted(claim(alice, amended));
    const refusal = refused(claim({ ...alice, question_version: 1 }, amended));
    assert.deepEqual(
      [refusal.code, refusal.field, refusal.accepted, refusal.state],
      ['question_version_mismatch', 'question_version', '2', { question_version: 2 }],
    );
    assert.ok(isClaiming(alice) && isClaiming({ ...alice, question_version: 1 }));
    for (const question_version of [1.5, '1', null]) {
      assert.ok(!isClaiming({ ...alice, question_version }), String(question_version));
    }
    assert.ok(!isClaiming({ question_version: 1 }));
  });

  it('is renewed by its holder, of which nobody hears', () => {
    const now = OPENED + MINUTE;
    const { state, entry } = granted(claim(sent('alice', 'operator'), CLAIMED, now));
    assert.equal(entry, undefined);
    const expires_at = toInstant(now + HALF_HOUR);
    assert.deepEqual(state.claim, { holder: 'alice', claimed_at: OPENED_AT, expires_at });
  });

  it('is for those who may answer, and for no agent', () => {
    const decision_rule = { ...DEFAULT_RULE, eligible: { principals: ['alice'] } };
    const named = { ...OPEN, record: recordWith({ decision_rule }) };
    granted(claim(sent('alice', 'operator'), named));
    assert.equal(refused(claim(sent('bob', 'operator'), named)).code, 'not_eligible');
    for (const role of ['agent', 'auditor'] as const) {
      assert.equal(refused(claim(sent('alice', role))).code, 'forbidden', role);
    }
    const separate = { ...sent('alice', 'operator'), separation_of_duties: true };
    assert.equal(refused(claim(separate, OPEN, OPENED, ['alice'])).code, 'not_eligible');
    granted(claim(sent('alice', 'operator'), OPEN, OPENED, ['alice']));
  });

  it('of an approval is for the user for whom it was asked too', () => {
    const approval = partWith({ on_behalf_of: 'ursula' });
    const asked = { ...OPEN, record: recordWith({ approval }) };
    const [own, foreign] = [sent('ursula', 'user'), sent('walter', 'user')];
    assert.equal(granted(claim(own, asked)).state.claim?.holder, 'ursula');
    assert.equal(refused(claim(foreign, asked)).code, 'forbidden');
  });

  it('is for nobody who has answered already', () => {
    const vote = { principal: 'alice', actor: 'alice', value: 'yes', question_version: 1 };
    const keyed = { vote: { ...vote, counted_at: OPENED_AT }, answer: { key: 'a', body_hash: '' } };
    const voted = { ...OPEN, votes: [keyed] };
    const { code, state } = refused(claim(sent('alice', 'operator'), voted));
    assert.deepEqual([code, state], ['already_voted', { value: 'yes', counted_at: OPENED_AT }]);
    granted(claim(sent('bob', 'operator'), voted));
  });

  it('comes too late for what is settled, and is not for pauses', () => {
    const settled = { ...OPEN, record: settledWith() };
    assert.equal(refused(claim(undefined, settled)).code, 'suspension_settled');
    const pause = {
      reason: 'custom',
      resume_signal: 'go',
      resumable_by: [],
      timeout_outcome: 'timeout',
      metadata: {},
    } as const;
    const paused = { ...OPEN, record: recordWith({ pause: { ...pause, resumable_by: [] } }) };
    assert.equal(refused(claim(undefined, paused)).code, 'reason_mismatch');
  });

  it('is refused once the timeline has no room for its entry', () => {
    const detail = { claimed_by: 'x'.repeat(LIMITS.verbsBytes) };
    const entry: TimelineEntry = { sequence: 1, at: OPENED_AT, kind: 'claimed', detail };
    const full = {
      state: OPEN,
      timeline: [entry],
      isAmendable: true,
      asker: 'agent-1',
      askers: [],
    };
    const alice = sent('alice', 'operator');
    assert.equal(refused(judgeClaim(full, alice, OPENED)).code, 'too_many_changes');
    granted(judgeClaim({ ...full, state: CLAIMED }, alice, OPENED + MINUTE));
    const other = { ...full, timeline: [{ ...entry, kind: 'eligibility_changed' as const }] };
    granted(judgeClaim(other, alice, OPENED));
  });

  it('is told to the log of the intent with its principal and its actor', () => {
    const by = { ...sent('alice', 'operator'), actor: 'desk 3' };
    assert.deepEqual(verbEvent(ID, ['claimed', { claimed_by: 'alice' }], by), {
      event_type: 'intent.suspension_claimed',
      actor: 'desk 3',
      principal: 'alice',
      payload: { suspension_id: ID, claimed_by: 'alice' },
    });
  });

  it('is not seen by readers once it is over', () => {
    const view = { id: ID, claim: CLAIMED.claim ?? null };
    assert.deepEqual(readAt(view, OPENED), view);
    assert.deepEqual(readAt(view, OPENED + HALF_HOUR), { id: ID, claim: null });
    const older: { readonly id: string; readonly claim?: null } = { id: ID };
    assert.deepEqual(readAt(older, OPENED), { id: ID, claim: null });
  });

  it('comes from who says who it is', () => {
    const alice = sent('alice', 'operator');
    assert.ok(isDoing(alice) && isDoing({ ...alice, separation_of_duties: true }));
    for (const fields of [{ by: 'alice' }, { actor: 1 }, { separation_of_duties: 'yes' }]) {
      assert.ok(!isDoing({ ...alice, ...fields }), JSON.stringify(fields));
    }
    assert.ok(!isDoing(null));
  });
});

describe('a release of a claim', () => {
  it('is for its holder, and for admins', () => {
    const { state, entry } = granted(release(sent('alice', 'operator')));
    assert.equal(state.claim, undefined);
    assert.deepEqual(entry, ['released', { released_by: 'alice', holder: 'alice' }]);
    const byAdmin = granted(release(sent('root', 'admin')));
    assert.deepEqual(byAdmin.entry, ['released', { released_by: 'root', holder: 'alice' }]);
    const { code, accepted } = refused(release(sent('bob', 'operator')));
    assert.equal(code, 'forbidden');
    assert.equal(accepted, 'who has claimed it or passed it on or a key with the role admin');
  });

  it('is refused where nobody holds one any more', () => {
    for (const [state, now] of [
      [OPEN, OPENED],
      [CLAIMED, OPENED + HALF_HOUR],
    ] as const) {
      const { code, detail } = refused(release(sent('bob', 'operator'), state, now));
      assert.equal(code, 'not_claimed');
      assert.match(detail, /has claimed .* passed it on to nobody/);
    }
    assert.equal(refused(release(sent('bob', 'agent'))).code, 'forbidden');
    const settled = { ...CLAIMED, record: settledWith() };
    assert.equal(refused(release(sent('alice', 'operator'), settled)).code, 'suspension_settled');
  });
});

describe('an answer to a claimed question', () => {
  const judge = (given: Answer, state = CLAIMED, at = OPENED + MINUTE) =>
    judgeAnswer(state, given, at);

  it('by somebody else has to say that it is meant all the same', () => {
    const { code, field, accepted, state } = refused(judge(answer('bob')));
    assert.deepEqual([code, field], ['claimed_by_other', 'despite_claim']);
    assert.equal(accepted, 'true, to answer all the same');
    assert.deepEqual(state, { holder: 'alice', expires_at: CLAIMED.claim?.expires_at });
    assert.equal(refused(judge(answer('bob', { despite_claim: false }))).code, 'claimed_by_other');
    assert.equal(granted(judge(answer('bob', { despite_claim: true }))).verdict, 'settled');
  });

  it('needs no such word from its holder, in its name, or before and after the claim', () => {
    granted(judge(answer('alice')));
    granted(judge(answer('alice', { by: caller('root', 'admin') })));
    granted(judge(answer('bob'), CLAIMED, OPENED - 1));
    granted(judge(answer('bob'), CLAIMED, OPENED + HALF_HOUR));
  });

  it('is asked for that word only if it would count', () => {
    assert.equal(refused(judge(answer('bob', { value: '' }))).code, 'invalid_value');
    const decision_rule = { ...DEFAULT_RULE, excluded: ['bob'] };
    const excluding = { ...CLAIMED, record: recordWith({ decision_rule }) };
    assert.equal(refused(judge(answer('bob'), excluding)).code, 'not_eligible');
  });

  it('ends the claim of its voter where others have to agree', () => {
    const record = recordWith({
      response_type: 'confirm',
      decision_rule: { ...DEFAULT_RULE, quorum: 2, denials: ['no'] },
    });
    const claimed = { ...CLAIMED, record };
    const own = granted(judge(answer('alice', { value: 'yes' }), claimed));
    assert.deepEqual([own.verdict, own.state.claim], ['counted', undefined]);
    const others = granted(judge(answer('bob', { value: 'yes', despite_claim: true }), claimed));
    assert.deepEqual([others.verdict, others.state.claim?.holder], ['counted', 'alice']);
    const again = granted(judge(answer('bob', { value: 'yes' }), others.state));
    assert.equal(again.repeated, true);
  });
});

function claimed(text: string): TimelineEntry {
  return { sequence: 1, at: OPENED_AT, kind: 'claimed', detail: { text } };
}

describe('the room of a timeline', () => {
  it('ends with the byte that the limit says', () => {
    const detail = { claimed_by: 'alice' };
    const most = LIMITS.verbsBytes - jsonBytes([claimed('')]) - jsonBytes(detail);
    granted(checkRoom([claimed('x'.repeat(most))], detail));
    const { code, accepted } = refused(checkRoom([claimed('x'.repeat(most + 1))], detail));
    assert.equal(code, 'too_many_changes');
    assert.match(accepted ?? '', /bytes of JSON for all that is done/);
  });
});

describe('a text of an entry', () => {
  it('is none where the detail has something else', () => {
    assert.equal(textIn({ text: 'Yes.' }, 'text'), 'Yes.');
    assert.equal(textIn({ text: 1 }, 'text'), undefined);
    assert.equal(textIn({}, 'text'), undefined);
  });
});

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
