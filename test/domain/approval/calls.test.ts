import assert from 'node:assert/strict';
import type { ToolCall } from '../../../contracts/approval/gate.js';
import type { ApprovalPlan, JudgedCall, PlannedTier } from '../../../contracts/approval/judging.js';
import type { RejectAction, SiblingPolicy } from '../../../contracts/constants/approvals.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import {
  afterRejection,
  checkCalls,
  type Gate,
  groupsOf,
  type Handling,
  handlingOf,
  holdsUngated,
  jointly,
  markOf,
  strictestReject,
} from '../../../domain/approval/asking/turn.js';
import { granted, refused } from '../samples.js';

const call = (id: string, rest: object = {}) => ({ id, name: 'deploy', arguments: {}, ...rest });
const withArguments = (given: unknown) => call('a', { arguments: given });

/** Objects within each other, `depth` of them. */
function nested(depth: number): object {
  let value: object = {};
  for (let at = 1; at < depth; at += 1) value = { in: value };
  return value;
}

function cyclic(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

/** Each level holds the next one twice: few objects, and 2 ** 60 values as JSON. */
function shared(): object {
  let value: object = {};
  for (let at = 0; at < 60; at += 1) value = { a: value, b: value };
  return value;
}

describe('the calls of a turn', () => {
  it('pass as a model makes them', () => {
    const calls = [
      call('a'),
      call('b', { arguments: { requires_approval: false, left_out: undefined } }),
      call('c', { arguments: nested(LIMITS.argumentsDepth) }),
    ];
    assert.deepEqual(
      granted(checkCalls(calls)),
      calls.map((one) => ({ call: one })),
    );
  });

  for (const [what, malformed, fault] of [
    ['no object', null, /no object with id/],
    ['a text', 'deploy', /no object with id/],
    ['without an id', { name: 'deploy', arguments: {} }, /The id of the call is not/],
    ['with a number as its id', call(7 as never), /The id of the call is not/],
    ['with an empty id', call(''), /The id of the call is not/],
    ['with a long id', call('x'.repeat(201)), /The id of the call is not/],
    ['with an id that came before', call('first'), /Another call .* the same id/],
    ['with an empty name', call('a', { name: '' }), /The name of the tool is not/],
    ['with white space around its name', call('a', { name: ' deploy' }), /The name of the tool/],
    ['with a number as its name', call('a', { name: 7 }), /The name of the tool is not/],
    ['with a list of arguments', withArguments([]), /arguments of the call are no object/],
    ['with null as its arguments', withArguments(null), /arguments of the call are no object/],
    ['with a number as its arguments', withArguments(7), /arguments of the call are no object/],
    ['with a text of arguments', withArguments('{}'), /arguments of the call are no object/],
    ['without arguments', { id: 'a', name: 'deploy' }, /arguments of the call are no object/],
    ['whose arguments are deep', withArguments(nested(102)), /nested too deeply/],
    ['whose arguments hold themselves', withArguments(cyclic()), /nested too deeply/],
    ['whose arguments are large', withArguments({ a: 'x'.repeat(LIMITS.callBytes) }), /too large/],
    ['whose arguments share much', withArguments(shared()), /too large/],
    ['with a function', withArguments({ a: () => 1 }), /not JSON/],
    ['with a bigint', withArguments({ a: 1n }), /not JSON/],
    ['with a symbol', withArguments({ a: Symbol('a') }), /not JSON/],
    ['with what is no number', withArguments({ a: Number.NaN }), /not JSON/],
    ['with a hole in a list', withArguments({ a: [undefined] }), /not JSON/],
    ['with a date', withArguments({ a: new Date(0) }), /not JSON/],
    ['with a map', withArguments({ a: new Map() }), /not JSON/],
    ['with __proto__', withArguments(JSON.parse('{"__proto__":{"a":1}}')), /__proto__/],
  ] as const) {
    it(`have a fault each, and the others none: one ${what} [JC-34]`, () => {
      const [first, second, third] = granted(checkCalls([call('first'), malformed, call('z')]));
      assert.deepEqual([first, third], [{ call: call('first') }, { call: call('z') }]);
      assert.match(second?.fault ?? '', fault);
      assert.match(second?.fault ?? '', /^[A-Z].*\.$/);
      assert.deepEqual(second?.call.arguments, {});
      const { id, name } = (Object(malformed) === malformed ? malformed : {}) as Partial<ToolCall>;
      const named = [id, name].map((text) => (typeof text === 'string' ? text : ''));
      assert.deepEqual([second.call.id, second.call.name], named);
    });
  }

  it('are a hundred at most: the rest have a fault', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => call(`c${index}`));
    const checked = granted(checkCalls(many));
    assert.equal(checked.length, 5_000);
    const sound = checked.filter(({ fault }) => fault === undefined);
    assert.deepEqual([sound.length, sound.at(-1)?.call.id], [LIMITS.proposedCalls, 'c99']);
    assert.match(checked.at(-1)?.fault ?? '', /at most 100 calls/);
  });

  it('have a bound together: what comes beyond it has a fault, and a small one after it none', () => {
    const large = { text: 'x'.repeat(LIMITS.callBytes - 20) };
    const calls = Array.from({ length: 6 }, (_, index) => call(`c${index}`, { arguments: large }));
    const checked = granted(checkCalls([...calls, call('small', { arguments: { a: 1 } })]));
    const faults = checked.map(({ fault }) => fault !== undefined);
    assert.deepEqual(faults, [false, false, false, false, true, true, false]);
  });

  it('are a list', () => {
    for (const calls of ['deploy', null, {}, undefined]) {
      const { code, field } = refused(checkCalls(calls));
      assert.deepEqual([code, field], ['invalid_request', 'calls']);
    }
  });
});

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
