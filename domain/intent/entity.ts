import type { IntentEventType } from '../../contracts/constants/events.js';
import type { Tracing } from '../../contracts/intent/event.js';
import type {
  CreateIntentRequest,
  Intent,
  IntentStatus,
  StatePatch,
  StatusRequest,
} from '../../contracts/intent/intent.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { isObject } from '../kernel/message-form.js';
import { checkFieldSizes, checkIfMatch, ok, refuse } from '../kernel/ruling.js';
import { asMarkdown } from '../kernel/text.js';
import { applyPatches, slotOf } from './state-patch.js';
import { defined } from '../../contracts/constants/defined.js';

/** Allowed status writes (RFC-0001). Suspending and resuming are not status writes. */
const TRANSITIONS: Readonly<Record<IntentStatus, readonly IntentStatus[]>> = {
  draft: ['active', 'abandoned'],
  active: ['blocked', 'completed', 'abandoned'],
  blocked: ['active', 'abandoned'],
  suspended_awaiting_input: ['abandoned'],
  completed: [],
  abandoned: [],
};

export function isClosed(status: IntentStatus): boolean {
  return status === 'completed' || status === 'abandoned';
}

/**
 * Checks a status write. A suspended intent can only be abandoned; it completes after it is active again (R25-09).
 * Refuses `intent_closed`, `intent_suspended` or `invalid_transition`, also for the present status.
 */
export function checkTransition(from: IntentStatus, to: IntentStatus): Ruling<IntentStatus> {
  const allowed = TRANSITIONS[from];
  if (allowed.includes(to)) return ok(to);
  const state = { intent_status: from };
  if (isClosed(from)) return refuse('intent_closed', `The intent is ${from}.`, { state });
  const extra = { field: 'status', accepted: allowed.join(', '), state };
  if (from === 'suspended_awaiting_input') {
    return refuse('intent_suspended', 'The intent waits for an operator.', extra);
  }
  if (to === 'suspended_awaiting_input') {
    return refuse('invalid_transition', 'An intent is suspended by POST …/suspend only.', extra);
  }
  return refuse('invalid_transition', `An intent cannot go from ${from} to ${to}.`, extra);
}

/** An event before it gets its id and sequence. */
export interface EventDraft extends Tracing {
  readonly event_type: IntentEventType | (string & {});
  readonly actor: string;
  /** The principal that was authenticated; by default the sender of the write. */
  readonly principal?: string;
  /** Set if a client posts the event itself. */
  readonly claimed?: true;
  readonly payload: JsonObject;
}

/** The result of a write: the next intent and its events. */
export interface IntentChange {
  readonly intent: Intent;
  readonly events: readonly EventDraft[];
}

/** A request for an intent. Its dependencies are optional. */
type NewIntentRequest = Omit<CreateIntentRequest, 'depends_on'> & {
  readonly depends_on?: readonly string[];
};

/** Creates the first record of an intent (RFC-0001), with version 1. */
export function newIntent(
  request: NewIntentRequest,
  identity: {
    readonly id: string;
    readonly created_by: string;
    readonly owner: string;
    readonly created_at: string;
  },
): Intent {
  return {
    id: identity.id,
    title: request.title,
    description: request.description ?? null,
    status: request.status,
    version: 1,
    state: request.state,
    constraints: request.constraints,
    parent_intent_id: request.parent_intent_id ?? null,
    depends_on: [...(request.depends_on ?? [])],
    created_by: identity.created_by,
    owner: identity.owner,
    created_at: identity.created_at,
    updated_at: identity.created_at,
    ...defined({ governance_policy: request.governance_policy }),
  };
}

/** Returns the first event of an intent, with its parent and dependencies if it has any. */
export function createdEvent({
  title,
  status,
  created_by,
  owner,
  parent_intent_id,
  depends_on,
}: Intent): EventDraft {
  const payload = {
    title,
    status,
    ...(parent_intent_id !== null && { parent_id: parent_intent_id }),
    ...(depends_on.length > 0 && { depends_on }),
  };
  const principal = owner !== undefined && { principal: owner };
  return { event_type: 'intent_created', actor: created_by, ...principal, payload };
}

/** Refuses `version_conflict` unless `ifMatch` is the current version. */
export function checkVersion(intent: Intent, ifMatch: number): Ruling<true> {
  return checkIfMatch(intent.version, ifMatch, { intent_status: intent.status });
}

const ENDS = { completed: 'intent_completed', abandoned: 'intent_abandoned' } as const;

/** Why an intent in this status asks no more questions; undefined while it is open. */
export function endReason(
  status: IntentStatus,
): 'intent_completed' | 'intent_abandoned' | undefined {
  return status === 'completed' || status === 'abandoned' ? ENDS[status] : undefined;
}

/** Refuses `intent_closed` once an intent is completed or abandoned. */
export function checkOpen(intent: Intent): Ruling<true> {
  if (!isClosed(intent.status)) return ok(true);
  return refuse('intent_closed', `The intent is ${intent.status}.`, {
    state: { intent_status: intent.status },
  });
}

/** Changes the status after checking the write. Adds one version and one `status_changed`. */
export function changeStatus(
  intent: Intent,
  request: StatusRequest,
  actor: string,
  now: string,
): Ruling<IntentChange> {
  const allowed = checkTransition(intent.status, request.status);
  if (!allowed.ok) return allowed;
  return ok(movedTo(intent, request.status, actor, now, request.reason));
}

/** Changes the status without checking. Adds one version and one `status_changed`. */
export function movedTo(
  intent: Intent,
  status: Intent['status'],
  actor: string,
  now: string,
  reason?: string,
): IntentChange {
  const version = intent.version + 1;
  const abandoned = status === 'abandoned' && reason !== undefined;
  return {
    intent: {
      ...intent,
      status,
      version,
      updated_at: now,
      ...(abandoned && { abandonment_reason: reason }),
    },
    events: [statusChanged(status, version, actor, reason)],
  };
}

/** Applies patches to the state. Adds one version and one `state_patched`. */
export function changeState(
  intent: Intent,
  patches: readonly StatePatch[],
  actor: string,
  now: string,
  maxBytes: number,
): Ruling<IntentChange> {
  const open = checkOpen(intent);
  if (!open.ok) return open;
  const state = applyPatches(intent.state, patches, { maxBytes });
  return state.ok ? ok(patched(intent, state.value, patches, actor, now)) : state;
}

/** Replaces the state with the result of patches. Adds one version and one `state_patched`. */
export function patched(
  intent: Intent,
  state: JsonObject,
  patches: readonly StatePatch[],
  actor: string,
  now: string,
): IntentChange {
  const version = intent.version + 1;
  const payload = { patches: patches.map(patchJson), version };
  return {
    intent: { ...intent, state, version, updated_at: now },
    events: [{ event_type: 'state_patched', actor, payload }],
  };
}

/** Returns the `status_changed` event of a new status. */
export function statusChanged(
  status: Intent['status'],
  version: number,
  actor: string,
  reason?: string,
): EventDraft {
  return {
    event_type: 'status_changed',
    actor,
    payload: { status, version, ...defined({ reason }) },
  };
}

/**
 * Sets or removes the governance policy of an intent, with one version and one event; `domain/policy/governance.ts`
 * reads it. Refuses `intent_closed`, and `invalid_request` beyond `maxBytes`.
 */
export function changeGovernance(
  intent: Intent,
  policy: JsonObject | null,
  actor: string,
  now: string,
  maxBytes: number,
): Ruling<IntentChange> {
  const open = checkOpen(intent);
  if (!open.ok) return open;
  const size = checkFieldSizes({ governance_policy: policy }, maxBytes);
  if (!size.ok) return size;
  const version = intent.version + 1;
  const { governance_policy: _former, ...rest } = intent;
  const payload = policy === null ? { version } : { policy, version };
  const event_type = policy === null ? 'governance.policy_removed' : 'governance.policy_set';
  return ok({
    intent: {
      ...rest,
      ...(policy !== null && { governance_policy: policy }),
      version,
      updated_at: now,
    },
    events: [{ event_type, actor, payload }],
  });
}

function patchJson(patch: StatePatch): JsonObject {
  return { ...patch };
}

/** The question that an intent waits for, if its state still names it. */
function questionOf(intent: Intent): string {
  const record = slotOf(intent);
  const id = isObject(record) ? record['id'] : undefined;
  return typeof id === 'string' ? `question ${asMarkdown(id)}` : 'its question';
}

export function describeIntent(intent: Intent): string {
  const { title, status, version, created_by, abandonment_reason: reason } = intent;
  const waits = status === 'suspended_awaiting_input';
  return [
    `**${asMarkdown(title)}**`,
    '',
    `- Status: \`${status}\`, version ${version}`,
    ...(waits ? [`- Waits for the answer to ${questionOf(intent)}`] : []),
    ...(reason === undefined ? [] : [`- Abandoned: ${asMarkdown(reason)}`]),
    `- Created by ${asMarkdown(created_by)}`,
  ].join('\n');
}
