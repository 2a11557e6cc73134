import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { toInstant, toMillis } from '../../../domain/kernel/time.js';
import { judgeAnswer } from '../../../domain/suspension/answering/answer.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import { judgeClaim, judgeRelease } from '../../../domain/suspension/people/claim.js';
import { judgeComment } from '../../../domain/suspension/people/comments.js';
import { currentRule, delegationsIn } from '../../../domain/suspension/people/delegates.js';
import { judgeDelegation } from '../../../domain/suspension/people/delegation.js';
import { withEligibility } from '../../../domain/suspension/people/eligibility.js';
import { scheduleOf } from '../../../domain/suspension/asking/schedule.js';
import { noticesOf } from '../../../domain/suspension/telling/notifications.js';
import type { Attended, Deed } from '../../../domain/suspension/people/verb.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { sent } from '../../support/callers.js';
import { partWith } from '../approval/wires.js';
import { ID, OPENED_AT, granted, recordWith, refused } from '../samples.js';
import { ANYONE } from './notification-samples.js';

const OPENED = toMillis(OPENED_AT);
const RULE = { ...DEFAULT_RULE, eligible: { principals: ['alice', 'bob'] }, excluded: ['eve'] };
const REASON = 'They know the customer.';

/** An operator who is in groups. */
const inGroups = (principal: string, ...groups: string[]) => {
  const { by, actor } = sent(principal, 'operator');
  return { by: { ...by, groups }, actor };
};
const DAVE = inGroups('dave', 'finance');

/** A question, and what is done to it one after another; its timeline has what is to be told. */
class Asked {
  of: Attended;

  constructor(record = recordWith({ decision_rule: RULE })) {
    this.of = {
      state: { intent_id: null, record, attempt: 1 },
      timeline: [],
      isAmendable: true,
      asker: 'agent-1',
      askers: ['agent-1', 'agent-2', 'uma'],
    };
  }

  take(ruling: Ruling<Deed>): this {
    const { state, entry } = granted(ruling);
    const told: readonly TimelineEntry[] = entry
      ? [{ sequence: 1, at: OPENED_AT, kind: entry[0], detail: entry[1] }]
      : [];
    this.of = { ...this.of, state, timeline: [...this.of.timeline, ...told] };
    return this;
  }

  delegate(to: { to: string } | { to_group: string }, by = sent('alice', 'operator')) {
    return judgeDelegation(this.of, { ...by, ...to, reason: REASON }, OPENED);
  }

  claim(by = DAVE) {
    return judgeClaim(this.of, by, OPENED);
  }

  release(principal = 'alice', what?: 'claim' | 'delegation') {
    return judgeRelease(this.of, { ...sent(principal, 'operator'), what }, OPENED);
  }

  answer({ by } = DAVE, responded_by = by.principal) {
    const answer = { value: 'yes', responded_by, by, answer: { key: 'r:1', body_hash: '' } };
    return judgeAnswer(this.of.state, answer, OPENED, this.of.askers);
  }

  get inForce(): readonly string[] {
    return delegationsIn(this.of.timeline)
      .filter(({ in_force }) => in_force)
      .map(({ by, to, to_group }) => `${by} ${to ?? `group ${to_group ?? ''}`}`);
  }
}

const FINANCE = { to_group: 'finance' };
const toFinance = () => {
  const asked = new Asked();
  return asked.take(asked.delegate(FINANCE));
};

describe('a delegation to a group', () => {
  it('lets each member answer and claim, and gives nobody the claim', () => {
    const asked = new Asked();
    assert.equal(refused(asked.answer()).code, 'not_eligible');
    const { state, entry } = granted(asked.delegate(FINANCE));
    assert.deepEqual(entry, [
      'delegated',
      { delegated_by: 'alice', to_group: 'finance', reason: REASON },
    ]);
    assert.deepEqual(
      [state.claim, state.delegates, state.delegate_groups],
      [undefined, undefined, { finance: ['alice'] }],
    );
    assert.deepEqual(currentRule(state).eligible, {
      principals: ['alice', 'bob'],
      groups: ['finance'],
    });
    const passed = toFinance();
    granted(passed.answer());
    granted(judgeComment(passed.of, { ...DAVE, text: 'On it.' }));
    assert.equal(refused(passed.answer(inGroups('fred', 'sales'))).code, 'not_eligible');
    const claimed = passed.take(passed.claim());
    assert.deepEqual(claimed.of.state.claim?.as_member_of, ['finance']);
    assert.deepEqual(delegationsIn(passed.of.timeline), [
      { by: 'alice', to_group: 'finance', reason: REASON, at: OPENED_AT, in_force: true },
    ]);
  });

  it('lets in neither who asked, in whatever name, nor who is excluded', () => {
    const asked = toFinance();
    for (const name of ['agent-1', 'agent-2', 'uma', 'eve']) {
      const member = inGroups(name, 'finance');
      assert.equal(refused(asked.answer(member)).code, 'not_eligible', name);
      assert.equal(refused(asked.claim(member)).code, 'not_eligible', name);
      assert.equal(refused(asked.delegate({ to: 'kim' }, member)).code, 'not_eligible', name);
    }
    const admin = { by: { ...sent('root', 'admin').by, groups: ['finance'] }, actor: 'root' };
    assert.equal(refused(asked.answer(admin, 'uma')).code, 'not_eligible');
    granted(asked.answer(admin, 'kim'));
  });

  it('keeps nothing for who made it, unless another has made it too', () => {
    const asked = new Asked();
    asked.take(asked.delegate({ to: 'dave' }));
    asked.take(asked.delegate(FINANCE, DAVE)).take(asked.release('alice', 'delegation'));
    assert.deepEqual(asked.inForce, []);
    const own = toFinance();
    const alice = inGroups('alice', 'finance');
    const record = recordWith({ decision_rule: { ...RULE, eligible: { principals: ['bob'] } } });
    own.of = { ...own.of, state: { ...own.of.state, record } };
    assert.equal(refused(own.answer(alice)).code, 'not_eligible');
    granted(own.answer());
    own.take(own.delegate(FINANCE, sent('bob', 'operator')));
    assert.deepEqual(own.of.state.delegate_groups, { finance: ['alice', 'bob'] });
    granted(own.answer(alice));
  });

  it('names nobody where everybody may answer', () => {
    const asked = new Asked(recordWith());
    const { state } = granted(asked.delegate(FINANCE));
    assert.deepEqual(currentRule(state), DEFAULT_RULE);
    assert.deepEqual(currentRule(state, { by: DAVE.by, responded_by: 'dave' }), DEFAULT_RULE);
  });

  it('is refused for approvals, and where several people decide', () => {
    const decision_rule = { ...RULE, quorum: 2 };
    for (const fields of [{ decision_rule }, { approval: partWith() }]) {
      const { code } = refused(new Asked(recordWith(fields)).delegate(FINANCE));
      assert.equal(code, 'delegation_not_allowed');
    }
  });

  it('ends the claim of who makes it', () => {
    const asked = new Asked();
    asked.take(asked.claim(inGroups('alice'))).take(asked.delegate(FINANCE));
    assert.equal(asked.of.state.claim, undefined);
    granted(asked.claim());
  });

  it('takes the place of the last one of the same person, and of the claim that came with it', () => {
    const asked = new Asked();
    asked.take(asked.delegate({ to: 'carol' })).take(asked.delegate(FINANCE));
    assert.deepEqual([asked.inForce, asked.of.state.claim], [['alice group finance'], undefined]);
    assert.equal(asked.of.state.delegates, undefined);
    asked.take(asked.claim()).take(asked.delegate({ to: 'carol' }));
    assert.deepEqual([asked.inForce, asked.of.state.claim?.holder], [['alice carol'], 'carol']);
    asked.take(asked.delegate({ to_group: 'sales' })).take(asked.delegate(FINANCE));
    assert.deepEqual(asked.of.state.delegate_groups, { finance: ['alice'] });
  });

  it('that is made once more changes nothing, also after a member has claimed', () => {
    const asked = toFinance();
    assert.deepEqual(granted(asked.delegate(FINANCE)), { state: asked.of.state });
    asked.take(asked.claim());
    assert.deepEqual(granted(asked.delegate(FINANCE)), { state: asked.of.state });
    const bob = sent('bob', 'operator');
    assert.equal(refused(asked.delegate(FINANCE, bob)).code, 'claimed_by_other');
    const mine = toFinance();
    mine.take(mine.claim(inGroups('alice')));
    assert.equal(granted(mine.delegate(FINANCE)).state.claim, undefined);
  });

  it('is told to the group, over the channel of the attempt', () => {
    const record = recordWith({ channel_hint: 'email' });
    const [attempt] = scheduleOf(record).attempts;
    assert.ok(attempt);
    const [notice, ...more] = noticesOf(null, record, attempt, 1, toFinance().of.timeline, {
      deciders: ANYONE,
    });
    assert.deepEqual(more, []);
    assert.deepEqual(
      [notice?.delivery_id, notice?.notify_to, notice?.to_group, notice?.delegated_by],
      [`${ID}:to:1`, 'finance', 'finance', 'alice'],
    );
    assert.equal(notice?.held_by, undefined);
  });
});

describe('a delegation to a group that ends', () => {
  it('takes the right to answer, and the claim of who is in the group', () => {
    const asked = toFinance();
    asked.take(asked.claim());
    const { state, entry } = granted(asked.release());
    assert.deepEqual(entry, [
      'released',
      { released_by: 'alice', to_group: 'finance', taken_back: true },
    ]);
    assert.deepEqual([state.claim, state.delegate_groups], [undefined, undefined]);
    asked.take(asked.release());
    assert.equal(refused(asked.answer()).code, 'not_eligible');
    assert.equal(refused(asked.claim()).code, 'not_eligible');
    assert.equal(refused(asked.release()).code, 'not_claimed');
  });

  it('leaves a claim by a right of its own, or through another group', () => {
    const own = toFinance();
    const { claim } = granted(new Asked().claim(inGroups('bob', 'finance'))).state;
    assert.ok(claim);
    own.of = { ...own.of, state: { ...own.of.state, claim } };
    assert.equal(granted(own.release('alice', 'delegation')).state.claim?.holder, 'bob');
    const both = toFinance();
    both.take(both.delegate({ to_group: 'legal' }, sent('bob', 'operator')));
    both.take(both.claim(inGroups('dave', 'finance', 'legal')));
    const { claim: held } = both.of.state;
    assert.deepEqual(held?.as_member_of, ['finance', 'legal']);
    both.take(both.release('alice', 'delegation'));
    assert.deepEqual([both.of.state.claim?.holder, both.inForce], ['dave', ['bob group legal']]);
    const last = granted(both.release('bob', 'delegation'));
    assert.equal(last.state.claim, undefined);
  });

  it('ends what a member has passed on, unless the member had the question before', () => {
    const asked = toFinance();
    asked.take(asked.delegate({ to: 'kim' }, DAVE));
    const { detail } = asked.of.timeline[1] ?? assert.fail();
    assert.deepEqual(detail['as_member_of'], ['finance']);
    assert.deepEqual(asked.inForce, ['alice group finance', 'dave kim']);
    asked.take(asked.release('alice', 'delegation'));
    assert.deepEqual([asked.inForce, asked.of.state.claim], [[], undefined]);
    const before = new Asked();
    before.take(before.delegate({ to: 'kim' }, inGroups('bob', 'finance')));
    before.take(before.release('kim', 'claim')).take(before.delegate(FINANCE));
    before.take(before.release('alice', 'delegation'));
    assert.deepEqual(before.inForce, ['bob kim']);
  });

  it('stands as long as another has delegated to the same group', () => {
    const asked = toFinance();
    asked.take(asked.delegate(FINANCE, sent('bob', 'operator'))).take(asked.claim());
    asked.take(asked.release('alice', 'delegation'));
    assert.deepEqual(asked.of.state.delegate_groups, { finance: ['bob'] });
    assert.equal(asked.of.state.claim?.holder, 'dave');
    granted(asked.answer());
  });

  it('does so when an admin changes who is eligible, and the claim with it', () => {
    const asked = toFinance();
    asked.take(asked.claim());
    const changed = { eligible: { principals: ['alice'] }, attempt: 1 };
    const { claim, delegate_groups } = withEligibility(asked.of.state, changed);
    assert.deepEqual([claim, delegate_groups], [undefined, undefined]);
  });

  it('comes too late for an answer before it, and before one after it', () => {
    const answered = toFinance();
    const { state } = granted(answered.answer());
    answered.of = { ...answered.of, state };
    assert.equal(refused(answered.release()).code, 'suspension_settled');
    const released = toFinance();
    released.take(released.release());
    assert.equal(refused(released.answer()).code, 'not_eligible');
  });

  it('keeps a claim renewed as it was made', () => {
    const asked = toFinance();
    asked.take(asked.claim());
    const later = granted(judgeClaim(asked.of, DAVE, OPENED + 1_000)).state.claim;
    assert.deepEqual(later?.as_member_of, ['finance']);
    assert.equal(later.claimed_at, toInstant(OPENED));
  });
});
