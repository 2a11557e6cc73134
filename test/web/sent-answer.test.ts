import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Vote } from '../../contracts/suspension/decision.js';
import type { Question } from '../../web/src/api/types.js';
import {
  afterReply,
  asSent,
  withoutCounted,
  withoutTyped,
  type Draft,
  type Reply,
} from '../../web/src/state/answering/draft.js';
import { phaseOf } from '../../web/src/state/phase.js';
import { fateOf, isInVain } from '../../web/src/state/answering/sent-answer.js';

const SENT_AT = 1_000;
const ANSWER = { value: 'approved', question_version: 2 };
const EDIT = { ...ANSWER, edits: [{ call_id: 'call-1', arguments: {} }] };
const DRAFT: Draft = { value: 'approved', note: 'Fine', key: 'first' };
const LOST = asSent(DRAFT, ANSWER, 0, SENT_AT);

function questionWith(view: object = {}): Question {
  const open = { state: 'pending', question_version: 2, votes: [], timeline: [] };
  return { ...open, ...view } as unknown as Question;
}

function voteOf(principal: string, question_version = 2): Vote {
  const counted_at = '2026-11-25T10:00:00.000Z';
  return { principal, actor: principal, value: 'approved', question_version, counted_at };
}

function timelineOf(...entries: (readonly [kind: string, who: string])[]) {
  return entries.map(([kind, who], index) => ({
    sequence: index + 1,
    kind,
    detail: { submitted_by: who, responded_by: who },
  }));
}

describe('an answer that was sent', () => {
  const fate = (view: object = {}, answer: typeof ANSWER = ANSWER) =>
    fateOf(asSent(DRAFT, answer, 0, SENT_AT).sent, questionWith(view), 'alice');

  it('is in doubt while a question shows neither it nor anything that rules it out', () => {
    assert.equal(fate(), 'open');
    assert.equal(fate({ votes: [voteOf('root')] }), 'open');
    assert.equal(fate({ question_version: 1 }), 'open');
    assert.equal(fate({ votes: [voteOf('alice')] }, EDIT), 'open');
    assert.equal(fateOf(LOST.sent, questionWith({ state: 'settled' }), undefined), 'open');
  });

  it('counts where the question shows it, also if somebody else settles or edits it then', () => {
    const votes = [voteOf('alice'), voteOf('root')];
    const timeline = timelineOf(['vote_counted', 'alice'], ['proposal_edited', 'root']);
    assert.equal(fate({ votes: [voteOf('alice')] }), 'counted');
    assert.equal(fate({ state: 'settled', votes }), 'counted');
    assert.equal(fate({ question_version: 3, votes: [voteOf('root', 3)], timeline }), 'counted');
  });

  it('counts as an edit where the next version is its own, also once there are later ones', () => {
    const mine = timelineOf(['vote_counted', 'alice'], ['proposal_edited', 'alice']);
    const later = [...mine, ...timelineOf(['vote_counted', 'alice'], ['proposal_edited', 'root'])];
    const ofRoot = timelineOf(['proposal_edited', 'root'], ['proposal_edited', 'alice']);
    const votes = [voteOf('alice', 3)];
    assert.equal(fate({ question_version: 3, votes }, EDIT), 'counted');
    assert.equal(fate({ question_version: 3, timeline: mine }, EDIT), 'counted');
    assert.equal(fate({ question_version: 4, timeline: later }, EDIT), 'counted');
    assert.equal(fate({ question_version: 4, timeline: ofRoot }, EDIT), 'late');
  });

  it('was too late where the question ended without it, or has another version', () => {
    const timeline = timelineOf(['vote_counted', 'alice'], ['amended', 'agent']);
    assert.equal(fate({ state: 'settled', votes: [voteOf('root')] }), 'late');
    assert.equal(fate({ question_version: 3, votes: [voteOf('alice', 3)] }), 'late');
    const votes = [voteOf('root', 3), voteOf('alice', 3)];
    assert.equal(fate({ question_version: 3, votes, timeline }, EDIT), 'late');
  });
});

describe('the draft of an answer that was sent', () => {
  const replied = (reply: Reply, draft: Draft = LOST, earlier = LOST.sent) =>
    afterReply(draft, LOST.sent, reply, earlier, 2_000);

  it('is gone with the answer that counts, but for what was typed since', () => {
    const typed = { ...LOST, note: 'Or not', key: 'second' };
    assert.deepEqual(replied('counted'), {});
    assert.deepEqual(withoutCounted(typed), { value: 'approved', note: 'Or not', key: 'second' });
    assert.deepEqual(replied('counted', typed), withoutCounted(typed));
  });

  it('notes that no reply came, and that it was handed over', () => {
    assert.equal(replied('open').sent?.since, 2_000);
    assert.equal(replied('handed_over').sent?.isHandedOver, true);
  });

  it('forgets what was refused, but nothing that was sent before', () => {
    const second = asSent({ ...LOST, key: 'second' }, ANSWER, 0, 2_000);
    const after = (earlier?: typeof LOST.sent) =>
      afterReply(second, second.sent, 'refused', earlier, 3_000).sent;
    assert.equal(after(), undefined);
    assert.equal(after(LOST.sent), LOST.sent);
  });

  it('does not come back where the question has shown the answer before its reply was lost', () => {
    assert.deepEqual(replied('open', {}), {});
  });

  it('remains in doubt where what was typed is given up', () => {
    assert.deepEqual(withoutTyped(LOST), { sent: LOST.sent });
    assert.deepEqual(withoutTyped(DRAFT), {});
  });

  it('is in vain only where it was not sent, or too late', () => {
    const settled = questionWith({ state: 'settled', votes: [voteOf('root')] });
    assert.ok(isInVain(DRAFT, settled, 'alice'));
    assert.ok(isInVain(LOST, settled, 'alice'));
    assert.ok(!isInVain(LOST, settled, undefined));
    assert.ok(!isInVain(LOST, questionWith(), 'alice'));
    assert.ok(!isInVain({ sent: LOST.sent }, settled, 'alice'));
  });
});

describe('how far an answer has come', () => {
  const failed = { at: 'failed', error: undefined, isLost: true } as const;
  const writing = { at: 'writing' } as const;
  type Pressed = Parameters<typeof phaseOf>[0];
  const phase = (pressed: Pressed, draft: Draft, view = {}, readAt = SENT_AT + 1) =>
    phaseOf(pressed, draft, questionWith(view), readAt, 'alice');

  it('is in doubt by what the draft notes, also after a reload', () => {
    assert.equal(phase(failed, LOST, {}, SENT_AT), failed);
    assert.deepEqual(phase(failed, LOST), { at: 'unseen', isChanged: false });
    assert.deepEqual(phase(writing, LOST, {}, 0), { at: 'unseen', isChanged: false });
    const changed = { ...LOST, key: 'second' };
    assert.deepEqual(phase(writing, changed), { at: 'unseen', isChanged: true });
    const handedOver = afterReply(LOST, LOST.sent, 'handed_over', undefined, SENT_AT);
    assert.deepEqual(phase(writing, handedOver), { at: 'handed_over', isChanged: false });
  });

  it('is refused where a worker said so after it was sent', () => {
    const timeline = timelineOf(['vote_counted', 'root'], ['answer_rejected', 'alice']);
    const { at } = phase(writing, LOST, { timeline });
    assert.equal(at, 'refused');
    const again = asSent(DRAFT, ANSWER, timeline.length, SENT_AT);
    assert.equal(phase(writing, again, { timeline }).at, 'unseen');
  });

  it('is in no doubt once the question says it, or where the answer was refused', () => {
    const votes = [voteOf('alice')];
    assert.deepEqual(phase(failed, LOST, { votes }), writing);
    assert.deepEqual(phase(failed, {}), writing);
    const refused = { ...failed, isLost: false };
    assert.equal(phase(refused, LOST), refused);
    const counted = { at: 'counted', approvals: 1, required: 2, question_version: 2 } as const;
    assert.equal(phase(counted, {}), counted);
    assert.deepEqual(phase(counted, {}, { votes }), writing);
    assert.deepEqual(phase(counted, {}, { question_version: 3 }), writing);
  });
});
