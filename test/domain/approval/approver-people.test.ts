import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import {
  planWithPeople,
  unknownApprovers,
  warningsIn,
} from '../../../domain/approval/asking/approver-people.js';
import { initiatorPlan } from '../../../domain/approval/asking/initiator.js';
import { planOf } from '../../../domain/approval/asking/route.js';
import { judgeCall } from '../../../domain/approval/asking/rules.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { granted, refused } from '../samples.js';

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
