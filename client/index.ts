export { Agent } from './agent.js';
export type { AgentOptions, HumanRetryPolicy, RequestInputOptions } from './agent.js';
export type { ConnectionOptions } from './connection.js';
export type { CoordinatorClient, NewCoordinator, NewDecision } from './coordinator-client.js';
export { ensureMayAct } from './engagement.js';
export type { Signals } from './engagement.js';
export { ConnectionError, HoldpointError, SuspensionUnsupportedError } from './errors.js';
export type { ErrorDetails } from './errors.js';
export type { AskedSuspension, HookErrorHandler, Hooks, InputResponse } from './hooks.js';
export type { Fetch } from './http.js';
export {
  DeferredError,
  InputCancelledError,
  InputRequiredError,
  InputTimeoutError,
} from './errors.js';
export { IntentClient } from './intent-client.js';
export type { EventQuery, NewIntent, ReadOptions } from './intent-client.js';
export type { Children, GraphClient, NewChild, Page } from './graph-client.js';
export type { LeaseClient } from './intent-client.js';
export type { PlanClient } from './plan-client.js';
export type { NewMember, NewPortfolio, PortfolioClient } from './portfolio-client.js';
export { Operator } from './operator.js';
export type { Answer, AnswerReceipt } from './operator.js';
export type { FeedItem, SeenEvent, SubscribeOptions } from './subscribe.js';
export type { Timers } from './retry.js';
export {
  InputWiringError,
  MissingOutputError,
  OutputTypeMismatchError,
  UnresolvableInputError,
  UpstreamIntentSuspendedError,
  WorkflowError,
} from './errors.js';
