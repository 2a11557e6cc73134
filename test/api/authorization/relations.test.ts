import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { resumeRequest } from '../../../api/usecases/approval/decide.js';
import { beatAgent, setAgentStatus } from '../../../api/usecases/agent/agents.js';
import {
  deleteSubscription,
  listSubscriptions,
} from '../../../api/usecases/subscription/subscriptions.js';
import { countSuspensions, listSuspensions } from '../../../api/usecases/suspension/inbox.js';
import { refusalOf } from '../../../api/errors.js';
import { subscribeToSuspensions } from '../../../api/usecases/event/stream.js';
import { demandFor, planFor, seesQuestions } from '../../../api/usecases/visibility.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { checkDecision, heartbeat } from '../../../domain/coordinator/coordinator.js';
import { releaseLease, renewLease } from '../../../domain/intent/lease.js';
import { registerAgent } from '../../../domain/openintent/agent.js';
import { checkPlanWriter } from '../../../domain/plan/checkpoints.js';
import { checkTaskWriter } from '../../../domain/plan/task-patch.js';
import { ROLES } from '../../../domain/policy/authorize.js';
import {
  RULES,
  rowOf,
  type Action,
  type Grant,
  type Relation,
  type Rule,
} from '../../../domain/policy/rules.js';
import { mayPickUp } from '../../../domain/approval/deciding/request.js';
import { judgeAnswer } from '../../../domain/suspension/answering/answer.js';
import { judgeSignal } from '../../../domain/suspension/answering/resume.js';
import { withdrawalBy } from '../../../domain/suspension/record/state.js';
import type { FakeCall, FakeQueries } from '../support/fakes.js';
import type { OperatorAnswer } from '../../../workflows/suspension/messages.js';
import { fakeParts, knowingIntent } from '../support/parts.js';
import { REDEEMABLE } from '../support/approvals.js';
import { COORDINATOR } from '../support/portfolio-records.js';
import { INTENT, INTENT_ID, LEASE } from '../support/records.js';
import { caller } from '../../support/callers.js';
import { EXAMPLES } from '../../support/examples.js';
import { AN_ESCALATION, aPlan } from '../../domain/plan/plan-samples.js';
import { aTask } from '../../domain/plan/task-samples.js';
import { APPROVAL_JUDGES } from './approval-judges.js';
import { VERB_JUDGES } from './verb-judges.js';
import { partWith } from '../../domain/approval/wires.js';
import { recordWith } from '../../domain/samples.js';
import { pausedWith, signalOf } from '../../domain/suspension/pause-samples.js';

/*
 * Every rule that grants a relation is tried with somebody who is related and somebody who is not, over the code that
 * judges it: the function that a validator calls, or the API. A rule that nothing here judges fails, unless
 * the workflow itself has to be asked; then `test/workflows/` tries it, in the file that is named.
 */

type Related = Readonly<Partial<Record<Relation, string>>>;
/** Undefined if it is allowed, else the code of the refusal; a list leaves out what it does not show. */
type Judge = (by: Caller, related: Related) => Promise<string | undefined> | string | undefined;

const AT = Date.parse(LEASE.acquired_at) + 1_000;
const SOMEBODY = 'somebody';
const codeOf = (ruling: Ruling<unknown>) => (ruling.ok ? undefined : ruling.refusal.code);
const thrown = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => refusalOf(error)?.code ?? String(error),
  );
const shown = (isShown: boolean) => (isShown ? undefined : 'forbidden');

const agentOf = ({ maker = SOMEBODY }: Related) => ({
  ...({ agent_id: 'helper', heartbeat_config: null, version: 1 } as object),
  registered_by: maker,
});

/** A call that finds the agent registered. */
function agentCall(by: Caller, related: Related) {
  const store: FakeQueries = {
    changeAgent: (async (_id: string, change: (before: unknown) => unknown) => {
      change(agentOf(related));
    }) as never,
  };
  return { caller: by, parts: fakeParts({ store }).parts };
}

/** A call that finds the subscription of somebody. */
function subscriptionCall(by: Caller, { maker = SOMEBODY }: Related) {
  const one = { ...EXAMPLES.subscription, created_by: maker, active: false };
  const store: FakeQueries = {
    findSubscription: async () => one,
    listSubscriptions: async ({ created_by = maker }) => ({
      rows: created_by === maker ? [one] : [],
      more: false,
    }),
  };
  return { caller: by, parts: fakeParts({ store }).parts };
}

/** A call that finds a question of somebody. */
function inboxCall(by: Caller, { asker = SOMEBODY }: Related) {
  const counted = ({ asked_by = asker }: { asked_by?: string | undefined }) =>
    asked_by === asker ? 1 : 0;
  const none = { responded: 0, expired: 0, cancelled: 0 };
  const store: FakeQueries = {
    listSuspensions: async (query) => ({
      rows: counted(query) === 1 ? [{ entry: {} as never, key: ['', ''] }] : [],
      more: false,
    }),
    countSuspensions: async (query) => ({ pending: counted(query), ...none }),
  };
  return { caller: by, parts: fakeParts({ store }).parts };
}

const leases = ({ holder = SOMEBODY }: Related) => [{ ...LEASE, holder }];
const claim = (by: Caller) => ({ lease_id: LEASE.id, by });

/** An answer to the question of an approval. */
function answered(by: Caller, { initiator = SOMEBODY }: Related): string | undefined {
  const approval = partWith({ on_behalf_of: initiator });
  const record = recordWith({ approval });
  const answer = {
    value: 'approved',
    proposal_hash: approval.proposal_hash,
    responded_by: by.principal,
    by,
    answer: { key: 'r:1', body_hash: '' },
  };
  return codeOf(judgeAnswer({ intent_id: null, record, attempt: 1 }, answer, AT));
}

const JUDGES: Readonly<Record<string, Judge>> = {
  renewLease: (by, related) =>
    codeOf(renewLease(leases(related), { ...claim(by), duration_seconds: 60 }, AT, false)),
  releaseLease: (by, related) => codeOf(releaseLease(leases(related), claim(by), AT, false)),
  exportEvents: (by, { owner = SOMEBODY }) => {
    const { parts } = fakeParts({ answers: knowingIntent({ ...INTENT, owner }) });
    return thrown(demandFor({ caller: by, parts }, 'exportEvents', INTENT_ID));
  },
  claimSuspension: (by, related) => codeOf(VERB_JUDGES.claimed(by, related)),
  releaseSuspension: (by, related) => codeOf(VERB_JUDGES.released(by, related)),
  commentOnSuspension: (by, related) => codeOf(VERB_JUDGES.commented(by, related)),
  amendSuspension: (by, related) => codeOf(VERB_JUDGES.amended(by, related)),
  respond: answered,
  /** Each of many answers is judged as it would be alone. */
  respondToMany: answered,
  redeemCall: (by, { asker = SOMEBODY }) =>
    codeOf(mayPickUp(by, 'redeemCall', { asked_by: asker })),
  reportMutation: (by, { asker = SOMEBODY }) =>
    codeOf(mayPickUp(by, 'reportMutation', { asked_by: asker })),
  completeCall: (by, { asker = SOMEBODY }) =>
    codeOf(mayPickUp(by, 'completeCall', { asked_by: asker })),
  claimCheckpoint: (by, { asker = SOMEBODY }) =>
    codeOf(mayPickUp(by, 'claimCheckpoint', { asked_by: asker })),
  finishCheckpoint: (by, { asker = SOMEBODY }) =>
    codeOf(mayPickUp(by, 'finishCheckpoint', { asked_by: asker })),
  listApprovals: async (by, related) => shown(await APPROVAL_JUDGES.listed(by, related)),
  readApproval: (by, related) => thrown(APPROVAL_JUDGES.read(by, related)),
  waitForApproval: (by, related) => thrown(APPROVAL_JUDGES.waitedFor(by, related)),
  withdrawApproval: (by, related) => codeOf(APPROVAL_JUDGES.withdrawn(by, related)),
  resumeRequest: (by, { initiator = SOMEBODY }) => {
    const value = { ...REDEEMABLE, status: 'pending' as const, suspension_id: INTENT_ID };
    const proposal = { ...value.proposal, on_behalf_of: initiator };
    const view = { ...value, proposal };
    const respond = ({ args }: FakeCall) => {
      const { body_hash } = (args[0] as OperatorAnswer).answer;
      return { verdict: 'counted', result: { intent_id: null }, body_hash };
    };
    const standing = () => ({ approval: view, moved: false });
    const { parts } = fakeParts({ answers: { approval: () => view, respond, standing } });
    const call = { caller: by, parts };
    return thrown(resumeRequest.run(call, value.approval_id, { action: 'approve' }));
  },
  cancelSuspension: (by, { asker = SOMEBODY }) => codeOf(withdrawalBy({ by }, asker)),
  resumeSuspension: (by, { asker = SOMEBODY, named = SOMEBODY }) => {
    const record = pausedWith({ resumable_by: [named] });
    return codeOf(judgeSignal({ intent_id: null, record, attempt: 1 }, signalOf(by), AT, asker));
  },
  'resumeSuspension ofQuestion': (by, { initiator = SOMEBODY }) => {
    const record = recordWith({ approval: partWith({ on_behalf_of: initiator }) });
    const code = codeOf(
      judgeSignal({ intent_id: null, record, attempt: 1 }, signalOf(by), AT, SOMEBODY),
    );
    // Who may answer is told that no signal is an answer.
    return code === 'reason_mismatch' ? undefined : code;
  },
  'listSuspensions ofPauses': async (by, related) => {
    const page = { reason: 'custom', state: 'pending', sort: 'urgency', limit: 2 } as const;
    const { value } = await listSuspensions.run(inboxCall(by, related), page);
    return shown(value.suspensions.length > 0);
  },
  'countSuspensions ofPauses': async (by, related) => {
    const { value } = await countSuspensions.run(inboxCall(by, related), { reason: 'custom' });
    return shown(value.pending > 0);
  },
  listSuspensions: async (by, related) => {
    const page = { state: 'pending', sort: 'urgency', limit: 2 } as const;
    const { value } = await listSuspensions.run(inboxCall(by, related), page);
    return shown(value.suspensions.length > 0);
  },
  countSuspensions: async (by, related) => {
    const { value } = await countSuspensions.run(inboxCall(by, related), {});
    return shown(value.pending > 0);
  },
  subscribeToSuspensions: async (by, { asker }) => {
    const scope = await subscribeToSuspensions.run({ caller: by });
    return shown(scope.kind === 'questions' || ('id' in scope && scope.id === asker));
  },
  seeQuestionIds: (by, { owner, maker = SOMEBODY }) => {
    const plan = { ...EXAMPLES.plan, created_by: maker };
    return shown(seesQuestions(by, owner) || planFor(by, plan) === plan);
  },
  'patchTask ofAnother': (by, { assignee = SOMEBODY, maker = SOMEBODY }) =>
    codeOf(checkTaskWriter(aTask({ assigned_agent: assignee, created_by: maker }), by, 'write')),
  'patchPlan withdrawsQuestions': (by, { maker = SOMEBODY }) => {
    const { plan } = aPlan({ escalations: [AN_ESCALATION], created_by: maker });
    return codeOf(checkPlanWriter(plan, by, { state: 'active' }, 'write'));
  },
  heartbeat: (by, { holder = SOMEBODY }) =>
    codeOf(heartbeat({ ...COORDINATOR, holder }, by, Date.parse(COORDINATOR.granted_at))),
  recordDecision: (by, { holder = SOMEBODY }) =>
    codeOf(checkDecision({ ...COORDINATOR, holder }, by, INTENT_ID, true)),
  'registerAgent replacing': (by, related) =>
    codeOf(registerAgent({ agent_id: 'helper' } as never, agentOf(related) as never, by, '')),
  beatAgent: (by, related) => thrown(beatAgent.run(agentCall(by, related), 'helper', {} as never)),
  setAgentStatus: (by, related) =>
    thrown(setAgentStatus.run(agentCall(by, related), 'helper', 'draining')),
  listSubscriptions: async (by, related) => {
    const page = { limit: 1, offset: 0 };
    const { value } = await listSubscriptions.run(subscriptionCall(by, related), page);
    return shown(value.length > 0);
  },
  deleteSubscription: (by, related) =>
    thrown(deleteSubscription.run(subscriptionCall(by, related), EXAMPLES.subscription.id)),
};

/** Judged by a workflow's own state, and tried there. */
const IN_WORKFLOWS: Readonly<Record<string, string>> = {
  'setStatus abandonsSuspended': 'intent/rights.test.ts',
  'setStatus endsRefusedAsk': 'intent/openintent-ask-refused.test.ts',
  'appendEvent aboutOpenQuestion': 'intent/claims.test.ts',
  setGovernance: 'intent/access.test.ts',
  setAccess: 'intent/access.test.ts',
  grantAccess: 'intent/access.test.ts',
  revokeAccess: 'intent/access.test.ts',
  'changePortfolio withDeadline': 'portfolio/reach.test.ts',
  'addMember withDeadline': 'portfolio/reach.test.ts',
};

interface Granting {
  readonly name: string;
  readonly rule: Rule;
  readonly relations: readonly Relation[];
}

/** Every rule of the table that grants a relation. */
const GRANTING: readonly Granting[] = (Object.keys(RULES) as Action[]).flatMap((action) => {
  const row = rowOf(action);
  const cases = Object.entries(row.cases ?? {});
  const rules = [
    [action, row] as const,
    ...cases.map(([when, rule]) => [`${action} ${when}`, rule] as const),
  ];
  return rules.flatMap(([name, rule]) => {
    const grants = ROLES.flatMap((role) => [rule[role] ?? []].flat());
    const relations = [...new Set(grants)].filter((one) => one !== 'any');
    return relations.length > 0 ? [{ name, rule, relations }] : [];
  });
});

describe('every rule that grants a relation', () => {
  it('is judged here or in a workflow', () => {
    const judged = [...Object.keys(JUDGES), ...Object.keys(IN_WORKFLOWS)].sort();
    assert.deepEqual(GRANTING.map(({ name }) => name).sort(), judged);
  });

  for (const { name, rule, relations } of GRANTING) {
    const judge = JUDGES[name];
    if (judge === undefined) continue;
    it(`lets who is related do it, and nobody else: ${name}`, async () => {
      for (const role of ROLES) {
        const grant: Grant | undefined = rule[role];
        if (grant === undefined) continue;
        for (const relation of relations) {
          const by = caller('me', role);
          const isGranted: boolean = grant === 'any' || grant.includes(relation);
          const about = `${role} ${relation}`;
          const expected: string | undefined = isGranted ? undefined : (rule.code ?? 'forbidden');
          assert.equal(await judge(by, { [relation]: 'me' }), expected, about);
          const others: string | undefined =
            grant === 'any' ? undefined : (rule.code ?? 'forbidden');
          assert.equal(await judge(by, { [relation]: 'another' }), others, about);
        }
      }
    });
  }
});
