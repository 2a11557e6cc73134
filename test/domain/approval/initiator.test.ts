import assert from 'node:assert/strict';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import type { ApprovalRoute } from '../../../contracts/constants/approvals.js';
import {
  actsFor,
  checkActsFor,
  checkDecider,
  initiatorPlan,
} from '../../../domain/approval/asking/initiator.js';
import { planOf } from '../../../domain/approval/asking/route.js';
import { granted, refused } from '../samples.js';

const USER = { agent: 'bot', decider: 'ursula' };

function rulesOf(config: object, route: ApprovalRoute, proposer = USER) {
  const judged = { verdict: 'escalate', risk_class: 'high', route, pack: 'p' } as const;
  const { agent } = proposer;
  const users = { agent, on_behalf_of: actsFor(proposer) };
  const plan = planOf(judged, approvalsConfigSchema.parse(config), users);
  assert.ok(plan);
  const decided = initiatorPlan(plan, route, proposer);
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

describe('a key that acts for users', () => {
  it('names those of its configuration and nobody else', () => {
    assert.equal(granted(checkActsFor([], undefined)), true);
    assert.equal(granted(checkActsFor(['ursula', 'vera'], 'vera')), true);
    const { code, field, accepted } = refused(checkActsFor(['ursula', 'vera'], 'walter'));
    assert.deepEqual([code, field, accepted], ['forbidden', 'on_behalf_of', 'ursula or vera']);
    assert.match(refused(checkActsFor([], 'walter')).accepted ?? '', /has no acts_for/);
  });
});
