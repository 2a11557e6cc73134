import type { IntentEventType } from '../../contracts/constants/events.js';
import type {
  CreateIntentRequest,
  Intent,
  IntentStatus,
  StatePatch,
  StatusRequest,
} from '../../contracts/intent.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import { checkIfMatch, ok, refuse } from '../kernel/ruling.js';
import { asMarkdown } from '../kernel/text.js';
import { applyPatches } from './state-patch.js';

/** Where a status write may lead (RFC-0001); suspending and resuming are no status writes. */
const TRANSITIONS: Readonly<Record<IntentStatus, readonly IntentStatus[]>> = {
  draft: ['active', 'abandoned'],
  active: ['blocked', 'completed', 'abandoned'],
  blocked: ['active', 'abandoned'],
  suspended_awaiting_input: ['abandoned'],
  completed: [],
  abandoned: [],
};

/** Whether an intent in this status is over for good. */
export function isClosed(status: IntentStatus): boolean {
  return status === 'completed' || status === 'abandoned';
}

/**
 * Rules on a status write. A suspended intent can only be abandoned: it has to be active again
 * before it completes (R25-09). Refuses `intent_closed`, `intent_suspended` or
 * `invalid_transition`, with the current status as state; writing the status it has is refused too.
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

/** An event before the log gives it an id and a sequence. */
export interface EventDraft {
  readonly event_type: IntentEventType | (string & {});
  readonly actor: string;
  readonly payload: JsonObject;
}

/** The outcome of a write: the next intent and the events that tell of it. */
export interface IntentChange {
  readonly intent: Intent;
  readonly events: readonly EventDraft[];
}

/** What an intent is made of; the places in the graph may be left out. */
type NewIntentRequest = Omit<CreateIntentRequest, 'depends_on'> & {
  readonly depends_on?: readonly string[];
};

/** The first record of an intent (RFC-0001): version 1, in the status the request names. */
export function newIntent(
  request: NewIntentRequest,
  identity: { readonly id: string; readonly created_by: string; readonly created_at: string },
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
    created_at: identity.created_at,
    updated_at: identity.created_at,
    ...(request.governance_policy && { governance_policy: request.governance_policy }),
  };
}

/** The first event of an intent, with its places in the graph where it has any. */
export function createdEvent({
  title,
  status,
  created_by,
  parent_intent_id,
  depends_on,
}: Intent): EventDraft {
  const payload = {
    title,
    status,
    ...(parent_intent_id !== null && { parent_id: parent_intent_id }),
    ...(depends_on.length > 0 && { depends_on }),
  };
  return { event_type: 'intent_created', actor: created_by, payload };
}

/** Refuses with `version_conflict` where `ifMatch` is not the current version. */
export function checkVersion(intent: Intent, ifMatch: number): Ruling<true> {
  return checkIfMatch(intent.version, ifMatch, { intent_status: intent.status });
}

/** Refuses with `intent_closed` once an intent is completed or abandoned. */
export function checkOpen(intent: Intent): Ruling<true> {
  if (!isClosed(intent.status)) return ok(true);
  return refuse('intent_closed', `The intent is ${intent.status}.`, {
    state: { intent_status: intent.status },
  });
}

/** Moves the intent to another status (RFC-0001 lifecycle); one version, one `status_changed`. */
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

/** The intent in another status that it may have; one version, one `status_changed`. */
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

/** Applies patches to the state; one version, one `state_patched`. */
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

/** The intent with the state that patches have led to; one version, one `state_patched`. */
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

/** The `status_changed` event of a move to `status` at `version`. */
export function statusChanged(
  status: Intent['status'],
  version: number,
  actor: string,
  reason?: string,
): EventDraft {
  return {
    event_type: 'status_changed',
    actor,
    payload: { status, version, ...(reason !== undefined && { reason }) },
  };
}

/**
 * Keeps a governance policy with the intent, or removes it (wire contract §7): one version, and one event.
 * It is kept as it is given, and not enforced. Refuses `intent_closed`.
 */
export function changeGovernance(
  intent: Intent,
  policy: JsonObject | null,
  actor: string,
  now: string,
): Ruling<IntentChange> {
  const open = checkOpen(intent);
  if (!open.ok) return open;
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

/** What an engineer reads of an intent in the Temporal UI. Markdown. */
export function describeIntent(intent: Intent): string {
  const { title, status, version, created_by, abandonment_reason: reason } = intent;
  const waits = status === 'suspended_awaiting_input';
  return [
    `**${asMarkdown(title)}**`,
    '',
    `- Status: \`${status}\`, version ${version}`,
    ...(waits ? ['- Waits for the answer to its question'] : []),
    ...(reason === undefined ? [] : [`- Abandoned: ${asMarkdown(reason)}`]),
    `- Created by ${asMarkdown(created_by)}`,
  ].join('\n');
}
