import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ApprovalPlan, Judgement } from '../../../contracts/approval/judging.js';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { inputRequestSchema } from '../../../contracts/suspension/requests.js';
import {
  nextStage,
  planOf,
  type ApprovalStep,
  type TierOutcome,
} from '../../../domain/approval/asking/route.js';
import { APPROVAL_DECISIONS } from '../../../contracts/constants/approvals.js';
import { resolveQuestion } from '../../../domain/suspension/asking/question.js';
import { scheduleOf } from '../../../domain/suspension/asking/schedule.js';

const DAY = 86_400;
const AT = '2026-03-24T10:00:00.000Z';
const PROPOSER = { agent: 'bot', on_behalf_of: 'ursula' };
const judged = (route: Judgement['route'], rest: Partial<Judgement> = {}): Judgement => ({
  verdict: 'escalate',
  risk_class: 'high',
  route,
  ...rest,
});

function plan(config: object, of: Judgement, proposer: typeof PROPOSER = PROPOSER): ApprovalPlan {
  const found = planOf(of, approvalsConfigSchema.parse(config), proposer);
  assert.ok(found);
  return found;
}

function asked(step: ApprovalStep): Extract<ApprovalStep, { kind: 'ask' }> {
  assert.ok(step.kind === 'ask');
  return step;
}

/** The first question of a plan, resolved as an agent's question is. */
function opened(of: ApprovalPlan) {
  const { question } = asked(nextStage(of, [])).ask;
  const choices = APPROVAL_DECISIONS.map((value) => ({ value, label: value }));
  const request = inputRequestSchema.parse({ question: 'Go?', choices, ...question });
  const platform = { max_attempts: 7, final_fallback_policy: 'complete_with_fallback' } as const;
  const limits = { contextBytes: 1_000, windowSeconds: 100 * DAY };
  const resolved = resolveQuestion(request, platform, limits);
  assert.ok(resolved.ok);
  return resolved.value.draft;
}

describe('who is asked on a route', () => {
  it('is one operator without any configuration, for 24 hours, then deny [A54-05, A54-25, A54-34, AM-66]', () => {
    const of = plan({}, judged('human_required'));
    assert.deepEqual(of, {
      stages: [
        {
          tiers: [
            {
              question: {
                decision_rule: {
                  eligible: {},
                  excluded: ['bot', 'ursula'],
                  quorum: 1,
                  denials: ['rejected'],
                  veto: true,
                },
                timeout_seconds: DAY,
                fallback_policy: 'fail',
                inherit_retry_policy: false,
              },
              on_timeout: 'deny',
            },
          ],
        },
      ],
    });
    assert.deepEqual(nextStage(of, ['timeout']), { kind: 'end', verdict: 'denied', by: 'timeout' });
  });

  it('is two people who did not propose the call, on dual_approval [A54-06]', () => {
    const { decision_rule } = opened(plan({}, judged('dual_approval')));
    assert.deepEqual([decision_rule?.quorum, decision_rule?.veto], [2, true]);
    assert.deepEqual(decision_rule?.excluded, ['bot', 'ursula']);
  });

  it('is nobody where a call is allowed or denied, so no timer runs [A54-04, AM-68]', () => {
    const config = approvalsConfigSchema.parse({});
    for (const verdict of ['allow', 'deny'] as const) {
      assert.equal(planOf(judged('auto', { verdict }), config, PROPOSER), undefined);
    }
  });

  it('is a pack that must be there', () => {
    const config = approvalsConfigSchema.parse({});
    const of = judged('policy_pack', { pack: 'constructor' });
    assert.throws(() => planOf(of, config, PROPOSER), RangeError);
  });

  it('is excluded once where an agent acts for nobody', () => {
    const of = planOf(judged('human_required'), approvalsConfigSchema.parse({}), { agent: 'bot' });
    assert.deepEqual(of?.stages[0]?.tiers[0]?.question.decision_rule.excluded, ['bot']);
  });

  it('is what the route is configured with [A54-25]', () => {
    const routes = {
      dual_approval: { approvers: { groups: ['sre'] }, tiers: [{ timeout_seconds: 600 }] },
    };
    const draft = opened(plan({ routes }, judged('dual_approval')));
    assert.deepEqual(draft.decision_rule?.eligible, { groups: ['sre'] });
    assert.equal(draft.timeout_seconds, 600);
  });

  it('is notified in attempts within its tier, which ends at its timeout [AM-56]', () => {
    const routes = { human_required: { tiers: [{ timeout_seconds: 600, attempts: 3 }] } };
    const draft = opened(plan({ routes }, judged('human_required')));
    const { attempts, expires_at } = scheduleOf({ suspended_at: AT, ...draft });
    assert.deepEqual(
      attempts.map(({ at }) => at),
      ['2026-03-24T10:00:00.000Z', '2026-03-24T10:03:20.000Z', '2026-03-24T10:06:40.000Z'],
    );
    assert.equal(expires_at, '2026-03-24T10:10:00.000Z');
  });

  it('gets no fallback that approves, not even from the platform [AM-57]', () => {
    for (const risk_class of ['low', 'high'] as const) {
      const draft = opened(plan({}, judged('human_required', { risk_class })));
      assert.equal(draft.fallback_policy, 'fail');
      assert.equal(draft.fallback_value, undefined);
      assert.equal(draft.retry_policy, undefined);
    }
  });
});

const TIERS = {
  rules: [{ verdict: 'escalate', risk_class: 'low', route: 'policy_pack', pack: 'wire' }],
  packs: {
    wire: {
      stages: [
        {
          name: 'team',
          approvers: { groups: ['team'] },
          sla_seconds: 100,
          tiers: [
            { timeout_seconds: 60 },
            { approvers: { principals: ['lead'] }, timeout_seconds: 3600, on_timeout: 'allow' },
          ],
        },
        { name: 'money', approvers: { groups: ['finance'] }, quorum: 2 },
      ],
    },
  },
};

describe('the stages of an approval', () => {
  const low = plan(TIERS, judged('policy_pack', { risk_class: 'low', pack: 'wire' }));
  const at = (...outcomes: readonly TierOutcome[]) => nextStage(low, outcomes);

  it('are asked in order, each under its own rule [A54-08]', () => {
    const first = asked(at());
    assert.deepEqual([first.stage, first.tier, first.name, first.sla_seconds], [0, 0, 'team', 100]);
    const second = asked(at('approved'));
    assert.deepEqual([second.stage, second.tier, second.name], [1, 0, 'money']);
    assert.equal(second.ask.question.decision_rule.quorum, 2);
    assert.deepEqual(second.ask.question.decision_rule.excluded, ['bot', 'ursula']);
    assert.deepEqual(at('approved', 'approved'), {
      kind: 'end',
      verdict: 'approved',
      by: 'people',
    });
  });

  it('go to the next tier at a timeout, with its own timeout and people [A54-26, A54-28, AM-56]', () => {
    const next = asked(at('timeout'));
    assert.deepEqual([next.stage, next.tier], [0, 1]);
    assert.equal(next.ask.question.timeout_seconds, 3600);
    assert.deepEqual(next.ask.question.decision_rule.eligible, { principals: ['lead'] });
    assert.deepEqual([asked(at('timeout', 'approved')).stage], [1]);
  });

  it('end at the first rejection, whatever the quorum [AM-58]', () => {
    for (const before of [[], ['timeout'], ['approved']] as const) {
      const end = { kind: 'end', verdict: 'denied', by: 'people' };
      assert.deepEqual(at(...before, 'rejected'), end);
    }
  });

  it('take a timeout as none of the approvals that a quorum lacks [AM-58]', () => {
    const two = plan({}, judged('dual_approval'));
    assert.deepEqual(nextStage(two, ['timeout']), {
      kind: 'end',
      verdict: 'denied',
      by: 'timeout',
    });
  });

  it('let a timeout allow a stage for low risk, and ask the next one all the same [A54-26, A54-27]', () => {
    assert.equal(asked(at('timeout', 'timeout')).stage, 1);
    const end = { kind: 'end', verdict: 'denied', by: 'timeout' };
    assert.deepEqual(at('timeout', 'timeout', 'timeout'), end);
  });

  it('deny in place of it where a claim has raised the risk [A54-27]', () => {
    for (const risk_class of ['medium', 'high', 'critical'] as const) {
      const raised = plan(TIERS, judged('policy_pack', { risk_class, pack: 'wire' }));
      const end = { kind: 'end', verdict: 'denied', by: 'timeout' };
      assert.deepEqual(nextStage(raised, ['timeout', 'timeout']), end);
    }
  });

  it('can be allowed by a timeout as the last of all, for low risk [A54-26]', () => {
    const config = {
      rules: [{ verdict: 'escalate', risk_class: 'low' }],
      routes: { human_required: { tiers: [{ on_timeout: 'allow' }] } },
    };
    const of = plan(config, judged('human_required', { risk_class: 'low' }));
    assert.deepEqual(nextStage(of, ['timeout']), {
      kind: 'end',
      verdict: 'approved',
      by: 'timeout',
    });
  });

  it('take no outcome after the end', () => {
    assert.throws(() => at('rejected', 'approved'), RangeError);
  });

  it('end after as many outcomes as there are tiers, and deny by silence unless risk is low [A54-27, A54-28]', () => {
    const tiers = fc
      .integer({ min: 1, max: 4 })
      .map((count) =>
        Array.from({ length: count }, (_, index) => ({ timeout_seconds: 60 * (index + 1) })),
      );
    const stages = fc.array(
      tiers.map((of) => ({ tiers: of })),
      { minLength: 1, maxLength: 4 },
    );
    const outcome = fc.constantFrom<TierOutcome>('approved', 'rejected', 'timeout');
    fc.assert(
      fc.property(stages, fc.infiniteStream(outcome), (all, stream) => {
        const of = plan({ packs: { p: { stages: all } } }, judged('policy_pack', { pack: 'p' }));
        const outcomes: TierOutcome[] = [];
        const most = all.reduce((sum, { tiers: each }) => sum + each.length, 0);
        let step = nextStage(of, outcomes);
        while (step.kind === 'ask' && outcomes.length < most) {
          outcomes.push(stream.next().value as TierOutcome);
          step = nextStage(of, outcomes);
        }
        assert.equal(step.kind, 'end');
        const approvals = outcomes.filter((one) => one === 'approved').length;
        const isApproved = step.verdict === 'approved';
        assert.equal(isApproved, approvals === all.length);
      }),
    );
  });
});
