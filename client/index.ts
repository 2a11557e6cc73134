export { Agent } from './agent.js';
export type { AgentOptions, HumanRetryPolicy, RequestInputOptions } from './agent.js';
export type { AskCall } from './ask.js';
export { ApprovalClient, callKey } from './approval-client.js';
export type {
  AskedRequest,
  AskedWith,
  CheckForIntervention,
  CheckedTurn,
  TurnRequest,
} from './checked-turn.js';
export type { ApprovalOptions, AskedCall } from './approval-client.js';
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
export type { CoordinatorClient, NewCoordinator, NewDecision } from './container-clients.js';
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
} from './approval-errors.js';
export { InexactJsonError, parseExact } from '../contracts/constants/exact-json.js';
export type { JsonFault } from '../contracts/constants/exact-json.js';
export { ensureMayAct } from './agent.js';
export type { Signals } from './agent.js';
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
export type { Children, GraphClient, NewChild } from './container-clients.js';
export type { AskedSuspension, HookErrorHandler, Hooks, InputResponse } from './hooks.js';
export type { Fetch } from './http.js';
export type { FollowOptions, InboxNews, InboxQuery } from './operator.js';
export { IntentClient } from './intent-client.js';
export type { LeaseClient, NewIntent } from './intent-client.js';
export { Operator } from './operator.js';
export type { Answer, EngagementQuery } from './operator.js';
export type { AnswerReceipt, PauseOptions } from './pause.js';
export type { PlanClient } from './container-clients.js';
export type { NewMember, NewPortfolio, PortfolioClient } from './container-clients.js';
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
} from '../contracts/approval/requests.js';
export type { ApprovalView } from '../contracts/approval/approval.js';
export type {
  AskChoice,
  AskOptions,
  AskRemind,
  AskResult,
  AskTo,
  ChoiceOptions,
  ConfirmOptions,
  ConfirmResult,
  FormOptions,
  TextOptions,
} from '../contracts/suspension/ask.js';
export type { Coordinator, CoordinatorDecision } from '../contracts/coordinator/coordinator.js';
export type { ChangeEligibilityRequest } from '../contracts/suspension/decision.js';
export type { EngagementDecision } from '../contracts/suspension/engagement.js';
export type { IntentEvent } from '../contracts/intent/event.js';
export type { AggregateStatus, IntentGraph, Relation } from '../contracts/graph/graph.js';
export type { Intent, IntentStatus, Lease, StatePatch } from '../contracts/intent/intent.js';
export type { Me } from '../contracts/people/session.js';
export type { QuietHours } from '../contracts/people/noticing.js';
export type { PauseEnd, ResumeBody } from '../contracts/suspension/pause-requests.js';
export type { Plan, PhasedPlanView } from '../contracts/plan/plan.js';
export type {
  ChangePortfolioRequest,
  Membership,
  PortfolioStatus,
  PortfolioView,
} from '../contracts/portfolio/portfolio.js';
export type { JsonObject, JsonValue } from '../contracts/kernel/primitives.js';
export type {
  EngagementDuration,
  EngagementFigures,
  EngagementGroup,
  EngagementGrouping,
  EngagementReport,
} from '../contracts/suspension/engagement.js';
export type { SavedView, SaveView } from '../contracts/suspension/personal.js';
export type { Snooze } from '../contracts/suspension/personal.js';
export type { Candidate, Candidates } from '../contracts/suspension/verbs.js';
export type {
  Blocked,
  BulkAnswers,
  InboxCounts,
  InboxEntry,
  InboxFilter,
  InboxPage,
  SuspensionChange,
  SuspensionView,
} from '../contracts/suspension/view.js';
export type { SettledRecord, SuspensionRecord } from '../contracts/suspension/suspension.js';
export type { PatchTaskRequest, Task } from '../contracts/plan/task.js';
