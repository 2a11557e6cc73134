import type {
  Coordinator,
  CoordinatorDecision,
  CoordinatorDecisionRequest,
  CreateCoordinatorRequest,
  HeartbeatReply,
} from '../../contracts/coordinator.js';
import type { EngagementDecision, EngagementSignals } from '../../contracts/engagement.js';
import type { ExportEnd, IntentEvent, VerifyReport } from '../../contracts/event.js';
import type { AggregateStatus, IntentGraph, Relation } from '../../contracts/graph.js';
import type {
  CreateIntentRequest,
  Intent,
  Lease,
  StatePatch,
  StatusRequest,
} from '../../contracts/intent.js';
import type {
  AddMemberRequest,
  ChangePortfolioRequest,
  CreatePortfolioRequest,
  Membership,
  PortfolioAggregate,
  PortfolioStatus,
  PortfolioView,
} from '../../contracts/portfolio.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { SubscribeRequest, Subscription } from '../../contracts/subscription.js';
import type {
  CancelRequest,
  RespondRequest,
  SuspendRequest,
} from '../../contracts/suspension-requests.js';
import type {
  InboxCounts,
  InboxFilter,
  InboxPage,
  InboxSort,
  RespondResult,
  SuspensionView,
} from '../../contracts/suspension-view.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import type { SubscriptionPage } from '../../store/queries/subscription.js';
import type { AgentGateway } from './agent/types.js';
import type { Caller, Read } from './caller.js';
import type { PlanGateway } from './plan/types.js';

export type { Caller, Read } from './caller.js';
export type { TaskPage } from './plan/types.js';

/** An answer that was accepted, or handed over for later (202). */
export type RespondOutcome =
  | { readonly accepted: true; readonly result: RespondResult }
  | { readonly accepted: false; readonly suspension_id: string };

export interface EventPage {
  readonly limit: number;
  readonly offset: number;
  readonly event_type?: string;
  /** Those of these types only. */
  readonly event_types?: readonly string[];
  /** ISO-8601: those that are no older. */
  readonly since?: string;
}
export interface IntentPage {
  readonly limit: number;
  readonly offset: number;
  readonly status?: string;
}

export interface InboxRequest extends InboxFilter {
  readonly state: 'pending' | 'settled';
  readonly sort: InboxSort;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A whole log in its order, read as it is taken, and how it ends. */
export interface LogExport {
  readonly events: AsyncIterable<IntentEvent>;
  readonly end: ExportEnd;
}

/**
 * Everything the routes may do. Each method throws `RefusalError` (api/errors.ts) with a code of
 * `contracts/constants/errors.ts`; nothing else is expected.
 */
export interface Gateway extends PortfolioGateway, PlanGateway, CoordinatorGateway, AgentGateway {
  /** As a child, by the workflow of its parent, where the request names one. */
  createIntent(
    caller: Caller,
    request: CreateIntentRequest,
    idempotencyKey?: string,
  ): Promise<Intent>;
  addDependency(
    caller: Caller,
    intentId: string,
    ifMatch: number,
    dependencyId: string,
  ): Promise<Intent>;
  removeDependency(
    caller: Caller,
    intentId: string,
    ifMatch: number,
    dependencyId: string,
  ): Promise<Intent>;
  listRelated(
    relation: Relation,
    intentId: string,
    page: Omit<IntentPage, 'status'>,
  ): Promise<Read<readonly Intent[]>>;
  childrenStatus(intentId: string): Promise<Read<AggregateStatus>>;
  intentGraph(intentId: string): Promise<Read<IntentGraph>>;
  getIntent(intentId: string): Promise<Read<Intent>>;
  listIntents(page: IntentPage): Promise<Read<readonly Intent[]>>;
  setStatus(
    caller: Caller,
    intentId: string,
    ifMatch: number,
    request: StatusRequest,
  ): Promise<Intent>;
  patchState(
    caller: Caller,
    intentId: string,
    ifMatch: number,
    patches: readonly StatePatch[],
  ): Promise<Intent>;
  /** Keeps a governance policy with the intent as it is given, or none; it is not enforced. */
  setGovernance(
    caller: Caller,
    intentId: string,
    ifMatch: number,
    policy: JsonObject | null,
  ): Promise<Intent>;
  /** Events of these types of all intents, newest first. */
  findEvents(
    types: readonly string[],
    page: Pick<EventPage, 'limit' | 'offset'>,
  ): Promise<Read<readonly IntentEvent[]>>;
  listEvents(intentId: string, page: EventPage): Promise<Read<readonly IntentEvent[]>>;
  verifyEvents(intentId: string): Promise<Read<VerifyReport>>;
  exportEvents(intentId: string): Promise<Read<LogExport>>;
  appendEvent(
    caller: Caller,
    intentId: string,
    eventType: string,
    payload: JsonObject,
  ): Promise<IntentEvent>;
  acquireLease(
    caller: Caller,
    intentId: string,
    scope: string,
    durationSeconds: number,
  ): Promise<Lease>;
  renewLease(
    caller: Caller,
    intentId: string,
    leaseId: string,
    durationSeconds: number,
  ): Promise<Lease>;
  releaseLease(caller: Caller, intentId: string, leaseId: string): Promise<Lease>;
  listLeases(intentId: string): Promise<readonly Lease[]>;
  /** `created` is false where a request_key re-attached to an earlier suspension. */
  suspend(
    caller: Caller,
    intentId: string,
    request: SuspendRequest,
  ): Promise<{ created: boolean; view: SuspensionView; warnings: readonly string[] }>;
  /** A question that holds up no intent; `created` as for `suspend`. */
  openSuspension(
    caller: Caller,
    request: SuspendRequest,
  ): Promise<{ created: boolean; view: SuspensionView; warnings: readonly string[] }>;
  /** `intentId` is undefined where the suspension itself was named, whatever it holds up. */
  respond(
    caller: Caller,
    intentId: string | undefined,
    request: RespondRequest,
    idempotencyKey?: string,
  ): Promise<RespondOutcome>;
  /** `intentId` as for `respond`; without it the request names the suspension. */
  cancel(
    caller: Caller,
    intentId: string | undefined,
    request: CancelRequest,
  ): Promise<SettledRecord>;
  engage(caller: Caller, intentId: string, signals: EngagementSignals): Promise<EngagementDecision>;
  /** Every question for who may answer, its own for an agent. */
  listSuspensions(caller: Caller, request: InboxRequest): Promise<Read<InboxPage>>;
  countSuspensions(caller: Caller, filter: InboxFilter): Promise<Read<InboxCounts>>;
  getSuspension(suspensionId: string): Promise<Read<SuspensionView>>;
  /**
   * Returns the moment the suspension settles, or as soon as an attempt after `afterAttempt` is due, or
   * the pending view after `timeoutSeconds`. `signal` ends the wait when the caller goes away.
   */
  waitForSuspension(
    suspensionId: string,
    options: { timeoutSeconds: number; afterAttempt?: number; signal: AbortSignal },
  ): Promise<Read<SuspensionView>>;
  subscribe(caller: Caller, request: SubscribeRequest): Promise<Subscription>;
  /** Every subscription for who may answer, its own for an agent. */
  listSubscriptions(
    caller: Caller,
    page: Omit<SubscriptionPage, 'created_by'>,
  ): Promise<Read<readonly Subscription[]>>;
  unsubscribe(caller: Caller, subscriptionId: string): Promise<Subscription>;
  /** One line per dependency. */
  readiness(): Promise<
    Readonly<Record<'temporal' | 'worker' | 'store', { ok: boolean; detail: string }>>
  >;
}

export interface MemberPage {
  readonly limit: number;
  readonly offset: number;
}
export interface PortfolioPage extends MemberPage {
  readonly status?: PortfolioStatus;
  readonly created_by?: string;
}

/** A page of a portfolio's intents, and what all of them come to. */
export interface MemberList {
  readonly intents: readonly Intent[];
  readonly aggregate_status: PortfolioAggregate;
}

/** What the routes may do with portfolios (RFC-0007). */
export interface PortfolioGateway {
  createPortfolio(
    caller: Caller,
    request: CreatePortfolioRequest,
    idempotencyKey?: string,
  ): Promise<PortfolioView>;
  getPortfolio(portfolioId: string): Promise<Read<PortfolioView>>;
  listPortfolios(page: PortfolioPage): Promise<Read<readonly PortfolioView[]>>;
  changePortfolio(
    caller: Caller,
    portfolioId: string,
    change: ChangePortfolioRequest,
  ): Promise<PortfolioView>;
  closePortfolio(
    caller: Caller,
    portfolioId: string,
    status: PortfolioStatus,
  ): Promise<PortfolioView>;
  addMember(caller: Caller, portfolioId: string, request: AddMemberRequest): Promise<Membership>;
  removeMember(caller: Caller, portfolioId: string, intentId: string): Promise<void>;
  listMembers(portfolioId: string, page: MemberPage): Promise<Read<MemberList>>;
  listPortfoliosOf(intentId: string, page: MemberPage): Promise<Read<readonly PortfolioView[]>>;
  listPortfolioEvents(portfolioId: string, page: EventPage): Promise<Read<readonly IntentEvent[]>>;
}

/** What of portfolios the gateway reads from the store. Ids have the form of an entity's id. */
export interface PortfolioReads {
  findPortfolio(id: string): Promise<PortfolioView | undefined>;
  listPortfolios(page: PortfolioPage): Promise<readonly PortfolioView[]>;
  portfoliosOf(intentId: string, page: MemberPage): Promise<readonly PortfolioView[]>;
  isMember(portfolioId: string, intentId: string): Promise<boolean>;
  listMembers(portfolioId: string, page: MemberPage): Promise<readonly Intent[]>;
}

/** What the routes may do with coordinator leases (RFC-0013). */
export interface CoordinatorGateway {
  createCoordinator(caller: Caller, request: CreateCoordinatorRequest): Promise<Coordinator>;
  getCoordinator(coordinatorId: string): Promise<Read<Coordinator>>;
  heartbeat(caller: Caller, coordinatorId: string): Promise<HeartbeatReply>;
  listCoordinators(intentId: string, page: MemberPage): Promise<Read<readonly Coordinator[]>>;
  /** For who holds the lease, and an intent in its scope. */
  recordDecision(caller: Caller, request: CoordinatorDecisionRequest): Promise<CoordinatorDecision>;
}

/** What of coordinators the gateway reads from the store. Ids have the form of an entity's id. */
export interface CoordinatorReads {
  findCoordinator(id: string): Promise<Coordinator | undefined>;
  coordinatorsOf(intentId: string, page: MemberPage): Promise<readonly Coordinator[]>;
}
