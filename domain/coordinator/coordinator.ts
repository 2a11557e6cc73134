import type { Announcement } from '../../contracts/graph/announcement.js';
import type { Caller } from '../../contracts/people/caller.js';
import type {
  Coordinator,
  CoordinatorDecision,
  CoordinatorStatus,
  CreateCoordinatorRequest,
  SuspensionPolicy,
} from '../../contracts/coordinator/coordinator.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { SuspensionDraft } from '../../contracts/suspension/suspension.js';
import { openQuestionOf } from '../graph/announcement.js';
import { isClosed } from '../intent/entity.js';
import { authorize } from '../policy/authorize.js';
import { checkAhead, checkFieldSizes, ok, refuse } from '../kernel/ruling.js';
import { asMarkdown } from '../kernel/text.js';
import { plusSeconds, toInstant, toMillis } from '../kernel/time.js';

/** A coordinator is unresponsive after two missed heartbeats, and gone after three more (RFC-0013 §5.2). */
const MISSED = 2;
const GRACE = 3;

interface Limits {
  readonly portfolioFieldBytes: number;
  readonly windowSeconds: number;
}

/** Creates the first record of a coordinator's lease. Refuses `invalid_request` and `deadline_in_past`. */
export function newCoordinator(
  request: CreateCoordinatorRequest,
  identity: {
    readonly id: string;
    readonly agent_id: string;
    readonly holder: string;
    readonly granted_at: string;
  },
  limits: Limits,
): Ruling<Coordinator> {
  const { intent_id = null, portfolio_id = null, expires_at, guardrails, metadata } = request;
  if ((intent_id === null) === (portfolio_id === null)) {
    return refuse('invalid_request', 'A coordinator has one scope.', {
      field: 'intent_id',
      accepted: 'either intent_id or portfolio_id',
    });
  }
  const sizes = checkFieldSizes({ guardrails, metadata }, limits.portfolioFieldBytes);
  if (!sizes.ok) return sizes;
  const ends = checkEnd(expires_at, identity.granted_at, limits.windowSeconds);
  if (!ends.ok) return ends;
  const { own_intent_id = null } = request;
  if (own_intent_id !== null && own_intent_id === intent_id) {
    return refuse('invalid_request', 'A coordinator cannot coordinate its own intent.', {
      field: 'own_intent_id',
      accepted: 'another intent than intent_id',
    });
  }
  const { role, coordinator_type, suspension_policy, heartbeat_interval_seconds } = request;
  return ok({
    ...identity,
    intent_id,
    portfolio_id,
    role,
    coordinator_type,
    suspension_policy,
    own_intent_id,
    supervisor_id: request.supervisor_id ?? null,
    scope: intent_id === null ? 'portfolio' : 'intent',
    status: 'active',
    guardrails,
    metadata,
    heartbeat_interval_seconds,
    last_heartbeat: identity.granted_at,
    expires_at: ends.value,
    version: 1,
  });
}

export function isCoordinatorClosed(status: CoordinatorStatus): boolean {
  return status === 'failed_over' || status === 'completed';
}

/** Returns the status at `now` (ms), derived only from the instants of the lease. */
export function statusAt(coordinator: Coordinator, now: number): CoordinatorStatus {
  if (isCoordinatorClosed(coordinator.status)) return coordinator.status;
  return statusChanges(coordinator).findLast(({ at }) => toMillis(at) <= now)?.status ?? 'active';
}

/** Returns the next instant at which time changes the status, or undefined if there is none. */
export function nextStatusChange(coordinator: Coordinator, now: number): string | undefined {
  if (isCoordinatorClosed(coordinator.status)) return undefined;
  return statusChanges(coordinator).find(({ at }) => toMillis(at) > now)?.at;
}

/** Renews the lease for its holder. Refuses `coordinator_closed`, and `lease_not_found` for others. */
export function heartbeat(coordinator: Coordinator, by: Caller, now: number): Ruling<Coordinator> {
  const status = statusAt(coordinator, now);
  if (isCoordinatorClosed(status)) return refuseClosed(status);
  const { holder } = coordinator;
  const allowed = authorize(by, 'heartbeat', { holder });
  if (!allowed.ok) return allowed;
  return ok({ ...coordinator, status: 'active', last_heartbeat: toInstant(now) });
}

/** Returns when the next heartbeat is due (ISO-8601). */
export function nextHeartbeat(coordinator: Coordinator): string {
  return plusSeconds(coordinator.last_heartbeat, coordinator.heartbeat_interval_seconds);
}

/** Returns the payload of `coordinator.escalation_required`; null if the coordinator does not escalate (R26-34). */
export function escalationOf(
  coordinator: Pick<Coordinator, 'id' | 'suspension_policy'>,
  announcement: Announcement,
): (JsonObject & { readonly suspension_id: string }) | null {
  const open = openQuestionOf(announcement);
  if (coordinator.suspension_policy !== 'escalate' || open === null) return null;
  const { intent_id } = announcement;
  const { suspension_id, expires_at } = open;
  return { intent_id, suspension_id, coordinator_id: coordinator.id, expires_at };
}

/**
 * Returns the question that a coordinator asks on its own intent instead of the escalation event. It never expires,
 * because only the supervisor can answer it, and omits the secret id of the escalated question.
 */
export function escalationQuestion(
  { id, supervisor_id }: Pick<Coordinator, 'id' | 'supervisor_id'>,
  { intent_id, suspension }: Announcement,
): SuspensionDraft {
  return {
    question: `Intent ${intent_id}, which I coordinate, waits for an operator. What shall I do?`,
    response_type: 'text',
    context: {
      coordinator_id: id,
      supervisor_id,
      intent_id,
      expires_at: suspension?.expires_at ?? null,
    },
    fallback_policy: 'fail',
  };
}

/** A coordinator's question on its own intent, about a question of an intent in its scope. */
export interface EscalatedQuestion {
  readonly intent_id: string;
  readonly about: string;
  /** The id of the coordinator's question; absent until it is asked. */
  readonly suspension_id?: string;
}

/**
 * Whether a coordinator's question is still relevant after an announcement of the intent: it is until the question
 * that it is about ends.
 */
export function isStillMeant(
  { intent_id, about }: EscalatedQuestion,
  announcement: Announcement,
): boolean {
  return (
    intent_id !== announcement.intent_id || openQuestionOf(announcement)?.suspension_id === about
  );
}

interface StatusChange {
  readonly at: string;
  readonly status: CoordinatorStatus;
}

/** Lists the future status changes in order: the lease ends by silence or at its own end. */
function statusChanges(coordinator: Coordinator): readonly StatusChange[] {
  const { last_heartbeat, heartbeat_interval_seconds: interval, expires_at } = coordinator;
  const turns: StatusChange[] = [
    { at: plusSeconds(last_heartbeat, MISSED * interval), status: 'unresponsive' },
    { at: plusSeconds(last_heartbeat, (MISSED + GRACE) * interval), status: 'failed_over' },
  ];
  if (expires_at === null) return turns;
  const before = turns.filter(({ at }) => toMillis(at) < toMillis(expires_at));
  if (before.length === turns.length) return turns;
  return [...before, { at: expires_at, status: 'completed' }];
}

function checkEnd(
  end: string | undefined,
  now: string,
  windowSeconds: number,
): Ruling<string | null> {
  if (end === undefined) return ok(null);
  const ahead = checkAhead(end, now, windowSeconds, {
    field: 'expires_at',
    past: 'The lease would be over already.',
    far: 'The lease would be too long.',
  });
  return ahead.ok ? ok(toInstant(toMillis(end))) : ahead;
}

function refuseClosed(status: CoordinatorStatus): ReturnType<typeof refuse> {
  const state = { coordinator_status: status };
  return refuse('coordinator_closed', `The coordinator is ${status}.`, { state });
}

/**
 * Whether a coordinator starts or stops holding the phases wired to an intent (R26-33). A closed intent needs no
 * announcement: completion releases the phases, and after an abandonment their inputs never come.
 */
export function holdChange(
  policy: SuspensionPolicy,
  { status }: Pick<Announcement, 'status'>,
  isHeld: boolean,
): 'hold' | 'forget' | undefined {
  if (isClosed(status)) return isHeld ? 'forget' : undefined;
  if (policy !== 'block_dependents' || isHeld) return undefined;
  return status === 'suspended_awaiting_input' ? 'hold' : undefined;
}

/** Describes a coordinator for engineers in the Temporal UI. Markdown. */
export function describeCoordinator(coordinator: Coordinator): string {
  const { agent_id, status, scope, intent_id, portfolio_id, suspension_policy } = coordinator;
  return [
    `**Coordinator ${asMarkdown(agent_id)}**`,
    '',
    `- Status: \`${status}\`, for ${scope} ${intent_id ?? String(portfolio_id)}`,
    `- On suspension: \`${suspension_policy}\``,
    `- Heartbeat every ${coordinator.heartbeat_interval_seconds} s, last ${coordinator.last_heartbeat}`,
    `- Lease ends: ${coordinator.expires_at ?? 'never'}`,
  ].join('\n');
}

/** The type of the event that records a decision in the log of its intent. */
export const COORDINATOR_DECISION = 'coordinator.decision';

/**
 * Checks whether a principal may record a decision for an intent (RFC-0013 §4). Refuses `lease_not_found` if another
 * holds the lease, `coordinator_closed`, and `outside_scope`.
 *
 * @param isMember - whether the intent belongs to the portfolio that is the scope
 */
export function checkDecision(
  { holder, status, intent_id }: Coordinator,
  by: Caller,
  intentId: string,
  isMember: boolean,
): Ruling<true> {
  const allowed = authorize(by, 'recordDecision', { holder });
  if (!allowed.ok) return allowed;
  if (isCoordinatorClosed(status)) return refuseClosed(status);
  if (intent_id === intentId || isMember) return ok(true);
  return refuse('outside_scope', 'The intent is not in the scope of the coordinator.', {
    field: 'intent_id',
    accepted: intent_id ?? 'a member of its portfolio',
  });
}

export function decisionOf({ id, created_at, payload }: IntentEvent): CoordinatorDecision {
  return {
    ...(payload as Omit<CoordinatorDecision, 'id' | 'timestamp'>),
    id,
    timestamp: created_at,
  };
}
