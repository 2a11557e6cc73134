import assert from 'node:assert/strict';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import type { ApprovalRoute } from '../../../contracts/constants/approvals.js';
import {
  planWithPeople,
  unknownApprovers,
  warningsIn,
} from '../../../domain/approval/asking/approver-people.js';
import {
  actsFor,
  checkActsFor,
  checkDecider,
  deciderOf,
  decidersIn,
  explained,
  initiatorPlan,
} from '../../../domain/approval/asking/initiator.js';
import { planOf } from '../../../domain/approval/asking/route.js';
import { judgeCall } from '../../../domain/approval/asking/rules.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { ok, refuse } from '../../../domain/kernel/ruling.js';
import { granted, refused } from '../samples.js';

const USER = { agent: 'bot', decider: 'ursula' };

function planned(config: object, route: ApprovalRoute, proposer = USER) {
  const judged = { verdict: 'escalate', risk_class: 'high', route, pack: 'p' } as const;
  const { agent } = proposer;
  const users = { agent, on_behalf_of: actsFor(proposer) };
  const plan = planOf(judged, approvalsConfigSchema.parse(config), users);
  assert.ok(plan);
  return initiatorPlan(plan, route, proposer);
}

function rulesOf(config: object, route: ApprovalRoute, proposer = USER) {
  const decided = planned(config, route, proposer);
  return decided.stages.flatMap(({ tiers }) =>
    tiers.map(({ question: { decision_rule: rule } }) => [rule.eligible, rule.excluded]),
  );
}

describe('the user who initiated a task', () => {
  it('decides alone where the configuration names nobody [P3-20, AM-49]', () => {
    assert.deepEqual(rulesOf({}, 'human_required'), [[{ principals: ['ursula'] }, ['bot']]]);
  });

  it('decides in every tier', () => {
    const config = { routes: { human_required: { tiers: [{}, {}] } } };
    assert.equal(rulesOf(config, 'human_required').length, 2);
    assert.deepEqual(rulesOf(config, 'human_required')[1], [{ principals: ['ursula'] }, ['bot']]);
  });

  it('does not decide where the configuration names who does [AM-49]', () => {
    const approvers = { groups: ['finance'] };
    const config = { routes: { human_required: { approvers } } };
    assert.deepEqual(rulesOf(config, 'human_required'), [[approvers, ['bot', 'ursula']]]);
  });

  it('never decides as one of two, nor in a policy pack [AM-49]', () => {
    const packs = { p: { stages: [{}] } };
    assert.deepEqual(rulesOf({}, 'dual_approval')[0], [{}, ['bot', 'ursula']]);
    assert.deepEqual(rulesOf({ packs }, 'policy_pack')[0], [{}, ['bot', 'ursula']]);
  });

  it('is not the agent itself', () => {
    const itself = { agent: 'bot', decider: 'bot' };
    assert.deepEqual(rulesOf({}, 'human_required', itself), [[{}, ['bot']]]);
  });
});

describe('for whom an agent acts, and who decides', () => {
  it('is never the same by one name: who is only acted for does not decide [AM-66]', () => {
    const behalf = { agent: 'bot', on_behalf_of: 'ursula' } as never;
    assert.deepEqual(rulesOf({}, 'human_required', behalf), [[{}, ['bot', 'ursula']]]);
  });

  it('are the same user where both are named', () => {
    const both = { on_behalf_of: 'ursula', decider: 'ursula' };
    for (const users of [{}, { decider: 'ursula' }, { on_behalf_of: 'ursula' }, both]) {
      assert.equal(granted(checkDecider(users)), true);
    }
    const { code, field } = refused(checkDecider({ on_behalf_of: 'ursula', decider: 'vera' }));
    assert.deepEqual([code, field], ['invalid_request', 'decider']);
    assert.equal(refused(checkActsFor(['ursula'], 'vera', 'decider')).field, 'decider');
  });
});

describe('who is named to decide', () => {
  it('is for a consent and a sign-in the user whom it concerns [P3-15, P3-20]', () => {
    const on_behalf_of = 'ursula';
    assert.equal(deciderOf({ kind: 'consent', on_behalf_of }), 'ursula');
    assert.equal(deciderOf({ kind: 'authentication', on_behalf_of }), 'ursula');
    assert.equal(deciderOf({ kind: 'tool_approval', on_behalf_of }), undefined);
    assert.equal(deciderOf({ on_behalf_of }), undefined);
    assert.equal(deciderOf({ kind: 'consent' }), undefined);
    assert.equal(deciderOf({ kind: 'consent', decider: 'vera' }), 'vera');
    const rules = rulesOf({}, 'human_required', {
      agent: 'bot',
      kind: 'consent',
      on_behalf_of,
    } as never);
    assert.deepEqual(rules, [[{ principals: ['ursula'] }, ['bot']]]);
  });

  it('brings no warning where that user decides', () => {
    assert.equal(planned({}, 'human_required').warnings, undefined);
    assert.equal(planned({}, 'human_required', { agent: 'bot' } as never).warnings, undefined);
    const itself = { agent: 'bot', on_behalf_of: 'bot' } as never;
    assert.equal(planned({}, 'human_required', itself).warnings, undefined);
  });

  it('brings a warning where the user is only acted for', () => {
    const behalf = { agent: 'bot', on_behalf_of: 'ursula' } as never;
    assert.deepEqual(planned({}, 'human_required', behalf).warnings, [
      'ursula, for whom it is asked, does not decide. To have this user alone decide, name it as decider.',
    ]);
  });

  const finance = { groups: ['finance'], roles: ['admin'], principals: ['carol'] };
  const stages = [{ approvers: finance }, {}];
  for (const [route, config, proposer, said] of [
    ['dual_approval', {}, USER, '2 of others who may approve'],
    [
      'dual_approval',
      { routes: { dual_approval: { approvers: finance } } },
      USER,
      '2 of carol, the group finance, the role admin',
    ],
    [
      'human_required',
      { routes: { human_required: { approvers: { groups: ['finance'] } } } },
      USER,
      'the group finance',
    ],
    [
      'policy_pack',
      { packs: { p: { stages } } },
      USER,
      'carol, the group finance, the role admin, then others who may approve',
    ],
    ['human_required', {}, { agent: 'bot', decider: 'bot' }, 'others who may approve'],
  ] as const) {
    it(`brings a warning that names who decides: ${said}, by ${route}`, () => {
      const plan = planned(config, route, proposer);
      assert.deepEqual(plan.warnings, [
        `${proposer.decider} is named to decide and does not: by the configuration that is up to ${said}.`,
      ]);
      const { decider, decided_by } = decidersIn(plan, proposer.decider);
      assert.equal(decider, undefined);
      assert.equal(decided_by?.length, plan.stages.length);
    });
  }

  it('brings the same warning where duties are separate', () => {
    const plan = planned({}, 'human_required', { agent: 'bot' } as never);
    const { warnings = [] } = initiatorPlan(plan, 'human_required', USER, false);
    assert.match(warnings.join(), /^ursula is named to decide and does not/);
  });

  it('is in the proposal only if that user decides', () => {
    assert.deepEqual(decidersIn(planned({}, 'human_required'), 'ursula'), { decider: 'ursula' });
    const config = { routes: { dual_approval: { approvers: finance } } };
    const dual = planned(config, 'dual_approval');
    assert.deepEqual(decidersIn(dual, 'ursula'), { decided_by: [finance] });
    assert.deepEqual(decidersIn(dual, undefined), {});
    assert.deepEqual(decidersIn(undefined, 'ursula'), { decider: 'ursula' });
    const named = { routes: { human_required: { approvers: { principals: ['ursula'] } } } };
    assert.equal(decidersIn(planned(named, 'human_required'), 'ursula').decider, undefined);
  });
});

describe('a user who is acted for and does not decide', () => {
  const refusal = refuse('not_eligible', 'Excluded.', { accepted: 'another' });
  const of = (fields: object) => ({ on_behalf_of: 'ursula', ...fields }) as never;
  const voter = { responded_by: 'ursula' };
  const said = (fields: object, by: object = voter) =>
    refused(explained(refusal, by as never, of(fields)));

  it('is told in the refusal of the field that would let it', () => {
    const { code, detail, accepted } = said({});
    assert.deepEqual([code, accepted], ['not_eligible', 'another']);
    assert.match(
      detail,
      /^Excluded\. The agent only acts for this user; .* named it as decider\.$/,
    );
    assert.match(said({ decided_by: [{}] }).detail, /by the configuration others do\.$/);
  });

  it('is told nothing of it where another reason holds', () => {
    for (const [fields, by] of [
      [{}, { responded_by: 'vera' }],
      [{}, { ...voter, separation_of_duties: true }],
      [{ decider: 'ursula' }, voter],
    ] as const) {
      assert.equal(said(fields, by).detail, 'Excluded.');
    }
    const other = refuse('responded_by_mismatch', 'Another.');
    assert.equal(refused(explained(other, voter, of({}))).detail, 'Another.');
    assert.equal(granted(explained(ok(true), voter, of({}))), true);
    assert.equal(refused(explained(refusal, voter, undefined)).detail, 'Excluded.');
  });
});

describe('a key that acts for users', () => {
  it('names those of its configuration and nobody else', () => {
    assert.equal(granted(checkActsFor([], undefined)), true);
    assert.equal(granted(checkActsFor(['ursula', 'vera'], 'vera')), true);
    const { code, field, accepted } = refused(checkActsFor(['ursula', 'vera'], 'walter'));
    assert.deepEqual([code, field, accepted], ['forbidden', 'on_behalf_of', 'ursula or vera']);
    assert.match(refused(checkActsFor([], 'walter')).accepted ?? '', /has no acts_for/);
  });
});

const KEYS = [{ space: 'default', principal: 'ursula', groups: ['finance'] }];
const ALL = knownPeople('default', KEYS);
const SOME = knownPeople('default', KEYS, {}, false);

function planFor(decider: string | undefined, approvers?: object, on_behalf_of?: string) {
  const routes = approvers ? { human_required: { approvers } } : {};
  const config = approvalsConfigSchema.parse({ routes });
  const judged = judgeCall([], { tool: 'mail', agent: 'bot', arguments: {} });
  const plan = planOf(judged, config, { agent: 'bot', on_behalf_of });
  assert.ok(plan);
  return initiatorPlan(plan, judged.route, { agent: 'bot', decider });
}

describe('the people whom an approval asks', () => {
  it('are nothing special where they are known, or nobody is named', () => {
    for (const plan of [
      planFor('ursula'),
      planFor(undefined),
      planFor('x', { groups: ['finance'] }),
    ]) {
      assert.deepEqual(granted(planWithPeople(plan, 'ursula', ALL)), plan);
    }
  });

  it('have a decider whom somebody knows: refused where all are known, else warned of', () => {
    const plan = planFor('ursule');
    const { code, field, detail } = refused(planWithPeople(plan, 'ursule', ALL));
    assert.deepEqual([code, field], ['unknown_principal', 'decider']);
    // Who is there is not for agents.
    assert.doesNotMatch(detail, /ursula/);
    const told = warningsIn(granted(planWithPeople(plan, 'ursule', SOME)));
    assert.match(told.join(), /^No key .* principal ursule answer; the issuer may\.$/);
  });

  it('are said not to be judged where nobody knows who can answer', () => {
    const told = warningsIn(granted(planWithPeople(planFor('ursule'), 'ursule', undefined)));
    assert.match(told.join(), /^Nobody has checked/);
  });

  it('are named with their paths where the configuration has them wrong, for whoever runs it', () => {
    const config = approvalsConfigSchema.parse({
      routes: {
        human_required: { approvers: { groups: ['finance'], principals: ['ursule'] } },
        dual_approval: { tiers: [{}, { approvers: { groups: ['financ'] } }] },
      },
      packs: { pay: { stages: [{}, { approvers: { groups: ['legal'] } }] } },
    });
    const nobody = 'No key and no entry of the directory lets';
    assert.deepEqual(unknownApprovers(config, ALL), [
      `approvals.routes.human_required: ${nobody} the principal ursule answer.`,
      `approvals.routes.dual_approval: ${nobody} the group financ answer.`,
      `approvals.packs.pay.stages[1]: ${nobody} the group legal answer.`,
    ]);
    assert.deepEqual(unknownApprovers(approvalsConfigSchema.parse({}), ALL), []);
  });

  it('are warned of where the configuration names them, which no agent can mend', () => {
    for (const [plan, expected] of [
      [planFor('ursule', { groups: ['financ'] }), /,No key .* group financ answer\.$/],
      [planFor(undefined, { principals: ['ursula'] }, 'ursula'), /Too few others are eligible/],
      [planFor(undefined, { groups: ['finance'] }, 'ursula'), /Too few others are eligible/],
    ] as const) {
      const found = granted(planWithPeople(plan, 'ursule', ALL));
      assert.match(warningsIn(found).join(), expected);
      const { warnings, ...tier } = found.stages[0]?.tiers[0] ?? assert.fail();
      assert.equal(warnings?.length, 1);
      assert.deepEqual(tier, plan.stages[0]?.tiers[0]);
    }
  });
});
