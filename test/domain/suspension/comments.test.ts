import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import {
  commentCount,
  commentsIn,
  isCommenting,
  judgeComment,
} from '../../../domain/suspension/people/comments.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { judgeDelegation } from '../../../domain/suspension/people/delegation.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import { erasedEntry } from '../../../domain/suspension/record/erasure.js';
import type { SuspensionState } from '../../../domain/suspension/record/state.js';
import type { Attended } from '../../../domain/suspension/people/verb.js';
import { sent } from '../../support/callers.js';
import { OPENED_AT, granted, recordWith, refused, settledWith } from '../samples.js';

const OPEN: SuspensionState = { intent_id: null, record: recordWith(), attempt: 1 };
const ALICE = sent('alice', 'operator');

const attended = (fields: Partial<Attended> = {}): Attended => ({
  state: OPEN,
  timeline: [],
  isAmendable: true,
  asker: 'agent-1',
  askers: ['agent-1', 'refunder'],
  ...fields,
});
const comment = (by = ALICE, of = attended(), text = 'She called twice.') =>
  judgeComment(of, { ...by, text });

function told(detail: TimelineEntry['detail'], sequence = 1): TimelineEntry {
  return { sequence, at: OPENED_AT, kind: 'commented', detail };
}
const said = (by: string, text: string) => told({ commented_by: by, actor: by, text });

describe('a comment on a question', () => {
  it('says who wrote it, in which name, and changes nothing else', () => {
    const { state, entry } = granted(comment({ ...ALICE, actor: 'desk 3' }));
    assert.equal(state, OPEN);
    const detail = { commented_by: 'alice', actor: 'desk 3', text: 'She called twice.' };
    assert.deepEqual(entry, ['commented', detail]);
    assert.deepEqual(commentsIn([told(detail)]), [
      { principal: 'alice', actor: 'desk 3', text: 'She called twice.', at: OPENED_AT },
    ]);
  });

  it('is for who may answer, and for the agent that asked', () => {
    granted(comment(sent('agent-1', 'agent')));
    assert.equal(refused(comment(sent('refunder', 'agent'))).code, 'forbidden');
    assert.equal(refused(comment(sent('eve', 'auditor'))).code, 'forbidden');
    const decision_rule = { ...DEFAULT_RULE, eligible: { principals: ['bob'] } };
    const named = attended({ state: { ...OPEN, record: recordWith({ decision_rule }) } });
    assert.equal(refused(comment(ALICE, named)).code, 'not_eligible');
    granted(comment(sent('bob', 'operator'), named));
    granted(comment(sent('agent-1', 'agent'), named));
  });

  it('comes too late for what is settled', () => {
    const settled = attended({ state: { ...OPEN, record: settledWith() } });
    assert.equal(refused(comment(ALICE, settled)).code, 'suspension_settled');
  });

  it('that is the newest of its author once more is the same', () => {
    const twice = attended({ timeline: [said('bob', 'No.'), said('alice', 'Yes.')] });
    assert.deepEqual(granted(comment(ALICE, twice, 'Yes.')), { state: OPEN });
    assert.ok(granted(comment(sent('bob', 'operator'), twice, 'Yes.')).entry);
    assert.equal(granted(comment(sent('bob', 'operator'), twice, 'No.')).entry, undefined);
    const later = attended({ timeline: [...twice.timeline, said('bob', 'Well.')] });
    assert.ok(granted(comment(sent('bob', 'operator'), later, 'No.')).entry);
  });

  it('is refused once there are too many, or no room is left', () => {
    const many = Array.from({ length: LIMITS.comments }, (_, n) => said('bob', `${n}`));
    const { code } = refused(comment(ALICE, attended({ timeline: many })));
    assert.equal(code, 'too_many_comments');
    granted(comment(ALICE, attended({ timeline: many.slice(1) })));
    const large = attended({ timeline: [said('bob', 'x'.repeat(LIMITS.commentsBytes))] });
    assert.match(
      refused(comment(ALICE, large)).accepted ?? '',
      /^a shorter comment, or one elsewhere.* can still be answered$/,
    );
    const done = told({ amended_by: 'x'.repeat(LIMITS.verbsBytes) });
    const full = attended({ timeline: [{ ...done, kind: 'amended' }] });
    assert.equal(refused(comment(ALICE, full)).code, 'too_many_comments');
  });

  it('has room for all that there may be of the usual length', () => {
    const text = 'x'.repeat(LIMITS.commentCharacters / 2);
    const others = Array.from({ length: LIMITS.comments - 1 }, () => said('bob', text));
    granted(comment(ALICE, attended({ timeline: others }), text));
  });

  it('leaves room for a delegation of the longest reason', () => {
    const text = 'x'.repeat(LIMITS.commentCharacters);
    const said36 = Array.from({ length: LIMITS.comments }, () => said('bob', text));
    const timeline = said36.filter(
      (_, at) => jsonBytes(said36.slice(0, at + 1)) < LIMITS.commentsBytes,
    );
    assert.equal(refused(comment(ALICE, attended({ timeline }), text)).code, 'too_many_comments');
    const delegating = { ...ALICE, to: 'carol', reason: '€'.repeat(LIMITS.commentCharacters) };
    granted(judgeDelegation(attended({ timeline }), delegating, toMillis(OPENED_AT)));
  });

  it('counts other entries only for the room of all', () => {
    const reason = 'x'.repeat(LIMITS.commentsBytes);
    const other = { ...told({ delegated_by: 'bob', reason }), kind: 'delegated' } as const;
    granted(comment(ALICE, attended({ timeline: [other] })));
    const detail = { commented_by: 'alice', actor: 'alice', text: 'Yes.' };
    const empty = said('bob', '');
    const most = LIMITS.commentsBytes - jsonBytes([empty]) - jsonBytes(detail);
    const exact = attended({ timeline: [said('bob', 'x'.repeat(most))] });
    granted(comment(ALICE, exact, 'Yes.'));
    assert.equal(refused(comment(ALICE, exact, 'Yes!!')).code, 'too_many_comments');
  });

  it('is told apart from other entries, and from what has no text or author', () => {
    const detail = { commented_by: 'bob', actor: 'bob', text: 'No.' };
    const other = { ...told(detail), kind: 'claimed' } as const;
    const halves = [told({ commented_by: 'bob' }), told({ text: 'No.' })];
    assert.deepEqual(commentsIn([other, ...halves]), []);
    assert.equal(commentCount([other, ...halves]), 2);
  });

  it('is counted once its text is erased, and no longer shown', () => {
    const timeline = [said('alice', 'Yes.'), erasedEntry(said('bob', 'No.'))];
    assert.equal(commentCount(timeline), 2);
    assert.deepEqual(
      commentsIn(timeline).map(({ text }) => text),
      ['Yes.'],
    );
  });

  it('has a text', () => {
    assert.ok(isCommenting({ ...ALICE, text: 'Yes.' }));
    for (const text of ['', 1, undefined]) assert.ok(!isCommenting({ ...ALICE, text }));
    assert.ok(!isCommenting({ text: 'Yes.' }) && !isCommenting(null));
  });
});
