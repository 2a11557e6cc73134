import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { toInstant, toMillis } from '../../../domain/kernel/time.js';
import { judgeAnswer } from '../../../domain/suspension/answering/answer.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import {
  currentRule,
  delegationsIn,
  withDelegates,
} from '../../../domain/suspension/people/delegates.js';
import { isDelegating, judgeDelegation } from '../../../domain/suspension/people/delegation.js';
import { erasedEntry } from '../../../domain/suspension/record/erasure.js';
import { noticesOf } from '../../../domain/suspension/telling/notifications.js';
import { scheduleOf } from '../../../domain/suspension/asking/schedule.js';
import type { SuspensionState } from '../../../domain/suspension/record/state.js';
import type { Attended } from '../../../domain/suspension/people/verb.js';
import { caller, sent } from '../../support/callers.js';
import { partWith } from '../approval/wires.js';
import { ID, OPENED_AT, granted, recordWith, refused, settledWith } from '../samples.js';
import { ANYONE } from './notification-samples.js';

const OPENED = toMillis(OPENED_AT);
const ALICE = sent('alice', 'operator');
const RULE = { ...DEFAULT_RULE, eligible: { principals: ['alice'] }, excluded: ['eve'] };
const OPEN: SuspensionState = {
  intent_id: null,
  record: recordWith({ decision_rule: RULE }),
  attempt: 1,
};
const REASON = 'She knows the customer.';

const attended = (fields: Partial<Attended> = {}): Attended => ({
  state: OPEN,
  timeline: [],
  isAmendable: true,
  asker: 'agent-1',
  askers: ['agent-1', 'bob'],
  ...fields,
});
const delegate = (to = 'carol', of = attended(), by = ALICE) =>
  judgeDelegation(of, { ...by, to, reason: REASON }, OPENED);

const CLAIMED_BY_CAROL = {
  claim: { holder: 'carol', claimed_at: OPENED_AT, expires_at: toInstant(OPENED + 1) },
};

function told(by: string, to: string, sequence = 1): TimelineEntry {
  const detail = { delegated_by: by, to, reason: REASON, expires_at: OPENED_AT };
  return { sequence, at: OPENED_AT, kind: 'delegated', detail };
}

describe('a delegation of a question', () => {
  it('tells what its sender was warned of', () => {
    const warnings = ['Nobody of this name is in the directory.'];
    const judged = judgeDelegation(
      attended(),
      { ...ALICE, to: 'carol', reason: REASON, warnings },
      OPENED,
    );
    assert.deepEqual(granted(judged).entry?.[1]['warnings'], warnings);
  });

  it('gives the claim, and makes eligible besides those whom the rule names', () => {
    const { state, entry } = granted(delegate());
    const expires_at = toInstant(OPENED + LIMITS.claimSeconds * 1_000);
    assert.deepEqual(state.claim, { holder: 'carol', claimed_at: OPENED_AT, expires_at });
    const detail = { delegated_by: 'alice', to: 'carol', reason: REASON, expires_at };
    assert.deepEqual(entry, ['delegated', detail]);
    assert.deepEqual(currentRule(state).eligible, { principals: ['alice', 'carol'] });
    const by = caller('carol', 'operator');
    const answer = { value: 'yes', responded_by: 'carol', by };
    const key = { key: 'r:1', body_hash: '' };
    granted(judgeAnswer(state, { ...answer, answer: key }, OPENED));
    assert.deepEqual(delegationsIn([told('alice', 'carol')]), [
      { by: 'alice', to: 'carol', reason: REASON, at: OPENED_AT, in_force: true },
    ]);
  });

  it('holds at every attempt, whomever the ladder names', () => {
    const escalation_ladder = [
      { attempt: 2, channel_hint: 'email', eligible: { groups: ['leads'] } },
    ];
    const retry_policy = {
      max_attempts: 2,
      interval_seconds: 60,
      strategy: 'fixed',
      final_fallback_policy: 'fail',
      escalation_ladder,
    } as const;
    const record = recordWith({
      decision_rule: RULE,
      retry_policy: { ...retry_policy, escalation_ladder: [...escalation_ladder] },
    });
    const { state } = granted(delegate('carol', attended({ state: { ...OPEN, record } })));
    const { eligible } = currentRule({ ...state, attempt: 2 });
    assert.deepEqual([eligible.groups, eligible.principals], [['leads'], ['carol']]);
  });

  it('names nobody where everybody may answer', () => {
    assert.deepEqual(withDelegates(DEFAULT_RULE, { delegates: ['carol'] }), DEFAULT_RULE);
    assert.deepEqual(withDelegates(RULE, {}), RULE);
    assert.deepEqual(withDelegates(RULE, { delegates: null, delegate_groups: null }), RULE);
    assert.deepEqual(withDelegates(RULE, { delegates: ['alice'] }).eligible, {
      principals: ['alice'],
    });
  });

  it('is refused to who asked, who is excluded, and who delegates', () => {
    for (const to of ['agent-1', 'bob', 'eve', 'alice']) {
      const { code, field } = refused(delegate(to));
      assert.deepEqual([code, field], ['not_eligible', 'to'], to);
    }
  });

  it('adds nobody to those who decide together, or on an approval', () => {
    const decision_rule = { ...RULE, eligible: { principals: ['alice', 'dave'] }, quorum: 2 };
    for (const fields of [{ decision_rule }, { approval: partWith() }]) {
      const of = attended({ state: { ...OPEN, record: recordWith(fields) } });
      const { code, accepted } = refused(delegate('carol', of));
      assert.equal(code, 'delegation_not_allowed');
      assert.match(accepted ?? '', /^a question that one answer settles/);
    }
    const vote = { principal: 'alice', actor: 'alice', value: 'yes', question_version: 1 };
    const keyed = { vote: { ...vote, counted_at: OPENED_AT }, answer: { key: 'a', body_hash: '' } };
    const state = { ...OPEN, record: recordWith({ decision_rule }), votes: [keyed] };
    const { code, state: told } = refused(delegate('carol', attended({ state })));
    assert.deepEqual([code, told], ['already_voted', { value: 'yes', counted_at: OPENED_AT }]);
  });

  it('is for who may answer, of what is open and not claimed by another', () => {
    assert.equal(
      refused(delegate('carol', undefined, sent('bob', 'operator'))).code,
      'not_eligible',
    );
    assert.equal(refused(delegate('carol', undefined, sent('alice', 'agent'))).code, 'forbidden');
    const settled = attended({ state: { ...OPEN, record: settledWith() } });
    assert.equal(refused(delegate('carol', settled)).code, 'suspension_settled');
    const expires_at = toInstant(OPENED + 1);
    const claim = { holder: 'dave', claimed_at: OPENED_AT, expires_at };
    const claimed = attended({ state: { ...OPEN, claim } });
    assert.equal(refused(delegate('carol', claimed)).code, 'claimed_by_other');
    granted(
      delegate('carol', attended({ state: { ...OPEN, claim: { ...claim, holder: 'alice' } } })),
    );
    const separate = { ...ALICE, separation_of_duties: true };
    const own = attended({ askers: ['alice'] });
    assert.equal(refused(delegate('carol', own, separate)).code, 'not_eligible');
    granted(delegate('carol', own));
  });

  it('that holds is the same once more', () => {
    const { state } = granted(delegate());
    const again = attended({ state, timeline: [told('alice', 'carol')] });
    assert.equal(granted(delegate('carol', again)).entry, undefined);
    const { delegates: _back, ...taken } = state;
    const ended = { sequence: 2, at: OPENED_AT, kind: 'eligibility_changed', detail: {} } as const;
    const timeline = [told('alice', 'carol'), ended];
    const entitled = attended({ state: { ...taken, ...CLAIMED_BY_CAROL }, timeline });
    assert.equal(refused(delegate('carol', entitled)).code, 'claimed_by_other');
    const otherReason = judgeDelegation(again, { ...ALICE, to: 'carol', reason: '' }, OPENED);
    assert.ok(granted(otherReason).entry);
    const { claim: _released, ...free } = state;
    const released = attended({ state: free, timeline: [told('alice', 'carol')] });
    assert.ok(granted(delegate('carol', released)).entry);
  });

  it('is no repetition where another made it, or of another name', () => {
    const { state } = granted(delegate());
    const both = { ...RULE, eligible: { principals: ['alice', 'bob'] } };
    const open = { ...state, record: recordWith({ decision_rule: both }) };
    const byAlice = attended({ state: open, timeline: [told('alice', 'carol')], askers: [] });
    const bob = sent('bob', 'operator');
    assert.equal(refused(delegate('carol', byAlice, bob)).code, 'claimed_by_other');
    const held = { ...open, claim: { ...CLAIMED_BY_CAROL.claim, holder: 'dave' } };
    const heldByDave = attended({ state: held, timeline: [told('alice', 'carol')] });
    assert.equal(refused(delegate('dave', heldByDave)).code, 'claimed_by_other');
    const timeline = [told('bob', 'dave'), told('alice', 'carol', 2)];
    const again = granted(delegate('carol', attended({ state, timeline })));
    assert.deepEqual(again, { state });
  });

  it('takes the place of what the same person passed on before', () => {
    const { state } = granted(delegate('carrol'));
    const of = attended({ state, timeline: [told('alice', 'carrol')] });
    const { state: mended, entry } = granted(delegate('carol', of));
    assert.deepEqual([mended.claim?.holder, entry?.[0]], ['carol', 'delegated']);
    assert.deepEqual(currentRule(mended).eligible, { principals: ['alice', 'carol'] });
    const zoe = sent('zoe', 'operator');
    const open = { ...state, record: recordWith() };
    const ofAll = attended({ state: open, timeline: [told('alice', 'carrol')] });
    assert.equal(refused(delegate('carol', ofAll, zoe)).code, 'claimed_by_other');
    assert.equal(
      refused(delegate('carol', attended({ state, timeline: [] }))).code,
      'claimed_by_other',
    );
    const timeline = [told('alice', 'carrol'), told('alice', 'carol', 2)];
    assert.deepEqual(
      delegationsIn(timeline).map(({ to, in_force }) => [to, in_force]),
      [
        ['carrol', false],
        ['carol', true],
      ],
    );
  });

  it('is refused once there were too many', () => {
    const timeline = Array.from({ length: LIMITS.delegations }, () => told('bob', 'dave'));
    const { code, accepted } = refused(delegate('carol', attended({ timeline })));
    assert.equal(code, 'too_many_changes');
    assert.match(accepted ?? '', /at most 10 delegations/);
    const text = 'x'.repeat(LIMITS.verbsBytes);
    const full: TimelineEntry = { ...told('bob', 'dave'), kind: 'commented', detail: { text } };
    const room = refused(delegate('carol', attended({ timeline: [full] })));
    assert.deepEqual(
      [room.code, room.accepted?.includes('bytes of JSON')],
      ['too_many_changes', true],
    );
    granted(delegate('carol', attended({ timeline: timeline.slice(1) })));
  });

  it('is told once to whom it names, over the channel of the attempt', () => {
    const record = recordWith({ channel_hint: 'slack' });
    const [attempt] = scheduleOf(record).attempts;
    assert.ok(attempt);
    const timeline = [told('alice', 'carol'), told('carol', 'dave', 2)];
    assert.deepEqual(
      noticesOf(null, record, attempt, 1, timeline, { deciders: ANYONE }).map((one) => [
        one.delivery_id,
        one.notify_to,
        one.channel_hint,
        one.delegated_by,
        one.held_by,
      ]),
      [
        [`${ID}:to:1`, 'carol', 'slack', 'alice', 'carol'],
        [`${ID}:to:2`, 'dave', 'slack', 'carol', 'dave'],
      ],
    );
  });

  it('is told until the question expires, whatever attempt comes next', () => {
    const retry_policy = {
      max_attempts: 2,
      interval_seconds: 60,
      strategy: 'fixed',
      final_fallback_policy: 'fail',
    } as const;
    const record = recordWith({ retry_policy: { ...retry_policy, escalation_ladder: [] } });
    const { attempts, expires_at } = scheduleOf(record);
    const [attempt] = attempts;
    assert.ok(attempt?.next_attempt_at);
    const shown = { ...record, ...(expires_at && { expires_at }) };
    const [notice] = noticesOf(null, shown, attempt, 2, [told('alice', 'carol')], {
      deciders: ANYONE,
    });
    assert.deepEqual([notice?.next_attempt_at, notice?.expires_at], [null, expires_at]);
  });

  it('is not shown once it was erased', () => {
    assert.deepEqual(delegationsIn([erasedEntry(told('alice', 'carol'))]), []);
  });

  it('says to whom, and why', () => {
    const whole = { ...ALICE, to: 'carol', reason: '' };
    assert.ok(isDelegating(whole));
    assert.ok(isDelegating({ ...whole, to: undefined, to_group: 'finance' }));
    for (const fields of [
      { to: '' },
      { to: 1 },
      { to_group: 'finance' },
      { to: undefined },
      { to: undefined, to_group: '' },
      { to: undefined, to_group: ['finance'] },
      { reason: undefined },
      { by: null },
    ]) {
      assert.ok(!isDelegating({ ...whole, ...fields }), JSON.stringify(fields));
    }
    assert.ok(!isDelegating(null));
  });
});
