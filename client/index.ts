export { Agent } from './agent.js';
export type { AgentOptions, HumanRetryPolicy, RequestInputOptions } from './agent.js';
export { ApprovalClient } from './approval-client.js';
export type { TurnRequest } from './checked-turn.js';
export type {
  ApprovalOptions,
  AskedCall,
  AskedRequest,
  CheckForIntervention,
  CheckedTurn,
} from './approval-client.js';
export {
  ApprovalDenied,
  ApprovalError,
  ApprovalExpired,
  ApprovalPending,
  ProposalMutated,
} from './approval-errors.js';
export type {
  ConnectionOptions,
  CreationOptions,
  EventQuery,
  Logger,
  Page,
  ReadOptions,
  Token,
} from './connection.js';
export type { CoordinatorClient, NewCoordinator, NewDecision } from './coordinator-client.js';
export type {
  DecidedLease,
  DecidedOptions,
  DecidedRun,
  DecidedWatch,
  OnDecided,
} from './decided-runs.js';
export type { Decision, RunRequest } from './decision.js';
export {
  AlreadyDecided,
  AlreadyVoted,
  DataRefused,
  DecisionError,
  NotEligible,
  PartialDecision,
  ProposalChanged,
  StageMismatch,
  UnknownRequest,
} from './decision-errors.js';
export { InexactJsonError, parseExact } from '../contracts/constants/exact-json.js';
export type { JsonFault } from '../contracts/constants/exact-json.js';
export { ensureMayAct } from './engagement.js';
export type { Signals } from './engagement.js';
export {
  ConnectionError,
  DeferredError,
  HoldpointError,
  InputCancelledError,
  InputRequiredError,
  InputTimeoutError,
  InputWiringError,
  MissingOutputError,
  OutputTypeMismatchError,
  SuspensionUnsupportedError,
  UnresolvableInputError,
  UpstreamIntentSuspendedError,
  WorkflowError,
} from './errors.js';
export type { ErrorDetails } from './errors.js';
export type { Children, GraphClient, NewChild } from './graph-client.js';
export type { AskedSuspension, HookErrorHandler, Hooks, InputResponse } from './hooks.js';
export type { Fetch } from './http.js';
export type { FollowOptions, InboxNews, InboxQuery } from './inbox.js';
export { IntentClient } from './intent-client.js';
export type { LeaseClient, NewIntent } from './intent-client.js';
export { Operator } from './operator.js';
export type { Answer } from './operator.js';
export type { AnswerReceipt, PauseOptions } from './pause.js';
export type { PlanClient } from './plan-client.js';
export type { NewMember, NewPortfolio, PortfolioClient } from './portfolio-client.js';
export type { Timers } from './retry.js';
export type { WaitOptions } from './suspension.js';
export type { FeedItem, SeenEvent, SubscribeOptions } from './subscribe.js';
export { WebhookError } from './webhook.js';
export type { WebhookHeaders } from './webhook.js';
// What the methods take and return.
export type {
  AgentCheckpoint,
  ApprovalRequired,
  OpenApprovalBody,
  Redeemed,
  ResumeReply,
} from '../contracts/approval-requests.js';
export type { ApprovalView } from '../contracts/approval.js';
export type { Coordinator, CoordinatorDecision } from '../contracts/coordinator.js';
export type { ChangeEligibilityRequest } from '../contracts/decision.js';
export type { EngagementDecision } from '../contracts/engagement.js';
export type { IntentEvent } from '../contracts/event.js';
export type { AggregateStatus, IntentGraph, Relation } from '../contracts/graph.js';
export type { Intent, IntentStatus, Lease, StatePatch } from '../contracts/intent.js';
export type { Me } from '../contracts/me.js';
export type { PauseEnd, ResumeBody } from '../contracts/pause-requests.js';
export type { Plan, PhasedPlanView } from '../contracts/plan.js';
export type {
  ChangePortfolioRequest,
  Membership,
  PortfolioStatus,
  PortfolioView,
} from '../contracts/portfolio.js';
export type { JsonObject, JsonValue } from '../contracts/primitives.js';
export type {
  Blocked,
  BulkAnswers,
  InboxCounts,
  InboxEntry,
  InboxFilter,
  InboxPage,
  SuspensionChange,
  SuspensionView,
} from '../contracts/suspension-view.js';
export type { SettledRecord, SuspensionRecord } from '../contracts/suspension.js';
export type { PatchTaskRequest, Task } from '../contracts/task.js';
