import { z } from 'zod';
import * as approvalRequests from '../../contracts/approval-requests.js';
import { approvalViewSchema, proposalSchema } from '../../contracts/approval.js';
import {
  coordinatorDecisionRequestSchema,
  coordinatorDecisionSchema,
  coordinatorSchema,
  createCoordinatorRequestSchema,
} from '../../contracts/coordinator.js';
import {
  changeEligibilityRequestSchema,
  decisionRuleSchema,
  voteSchema,
} from '../../contracts/decision.js';
import { engagementDecisionSchema, engagementSignalsSchema } from '../../contracts/engagement.js';
import { appendEventRequestSchema, intentEventSchema } from '../../contracts/event.js';
import { aggregateStatusSchema, intentGraphSchema } from '../../contracts/graph.js';
import * as intents from '../../contracts/intent.js';
import { takesNullAsAbsent } from '../../contracts/parse-fields.js';
import {
  createPhasedPlanRequestSchema,
  createPlanRequestSchema,
  patchPlanRequestSchema,
  phasedPlanViewSchema,
  planSchema,
} from '../../contracts/plan.js';
import * as portfolios from '../../contracts/portfolio.js';
import { pauseRequestSchema, resumeRequestSchema } from '../../contracts/pause-requests.js';
import { problemSchema } from '../../contracts/problem.js';
import * as policies from '../../contracts/retry-policy.js';
import { scheduleSchema } from '../../contracts/retry-policy.js';
import { openSessionSchema, sessionSchema } from '../../contracts/session.js';
import { subscribeRequestSchema, subscriptionSchema } from '../../contracts/subscription.js';
import * as requests from '../../contracts/suspension-requests.js';
import * as views from '../../contracts/suspension-view.js';
import { inboxPageSchema } from '../../contracts/suspension-view.js';
import {
  settledRecordSchema,
  suspensionRecordSchema,
  timelineEntrySchema,
} from '../../contracts/suspension.js';
import {
  claimRequestSchema,
  createTaskRequestSchema,
  patchTaskRequestSchema,
  taskSchema,
} from '../../contracts/task.js';

const NAMED_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Problem: problemSchema,
  Intent: intents.intentSchema,
  IntentEvent: intentEventSchema,
  Lease: intents.leaseSchema,
  Portfolio: portfolios.portfolioViewSchema,
  Coordinator: coordinatorSchema,
  CoordinatorDecision: coordinatorDecisionSchema,
  Membership: portfolios.membershipSchema,
  MemberList: portfolios.memberListSchema,
  Task: taskSchema,
  Plan: planSchema,
  Workflow: phasedPlanViewSchema,
  AggregateStatus: aggregateStatusSchema,
  IntentGraph: intentGraphSchema,
  EngagementDecision: engagementDecisionSchema,
  DecisionRule: decisionRuleSchema,
  Vote: voteSchema,
  SuspensionRecord: suspensionRecordSchema,
  SettledRecord: settledRecordSchema,
  SuspensionView: views.suspensionViewSchema,
  AskedView: views.askedViewSchema,
  InboxEntry: views.inboxEntrySchema,
  InboxPage: inboxPageSchema,
  Schedule: scheduleSchema,
  Subscription: subscriptionSchema,
  TimelineEntry: timelineEntrySchema,
  RetryPolicy: policies.retryPolicySchema,
  RespondResult: views.respondResultSchema,
  Session: sessionSchema,
  Approval: approvalViewSchema,
  Proposal: proposalSchema,
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
  [createTaskRequestSchema, 'CreateTaskRequest'],
  [patchTaskRequestSchema, 'PatchTaskRequest'],
  [claimRequestSchema, 'ClaimRequest'],
  [createPlanRequestSchema, 'CreatePlanRequest'],
  [patchPlanRequestSchema, 'PatchPlanRequest'],
  [createPhasedPlanRequestSchema, 'CreateWorkflowRequest'],
  [coordinatorDecisionRequestSchema, 'CoordinatorDecisionRequest'],
  [createCoordinatorRequestSchema, 'CreateCoordinatorRequest'],
  [appendEventRequestSchema, 'AppendEventRequest'],
  [engagementSignalsSchema, 'EngagementSignals'],
  [openSessionSchema, 'OpenSessionRequest'],
  [subscribeRequestSchema, 'SubscribeRequest'],
  [requests.suspendRequestSchema, 'SuspendRequest'],
  [requests.respondRequestSchema, 'RespondRequest'],
  [pauseRequestSchema, 'PauseRequest'],
  [resumeRequestSchema, 'ResumeRequest'],
  [requests.cancelRequestSchema, 'CancelRequest'],
  [changeEligibilityRequestSchema, 'ChangeEligibilityRequest'],
  [approvalRequests.openApprovalRequestSchema, 'OpenApprovalRequest'],
  [approvalRequests.resumeRequestSchema, 'ResumeTaskRequest'],
]);

/** Bodies as they are described, so that routes which take the same one share its name. */
const described = new WeakMap<z.ZodType, z.ZodType>();

/** A body as `parseInput` takes it: null stands for what is left out. */
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
