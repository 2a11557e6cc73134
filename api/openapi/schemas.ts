import { z } from 'zod';
import * as approvals from '../../contracts/approval/approval.js';
import * as approvalRequests from '../../contracts/approval/requests.js';
import * as coordinators from '../../contracts/coordinator/coordinator.js';
import * as graphs from '../../contracts/graph/graph.js';
import * as events from '../../contracts/intent/event.js';
import * as intents from '../../contracts/intent/intent.js';
import { takesNullAsAbsent } from '../../contracts/kernel/parse-fields.js';
import { problemSchema } from '../../contracts/kernel/problem.js';
import * as sessions from '../../contracts/people/session.js';
import * as plans from '../../contracts/plan/plan.js';
import * as tasks from '../../contracts/plan/task.js';
import * as portfolios from '../../contracts/portfolio/portfolio.js';
import * as subscriptions from '../../contracts/subscription/subscription.js';
import * as decisions from '../../contracts/suspension/decision.js';
import * as engagement from '../../contracts/suspension/engagement.js';
import * as pauses from '../../contracts/suspension/pause-requests.js';
import * as requests from '../../contracts/suspension/requests.js';
import * as policies from '../../contracts/suspension/retry-policy.js';
import * as suspensions from '../../contracts/suspension/suspension.js';
import * as views from '../../contracts/suspension/view.js';

const NAMED_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Problem: problemSchema,
  Intent: intents.intentSchema,
  IntentEvent: events.intentEventSchema,
  Lease: intents.leaseSchema,
  Portfolio: portfolios.portfolioViewSchema,
  Coordinator: coordinators.coordinatorSchema,
  CoordinatorDecision: coordinators.coordinatorDecisionSchema,
  Membership: portfolios.membershipSchema,
  MemberList: portfolios.memberListSchema,
  Task: tasks.taskSchema,
  Plan: plans.planSchema,
  Workflow: plans.phasedPlanViewSchema,
  AggregateStatus: graphs.aggregateStatusSchema,
  IntentGraph: graphs.intentGraphSchema,
  EngagementDecision: engagement.engagementDecisionSchema,
  DecisionRule: decisions.decisionRuleSchema,
  Vote: decisions.voteSchema,
  SuspensionRecord: suspensions.suspensionRecordSchema,
  SettledRecord: suspensions.settledRecordSchema,
  SuspensionView: views.suspensionViewSchema,
  AskedView: views.askedViewSchema,
  InboxEntry: views.inboxEntrySchema,
  InboxPage: views.inboxPageSchema,
  Schedule: policies.scheduleSchema,
  Subscription: subscriptions.subscriptionSchema,
  TimelineEntry: suspensions.timelineEntrySchema,
  RetryPolicy: policies.retryPolicySchema,
  RespondResult: views.respondResultSchema,
  Session: sessions.sessionSchema,
  Approval: approvals.approvalViewSchema,
  Proposal: approvals.proposalSchema,
  ApprovalRequired: approvalRequests.approvalRequiredSchema,
  AgentTaskItem: approvalRequests.agentTaskItemSchema,
  RedeemedCall: approvalRequests.redeemedSchema,
};

/** Gives the schemas that several replies share their names under `components.schemas`. */
export function nameSchemas(): void {
  for (const [id, schema] of Object.entries(NAMED_SCHEMAS)) {
    z.globalRegistry.add(schema, { ...schema.meta(), id });
  }
}

const REQUEST_NAMES = new Map<z.ZodType, string>([
  [intents.createIntentRequestSchema, 'CreateIntentRequest'],
  [intents.createChildRequestSchema, 'CreateChildRequest'],
  [intents.dependencyRequestSchema, 'DependencyRequest'],
  [intents.statusRequestSchema, 'StatusRequest'],
  [intents.stateRequestSchema, 'StateRequest'],
  [intents.acquireLeaseRequestSchema, 'AcquireLeaseRequest'],
  [intents.renewLeaseRequestSchema, 'RenewLeaseRequest'],
  [portfolios.createPortfolioRequestSchema, 'CreatePortfolioRequest'],
  [portfolios.changePortfolioRequestSchema, 'ChangePortfolioRequest'],
  [portfolios.portfolioStatusRequestSchema, 'PortfolioStatusRequest'],
  [portfolios.addMemberRequestSchema, 'AddMemberRequest'],
  [tasks.createTaskRequestSchema, 'CreateTaskRequest'],
  [tasks.patchTaskRequestSchema, 'PatchTaskRequest'],
  [tasks.claimRequestSchema, 'ClaimRequest'],
  [plans.createPlanRequestSchema, 'CreatePlanRequest'],
  [plans.patchPlanRequestSchema, 'PatchPlanRequest'],
  [plans.createPhasedPlanRequestSchema, 'CreateWorkflowRequest'],
  [coordinators.coordinatorDecisionRequestSchema, 'CoordinatorDecisionRequest'],
  [coordinators.createCoordinatorRequestSchema, 'CreateCoordinatorRequest'],
  [events.appendEventRequestSchema, 'AppendEventRequest'],
  [engagement.engagementSignalsSchema, 'EngagementSignals'],
  [sessions.openSessionSchema, 'OpenSessionRequest'],
  [subscriptions.subscribeRequestSchema, 'SubscribeRequest'],
  [requests.suspendRequestSchema, 'SuspendRequest'],
  [requests.respondRequestSchema, 'RespondRequest'],
  [pauses.pauseRequestSchema, 'PauseRequest'],
  [pauses.resumeRequestSchema, 'ResumeRequest'],
  [requests.cancelRequestSchema, 'CancelRequest'],
  [decisions.changeEligibilityRequestSchema, 'ChangeEligibilityRequest'],
  [approvalRequests.openApprovalRequestSchema, 'OpenApprovalRequest'],
  [approvalRequests.resumeRequestSchema, 'ResumeTaskRequest'],
]);

/** Described bodies, so that routes with the same body share its name. */
const described = new WeakMap<z.ZodType, z.ZodType>();

/** Returns a body as `parseInput` takes it: null stands for a missing field. */
export function requestSchema(schema: z.ZodType): z.ZodType {
  const known = described.get(schema) ?? describe(schema);
  described.set(schema, known);
  return known;
}

function describe(schema: z.ZodType): z.ZodType {
  const id = REQUEST_NAMES.get(schema);
  const withName = (taken: z.ZodType) => (id === undefined ? taken : taken.meta({ id }));
  if (schema instanceof z.ZodUnion) {
    return withName(z.union((schema.options as readonly z.ZodType[]).map(requestSchema)));
  }
  if (!(schema instanceof z.ZodObject)) return withName(schema);
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  const fields = Object.entries(shape).map(
    ([name, field]) => [name, takesNullAsAbsent(field) ? field.nullable() : field] as const,
  );
  return withName(z.object(Object.fromEntries(fields)).meta(schema.meta() ?? {}));
}
