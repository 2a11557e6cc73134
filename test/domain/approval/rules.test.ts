import assert from 'node:assert/strict';
import fc from 'fast-check';
import { approvalsConfigSchema, type ApprovalRule } from '../../../contracts/approval/rules.js';
import type { ApprovalClaim, Judgement } from '../../../contracts/approval/judging.js';
import { RISK_CLASSES } from '../../../contracts/constants/approvals.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { judgeCall, stricterRoute } from '../../../domain/approval/asking/rules.js';

const PACKS = { finance: { stages: [{}] }, legal: { stages: [{}] } };

/** Rules as the configuration file gives them. */
function rulesOf(...rules: readonly object[]): readonly ApprovalRule[] {
  return approvalsConfigSchema.parse({ rules, packs: PACKS }).rules;
}

function judge(
  rules: readonly object[],
  call: { tool?: string; agent?: string; arguments?: JsonObject } = {},
  claimed?: ApprovalClaim,
): Judgement {
  return judgeCall(
    rulesOf(...rules),
    { tool: 'pay', agent: 'bot', arguments: {}, ...call },
    claimed,
  );
}

const ALLOW = { verdict: 'allow', risk_class: 'low' };
const DENY = { verdict: 'deny' };
const ONE = { verdict: 'escalate', risk_class: 'medium' };
const TWO = { verdict: 'escalate', risk_class: 'high', route: 'dual_approval' };
const PACK = { verdict: 'escalate', risk_class: 'high', route: 'policy_pack', pack: 'finance' };

describe('the rules of approvals', () => {
  it('let one person decide where no rule matches [A54-34]', () => {
    const unmatched = { verdict: 'escalate', risk_class: 'high', route: 'human_required' };
    assert.deepEqual(judge([]), unmatched);
    assert.deepEqual(judge([{ ...ALLOW, tool: 'read' }]), unmatched);
  });

  it('give the route that the first matching rule hints at [A54-09, A54-10]', () => {
    const rules = [{ ...DENY, tool: 'drop' }, { ...TWO, tool: 'pay', reason: 'Money.' }, ALLOW];
    assert.deepEqual(judge(rules), {
      verdict: 'escalate',
      risk_class: 'high',
      route: 'dual_approval',
      reason: 'Money.',
      rule: 1,
    });
    assert.equal(judge(rules, { tool: 'drop' }).verdict, 'deny');
    assert.deepEqual(judge(rules, { tool: 'read' }), {
      verdict: 'allow',
      risk_class: 'low',
      route: 'auto',
      rule: 2,
    });
  });

  it('know the verdicts, routes and risks that the specification names, and no others [AM-72]', () => {
    const known = { tool: 'pay', verdict: 'escalate', route: 'human_required', risk_class: 'low' };
    const accepts = (fields: object) =>
      approvalsConfigSchema.safeParse({ rules: [{ ...known, ...fields }], packs: PACKS }).success;
    const verdicts = ['allow', 'deny', 'escalate', 'modify', 'redact'].filter((verdict) =>
      accepts({ verdict, route: undefined }),
    );
    assert.deepEqual(verdicts, ['allow', 'deny', 'escalate']);
    const routes = ['auto', 'human_required', 'dual_approval', 'quorum', 'committee'].filter(
      (route) => accepts({ route }),
    );
    assert.deepEqual(routes, ['auto', 'human_required', 'dual_approval']);
    assert.ok(accepts({ route: 'policy_pack', pack: 'finance' }));
    assert.deepEqual(RISK_CLASSES, ['low', 'medium', 'high', 'critical']);
  });

  it('name the pack of a policy pack [A54-08, A54-10]', () => {
    const { route, pack } = judge([PACK]);
    assert.deepEqual([route, pack], ['policy_pack', 'finance']);
  });

  it('let a call on the route auto run [A54-04]', () => {
    const { verdict, route } = judge([{ verdict: 'escalate', route: 'auto' }]);
    assert.deepEqual([verdict, route], ['allow', 'auto']);
    assert.equal(judge([ALLOW]).route, 'auto');
  });

  it('take an escalation without a hint to one person [A54-10]', () => {
    assert.equal(judge([ONE]).route, 'human_required');
  });

  for (const [pattern, name, isMatch] of [
    ['pay', 'pay', true],
    ['pay', 'payout', false],
    ['pay', 'Pay', false],
    ['pay*', 'payout', true],
    ['pay*', 'repay', false],
    ['*', 'anything', true],
    ['*.write', 'disk.write', true],
    ['*.write', 'disk.writer', false],
    ['db.*.drop', 'db.users.drop', true],
    ['db.*.drop', 'db.drop', false],
    ['a*a', 'a', false],
    ['a*b*b', 'ab', false],
    ['a**b', 'ab', true],
    ['a.c', 'abc', false],
    ['(a+)+', 'aaa', false],
  ] as const) {
    it(`${isMatch ? 'match' : 'do not match'} ${name} by ${pattern}`, () => {
      const found = isMatch ? 'deny' : 'escalate';
      assert.equal(judge([{ ...DENY, tool: pattern }], { tool: name }).verdict, found);
      assert.equal(judge([{ ...DENY, agent: pattern }], { agent: name }).verdict, found);
    });
  }

  it('match a long name in time that does not explode', () => {
    const rules = rulesOf({ ...DENY, tool: `${'a*'.repeat(90)}b` });
    const call = { tool: 'a'.repeat(100_000), agent: 'bot', arguments: {} };
    assert.equal(judgeCall(rules, call).verdict, 'escalate');
  });

  const ARGUMENTS = { amount: 500, to: { country: 'CH', 'a.b': 1 }, tags: ['x', 'y'], note: null };
  for (const [path, comparison, isMatch] of [
    ['amount', { equals: 500 }, true],
    ['amount', { equals: 501 }, false],
    ['amount', { not_equals: 500 }, false],
    ['amount', { greater_than: 500 }, false],
    ['amount', { at_least: 500 }, true],
    ['amount', { less_than: 500 }, false],
    ['amount', { at_most: 500 }, true],
    ['amount', { greater_than: 100, less_than: 500 }, false],
    ['amount', { greater_than: 100, less_than: 501 }, true],
    ['to.country', { one_of: ['DE', 'CH'] }, true],
    ['to.country', { none_of: ['DE', 'CH'] }, false],
    ['to.country', { at_least: 'CA' }, true],
    ['to', { equals: { 'a.b': 1, country: 'CH' } }, true],
    ['tags.1', { equals: 'y' }, true],
    ['tags.9', { present: false }, true],
    ['note', { present: true }, true],
    ['missing', { present: true }, false],
    ['missing', { equals: null }, true],
    ['missing', { greater_than: 1 }, false],
    ['missing', { less_than: 1 }, false],
    ['constructor.name', { present: true }, false],
  ] as const) {
    it(`${isMatch ? 'match' : 'do not match'} ${path} by ${JSON.stringify(comparison)}`, () => {
      const rule = { ...DENY, arguments: { [path]: comparison } };
      const found = isMatch ? 'deny' : 'escalate';
      assert.equal(judge([rule], { arguments: ARGUMENTS }).verdict, found);
    });
  }

  it('need all conditions of a rule', () => {
    const rule = { ...DENY, tool: 'pay', arguments: { a: { equals: 1 }, b: { equals: 2 } } };
    assert.equal(judge([rule], { arguments: { a: 1, b: 2 } }).verdict, 'deny');
    assert.equal(judge([rule], { arguments: { a: 1, b: 3 } }).verdict, 'escalate');
    assert.equal(judge([rule], { tool: 'x', arguments: { a: 1, b: 2 } }).verdict, 'escalate');
  });

  it('get stricter where an argument has a type that a rule cannot compare', () => {
    const large = { ...DENY, arguments: { amount: { greater_than: 1000 } } };
    const small = { ...ALLOW, arguments: { amount: { less_than: 10 } } };
    const asText = { arguments: { amount: '5000' } };
    assert.deepEqual(judge([large, ALLOW], asText), {
      verdict: 'deny',
      risk_class: 'high',
      route: 'auto',
      rule: 0,
    });
    assert.equal(judge([small, ONE], asText).verdict, 'escalate');
    assert.equal(judge([{ ...ONE, arguments: large.arguments }, DENY], asText).verdict, 'deny');
    const { route, pack } = judge([{ ...PACK, arguments: large.arguments }, ONE], asText);
    assert.deepEqual([route, pack], ['policy_pack', 'finance']);
  });

  const OTHER_TYPES: readonly (readonly [comparison: object, value: JsonValue])[] = [
    [{ equals: true }, 'true'],
    [{ equals: true }, 1],
    [{ equals: true }, [true]],
    [{ equals: 5000 }, '5000'],
    [{ equals: '5000' }, 5000],
    [{ equals: 'IR' }, ['IR']],
    [{ equals: 'IR' }, { code: 'IR' }],
    [{ equals: { x: 1 } }, { x: '1' }],
    [{ equals: { x: 1 } }, '{"x":1}'],
    [{ equals: { x: 1 } }, [{ x: 1 }]],
    [{ equals: [1] }, ['1']],
    [{ not_equals: false }, 'false'],
    [{ not_equals: 1 }, true],
    [{ one_of: ['IR', 'KP'] }, ['IR']],
    [{ one_of: ['IR', 'KP'] }, { country: 'IR' }],
    [{ one_of: [5000, null] }, '5000'],
    [{ none_of: ['IR', 'KP'] }, ['IR']],
    [{ none_of: ['IR', 'KP'] }, { '0': 'IR' }],
    [{ none_of: [1, 2] }, '1'],
    [{ at_most: 10 }, '5000'],
    [{ less_than: 'b' }, 1],
  ];
  for (const [comparison, value] of OTHER_TYPES) {
    it(`only get stricter where ${JSON.stringify(comparison)} meets ${JSON.stringify(value)}`, () => {
      const when = { arguments: { amount: comparison } };
      const call = { arguments: { amount: value } };
      assert.equal(judge([{ ...DENY, ...when }, ALLOW], call).verdict, 'deny');
      assert.equal(judge([{ ...TWO, ...when }, ALLOW], call).route, 'dual_approval');
      assert.equal(judge([{ ...ALLOW, ...when }, ONE], call).verdict, 'escalate');
      assert.equal(judge([{ ...ALLOW, ...when }], call).verdict, 'escalate');
    });
  }

  for (const to of ['IR', '{"country":"IR"}', 7, true, ['IR'], [{ country: 'IR' }]] as const) {
    it(`only get stricter where a path leads into ${JSON.stringify(to)}`, () => {
      const of = (comparison: object) => ({ arguments: { 'to.country': comparison } });
      const call = { arguments: { to: to as JsonValue } };
      for (const comparison of [{ one_of: ['IR'] }, { present: true }, { equals: 'IR' }]) {
        assert.equal(judge([{ ...DENY, ...of(comparison) }, ALLOW], call).verdict, 'deny');
      }
      for (const comparison of [{ none_of: ['IR'] }, { present: false }, { not_equals: 'IR' }]) {
        assert.equal(judge([{ ...ALLOW, ...of(comparison) }, ONE], call).verdict, 'escalate');
      }
    });
  }

  const MISREAD: readonly (readonly [path: string, args: JsonObject])[] = [
    ['items.0.amount', { items: { amount: 5_000 } }],
    ['items.0.amount', { items: {} }],
    ['items.0', { items: { '00': 5_000 } }],
    ['items.00.amount', { items: [{ amount: 5_000 }] }],
    ['items.01', { items: [1, 5_000] }],
    ['items.0.lines.1.amount', { items: [{ lines: { amount: 5_000 } }] }],
    ['amount.usd', { 'amount.usd': 5_000 }],
    ['amount.usd', { 'amount.usd': 5_000, amount: { usd: 1 } }],
    ['order.amount.usd', { order: { 'amount.usd': 5_000 } }],
    ['order.amount.usd', { 'order.amount': { usd: 5_000 } }],
    ['items.0.amount', { 'items.0': { amount: 5_000 } }],
  ];
  for (const [path, args] of MISREAD) {
    it(`only get stricter where ${path} is to be read in ${JSON.stringify(args)}`, () => {
      const of = (comparison: object) => ({ arguments: { [path]: comparison } });
      const call = { arguments: args };
      for (const comparison of [{ at_least: 1_000 }, { present: true }, { equals: 5_000 }]) {
        assert.equal(judge([{ ...DENY, ...of(comparison) }, ALLOW], call).verdict, 'deny');
      }
      for (const comparison of [{ present: false }, { not_equals: 5_000 }]) {
        assert.equal(judge([{ ...ALLOW, ...of(comparison) }, ONE], call).verdict, 'escalate');
      }
    });
  }

  it('read an entry of a list by its number, and a key that is a number', () => {
    const verdictOf = (path: string, args: JsonObject) => {
      const rule = { ...DENY, arguments: { [path]: { at_least: 1_000 } } };
      return judge([rule, ALLOW], { arguments: args }).verdict;
    };
    assert.equal(verdictOf('items.0.amount', { items: [{ amount: 5_000 }] }), 'deny');
    assert.equal(verdictOf('items.0.amount', { items: [{ amount: 5 }] }), 'allow');
    assert.equal(verdictOf('items.10.amount', { items: [{ amount: 5_000 }] }), 'allow');
    assert.equal(verdictOf('items.0.amount', { items: { '0': { amount: 5_000 } } }), 'deny');
    assert.equal(verdictOf('items.0.amount', { items: { '0': { amount: 5 } } }), 'allow');
    assert.equal(verdictOf('items.0.amount', {}), 'allow');
    assert.equal(verdictOf('items.0.amount', { items: null }), 'allow');
  });

  it('know that null and a missing argument are no other value', () => {
    for (const args of [{}, { amount: null }]) {
      const rule = (comparison: object) => ({ ...DENY, arguments: { amount: comparison } });
      const verdictOf = (comparison: object) =>
        judge([rule(comparison), ALLOW], { arguments: args }).verdict;
      assert.equal(verdictOf({ equals: true }), 'allow');
      assert.equal(verdictOf({ one_of: ['IR'] }), 'allow');
      assert.equal(verdictOf({ none_of: ['IR'] }), 'deny');
      assert.equal(verdictOf({ one_of: [null] }), 'deny');
    }
  });

  it('keep the first of two packs', () => {
    const unclear = { ...PACK, pack: 'legal', arguments: { amount: { at_least: 1 } } };
    assert.equal(judge([unclear, PACK], { arguments: { amount: 'x' } }).pack, 'finance');
  });
});

describe('what an agent claims of its call', () => {
  for (const [what, rule, claimed, expected] of [
    [
      'asks for a person',
      ALLOW,
      { requires_approval: true },
      ['escalate', 'low', 'human_required'],
    ],
    ['asks for two', ALLOW, { route: 'dual_approval' }, ['escalate', 'low', 'dual_approval']],
    [
      'asks for two, not one',
      ONE,
      { route: 'dual_approval' },
      ['escalate', 'medium', 'dual_approval'],
    ],
    [
      'raises the risk',
      ONE,
      { risk_class: 'critical' },
      ['escalate', 'critical', 'human_required'],
    ],
    [
      'does not lower the risk',
      ONE,
      { risk_class: 'low' },
      ['escalate', 'medium', 'human_required'],
    ],
    [
      'does not lower the route',
      TWO,
      { route: 'human_required' },
      ['escalate', 'high', 'dual_approval'],
    ],
    [
      'needs no approval of its own',
      TWO,
      { requires_approval: false },
      ['escalate', 'high', 'dual_approval'],
    ],
    ['asks for no route', ONE, { route: 'auto' }, ['escalate', 'medium', 'human_required']],
    ['does not undo a denial', DENY, { route: 'dual_approval' }, ['deny', 'high', 'auto']],
    ['does not undo a pack', PACK, { route: 'dual_approval' }, ['escalate', 'high', 'policy_pack']],
  ] as const) {
    it(`${what} [A54-10]`, () => {
      const { verdict, risk_class, route } = judge([rule], {}, claimed);
      assert.deepEqual([verdict, risk_class, route], expected);
    });
  }

  const STRICTNESS = {
    verdict: ['allow', 'escalate', 'deny'],
    route: ['auto', 'human_required', 'dual_approval', 'policy_pack'],
  };
  it('never makes it less strict [A54-10]', () => {
    const claims = fc.record(
      {
        requires_approval: fc.boolean(),
        risk_class: fc.constantFrom(...RISK_CLASSES),
        route: fc.constantFrom(
          'auto' as const,
          'human_required' as const,
          'dual_approval' as const,
        ),
      },
      { requiredKeys: [] },
    );
    const rule = fc.constantFrom(ALLOW, DENY, ONE, TWO, PACK);
    fc.assert(
      fc.property(rule, claims, (of, claimed) => {
        const without = judge([of]);
        const withClaim = judge([of], {}, claimed);
        const rank = ({ verdict }: Judgement) => STRICTNESS.verdict.indexOf(verdict);
        const steps = ({ route }: Judgement) => STRICTNESS.route.indexOf(route);
        const risk = ({ risk_class }: Judgement) => RISK_CLASSES.indexOf(risk_class);
        assert.ok(rank(withClaim) >= rank(without));
        assert.ok(steps(withClaim) >= steps(without));
        assert.ok(risk(withClaim) >= risk(without));
        assert.equal(withClaim.pack, without.pack);
        assert.equal(withClaim.rule, without.rule);
      }),
    );
  });
});

describe('a call that the agent does not gate', () => {
  const pay = (amount: JsonValue) => ({ tool: 'pay', agent: 'bot', arguments: { amount } });
  const RULES = approvalsConfigSchema.parse({
    rules: [{ tool: 'pay', arguments: { amount: { at_least: 100 } }, verdict: 'escalate' }],
  }).rules;

  it('runs if no rule matches it [JC-21]', () => {
    assert.deepEqual(judgeCall(RULES, pay(99), {}, true), {
      verdict: 'allow',
      risk_class: 'low',
      route: 'auto',
    });
    assert.equal(judgeCall(RULES, pay(100), {}, true).verdict, 'escalate');
    assert.equal(judgeCall(RULES, pay(99)).verdict, 'escalate');
  });

  it('does not run if its arguments leave unclear whether a rule matches it [JC-30]', () => {
    for (const amount of ['100', '5', true, [], {}]) {
      assert.equal(judgeCall(RULES, pay(amount), {}, true).verdict, 'escalate');
    }
  });

  it('takes a claim all the same', () => {
    const claimed = { route: 'dual_approval', risk_class: 'critical' } as const;
    const { verdict, route, risk_class } = judgeCall(RULES, pay(1), claimed, true);
    assert.deepEqual([verdict, route, risk_class], ['escalate', 'dual_approval', 'critical']);
  });
});

describe('of two routes', () => {
  it('the stricter one counts', () => {
    assert.equal(stricterRoute('auto', 'human_required'), 'human_required');
    assert.equal(stricterRoute('policy_pack', 'dual_approval'), 'policy_pack');
  });
});
