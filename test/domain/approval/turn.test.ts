import assert from 'node:assert/strict';
import type { ApprovalPlan, JudgedCall, PlannedTier } from '../../../contracts/approval/judging.js';
import type { RejectAction, SiblingPolicy } from '../../../contracts/constants/approvals.js';
import {
  afterRejection,
  groupsOf,
  handlingOf,
  holdsUngated,
  jointly,
  markOf,
  strictestReject,
  type Gate,
  type Handling,
} from '../../../domain/approval/asking/turn.js';

const tier = (principal: string, on_timeout: PlannedTier['on_timeout'] = 'deny'): PlannedTier => ({
  question: {
    decision_rule: {
      eligible: { principals: [principal] },
      excluded: ['bot'],
      quorum: 1,
      denials: ['rejected'],
      veto: true,
    },
    timeout_seconds: 60,
    fallback_policy: 'fail',
    inherit_retry_policy: false,
  },
  on_timeout,
});
const planWith = (...tiers: readonly PlannedTier[]): ApprovalPlan => ({ stages: [{ tiers }] });
const PLAN = planWith(tier('tina'));
const RUN: Handling = { kind: 'run' };
const gate = (rest: Partial<Gate> = {}): Gate => ({
  route: 'human_required',
  risk_class: 'high',
  plan: PLAN,
  ...rest,
});
const GATE: Handling = { kind: 'gate', gate: gate() };
const DENY: Handling = { kind: 'deny' };
const judged = (rest: Partial<JudgedCall> = {}): JudgedCall => ({
  id: 'c1',
  verdict: 'escalate',
  risk_class: 'high',
  route: 'human_required',
  plan: PLAN,
  ...rest,
});
const ALLOWED = { id: 'c1', verdict: 'allow', risk_class: 'low', route: 'auto' } as const;

describe('whether an agent gates a call', () => {
  it('is said by the tool and by the policy, either of which is enough [JC-21, JC-27, AM-63]', () => {
    const asks = { require_approval: { reason: 'Production deployment' } };
    assert.deepEqual(markOf(false, 'proceed'), { gated: false });
    assert.deepEqual(markOf(true, 'proceed'), { gated: true });
    assert.deepEqual(markOf(false, asks), { gated: true, reason: 'Production deployment' });
    assert.deepEqual(markOf(true, asks), { gated: true, reason: 'Production deployment' });
    assert.deepEqual(markOf(false, { require_approval: {} }), { gated: true });
  });

  it('is true for whatever a policy says that is not "proceed" [JC-30, TM-10]', () => {
    const odd = [undefined, null, true, false, 0, 1, '', 'Proceed', 'allow', [], {}];
    for (const answer of odd) assert.deepEqual(markOf(false, answer), { gated: true });
  });
});

describe('what happens with a call', () => {
  const OWN = { gated: true, reason: 'Production deployment' };
  const NONE = { gated: false };

  it('is that it runs, where neither the agent nor a rule gates it [JC-21]', () => {
    assert.deepEqual(handlingOf(NONE, ALLOWED), RUN);
  });

  it('is that people are asked, with the reasons of the agent and of the rule [JC-27]', () => {
    const handling = handlingOf(OWN, judged({ reason: 'Freeze week.' }));
    assert.deepEqual(handling, {
      kind: 'gate',
      gate: gate({ reason: 'Production deployment Freeze week.' }),
    });
    assert.deepEqual(handlingOf(NONE, judged()), GATE);
    const same = handlingOf(OWN, judged({ reason: 'Production deployment' }));
    assert.deepEqual(same.kind === 'gate' && same.gate.reason, 'Production deployment');
  });

  it('is that it never runs, where a rule denies it, whatever the agent says', () => {
    const denied = judged({ verdict: 'deny', reason: 'Never.' });
    for (const mark of [OWN, NONE]) {
      assert.deepEqual(handlingOf(mark, denied), { kind: 'deny', reason: 'Never.' });
    }
  });

  it('is that it never runs, where it is gated and nobody can be asked', () => {
    assert.deepEqual(handlingOf(OWN, ALLOWED), DENY);
    const { plan: _plan, ...unplanned } = judged();
    assert.deepEqual(handlingOf(NONE, unplanned), DENY);
  });
});

describe('the approvals of a turn', () => {
  const handlings = [RUN, GATE, DENY, GATE];

  it('are one for each gated call, while the others run [JC-22, JC-25, AM-51, AM-52]', () => {
    assert.deepEqual(groupsOf(handlings, 'per_call'), [[1], [3]]);
    assert.equal(holdsUngated(handlings, 'per_call'), false);
  });

  it('are one for all gated calls, while the others wait [AM-51, AM-52]', () => {
    assert.deepEqual(groupsOf(handlings, 'per_turn'), [[1, 3]]);
    assert.equal(holdsUngated(handlings, 'per_turn'), true);
  });

  it('are none without a gated call', () => {
    for (const grouping of ['per_call', 'per_turn'] as const) {
      assert.deepEqual(groupsOf([RUN, DENY], grouping), []);
      assert.equal(holdsUngated([RUN, DENY], grouping), false);
    }
  });
});

describe('one approval for several calls', () => {
  const ADA = planWith(tier('ada'));
  const TINA = planWith(tier('tina'));

  it('takes the strictest route, with the stages of every plan of it', () => {
    const gates = [
      gate({ route: 'human_required', plan: planWith(tier('hugo')), reason: 'A.' }),
      gate({ route: 'policy_pack', plan: ADA, risk_class: 'medium', reason: 'B.' }),
      gate({ route: 'policy_pack', plan: TINA, risk_class: 'critical', reason: 'A.' }),
      gate({ route: 'policy_pack', plan: ADA, risk_class: 'low' }),
    ];
    assert.deepEqual(jointly(gates), {
      route: 'policy_pack',
      risk_class: 'critical',
      plan: { stages: [...ADA.stages, ...TINA.stages] },
      reason: 'A. B.',
    });
  });

  it('is that of the call, if there is one', () => {
    assert.deepEqual(jointly([gate({ reason: 'A.' })]), gate({ reason: 'A.' }));
    assert.deepEqual(jointly([gate()]), gate());
  });

  it('is not allowed by silence, unless the risk of every call is low', () => {
    const silent = (on_timeout: PlannedTier['on_timeout']) =>
      planWith(tier('ada', 'next_tier'), tier('ada', on_timeout));
    const low = gate({ risk_class: 'low', plan: silent('allow') });
    assert.deepEqual(jointly([low, low]).plan, silent('allow'));
    const mixed = jointly([low, gate({ risk_class: 'medium', plan: silent('allow') })]);
    assert.deepEqual(mixed.plan, silent('deny'));
  });

  it('does not exist without a call', () => {
    assert.throws(() => jointly([]), RangeError);
  });
});

describe('a rejection', () => {
  it('means to several calls the strictest that one of them asks for [AM-50]', () => {
    const cases: readonly (readonly [readonly RejectAction[], RejectAction])[] = [
      [['inject_result', 'cancel_task', 'policy_deny'], 'cancel_task'],
      [['policy_deny', 'inject_result'], 'policy_deny'],
      [['inject_result'], 'inject_result'],
      [[], 'inject_result'],
    ];
    for (const [actions, strictest] of cases) assert.equal(strictestReject(actions), strictest);
  });

  it('leaves the other calls of the turn alone, unless told otherwise [JC-33, AM-62]', () => {
    const after = (siblings: SiblingPolicy, action: RejectAction = 'inject_result') =>
      afterRejection(action, siblings);
    assert.equal(after('continue_siblings'), 'continue');
    assert.equal(after('cancel_siblings'), 'cancel');
    assert.equal(after('abort_iteration'), 'abort');
    assert.equal(after('continue_siblings', 'policy_deny'), 'continue');
    for (const siblings of ['continue_siblings', 'cancel_siblings', 'abort_iteration'] as const) {
      assert.equal(after(siblings, 'cancel_task'), 'cancel_task');
    }
  });
});
