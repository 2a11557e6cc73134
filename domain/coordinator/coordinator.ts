import type { Announcement } from '../../contracts/announcement.js';
import type {
  Coordinator,
  CoordinatorDecision,
  CoordinatorStatus,
  CreateCoordinatorRequest,
  SuspensionPolicy,
} from '../../contracts/coordinator.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import type { SuspensionDraft } from '../../contracts/suspension.js';
import { openQuestionOf } from '../graph/announcement.js';
import { isClosed } from '../intent/entity.js';
import { checkAhead, checkFieldSizes, ok, refuse } from '../kernel/ruling.js';
import { asMarkdown } from '../kernel/text.js';
import { plusSeconds, toInstant, toMillis } from '../kernel/time.js';

/** Heartbeats that are missed before a coordinator counts as unresponsive, and after that as gone (RFC-0013 §5.2). */
const MISSED = 2;
const GRACE = 3;

interface Limits {
  readonly portfolioFieldBytes: number;
  readonly windowSeconds: number;
}

/** The first record of a coordinator lease; refuses `invalid_request` and `deadline_in_past`. */
export function newCoordinator(
  request: CreateCoordinatorRequest,
  identity: { readonly id: string; readonly agent_id: string; readonly granted_at: string },
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

/** Whether the lease is over for good. */
export function isCoordinatorClosed(status: CoordinatorStatus): boolean {
  return status === 'failed_over' || status === 'completed';
}

/** What the clock makes of a lease by `now` (ms), from its instants alone. */
export function statusAt(coordinator: Coordinator, now: number): CoordinatorStatus {
  if (isCoordinatorClosed(coordinator.status)) return coordinator.status;
  return statusChanges(coordinator).findLast(({ at }) => toMillis(at) <= now)?.status ?? 'active';
}

/** The next instant at which the clock changes its status; undefined where none is left. */
export function nextStatusChange(coordinator: Coordinator, now: number): string | undefined {
  if (isCoordinatorClosed(coordinator.status)) return undefined;
  return statusChanges(coordinator).find(({ at }) => toMillis(at) > now)?.at;
}

/** Renews the lease of its holder; refuses `coordinator_closed`, and others with `lease_not_found`. */
export function heartbeat(
  coordinator: Coordinator,
  agent: string,
  now: number,
): Ruling<Coordinator> {
  const status = statusAt(coordinator, now);
  const open = checkLeaseOpen(status);
  if (!open.ok) return open;
  if (coordinator.agent_id !== agent) {
    return refuse('lease_not_found', 'The lease is held by another.');
  }
  return ok({ ...coordinator, status: 'active', last_heartbeat: toInstant(now) });
}

/** When the next heartbeat is due (ISO-8601). */
export function nextHeartbeat(coordinator: Coordinator): string {
  return plusSeconds(coordinator.last_heartbeat, coordinator.heartbeat_interval_seconds);
}

/** The payload of `coordinator.escalation_required` (AM-10); null where there is nothing to escalate. */
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
 * What a coordinator with an intent of its own asks there instead of telling (AM-39). It waits for ever, for
 * only its supervisor knows; the id of the escalated question is a secret and not in it.
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

interface StatusChange {
  readonly at: string;
  readonly status: CoordinatorStatus;
}

/** What the clock has in store, in order: silence ends the lease, or its own end does. */
function statusChanges(coordinator: Coordinator): readonly StatusChange[] {
  const { last_heartbeat, heartbeat_interval_seconds: interval, expires_at } = coordinator;
  const turns: StatusChange[] = [
    { at: plusSeconds(last_heartbeat, MISSED * interval), status: 'unresponsive' },
    { at: plusSeconds(last_heartbeat, (MISSED + GRACE) * interval), status: 'failed_over' },
  ];
  const end = expires_at === null ? Infinity : toMillis(expires_at);
  const before = turns.filter(({ at }) => toMillis(at) < end);
  if (expires_at === null || before.length === turns.length) return before;
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

/** Refuses `coordinator_closed` once the lease is over. */
function checkLeaseOpen(status: CoordinatorStatus): Ruling<true> {
  if (!isCoordinatorClosed(status)) return ok(true);
  const state = { coordinator_status: status };
  return refuse('coordinator_closed', `The coordinator is ${status}.`, { state });
}

/**
 * What an announcement means for the phases wired to its intent (R26-33, AM-40): they are held from its
 * suspension until it completes, however often it is resumed and suspended meanwhile. Of one that is closed
 * nothing is left to tell: its end releases them, or leaves them waiting for what will never come (AM-35).
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

/** What an engineer reads of a coordinator in the Temporal UI. Markdown. */
export function describeCoordinator(coordinator: Coordinator): string {
  const { agent_id, status, intent_id, portfolio_id, suspension_policy } = coordinator;
  const scope = intent_id === null ? `portfolio ${portfolio_id ?? '?'}` : `intent ${intent_id}`;
  return [
    `**Coordinator ${asMarkdown(agent_id)}**`,
    '',
    `- Status: \`${status}\`, for ${scope}`,
    `- On suspension: \`${suspension_policy}\``,
    `- Heartbeat every ${coordinator.heartbeat_interval_seconds} s, last ${coordinator.last_heartbeat}`,
    `- Lease ends: ${coordinator.expires_at ?? 'never'}`,
  ].join('\n');
}

/** The event by which a decision is kept in the log of its intent. */
export const COORDINATOR_DECISION = 'coordinator.decision';

/**
 * Whether an agent may record a decision of a coordinator for an intent (RFC-0013 §4): refuses
 * `lease_not_found` for who does not hold the lease, `coordinator_closed` once it is over, and
 * `outside_scope` for an intent out of its scope.
 *
 * @param isMember - whether the intent belongs to the portfolio that is the scope
 */
export function checkDecision(
  { agent_id, status, intent_id }: Coordinator,
  agent: string,
  intentId: string,
  isMember: boolean,
): Ruling<true> {
  if (agent_id !== agent) return refuse('lease_not_found', 'The lease is held by another.');
  const open = checkLeaseOpen(status);
  if (!open.ok) return open;
  if (intent_id === intentId || isMember) return ok(true);
  return refuse('outside_scope', 'The intent is not in the scope of the coordinator.', {
    field: 'intent_id',
    accepted: intent_id ?? 'a member of its portfolio',
  });
}

/** The decision that an event of the log tells of. */
export function decisionOf({ id, created_at, payload }: IntentEvent): CoordinatorDecision {
  return {
    ...(payload as Omit<CoordinatorDecision, 'id' | 'timestamp'>),
    id,
    timestamp: created_at,
  };
}
