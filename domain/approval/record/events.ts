import type { Proposal } from '../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { EventDraft } from '../../intent/entity.js';
import { actionStatus, deciderOf, requestedBy } from '../../openintent/action-approval.js';
import { CLOCK_ACTOR } from '../../suspension/record/events.js';
import type { ApprovalState } from './state.js';
import { defined } from '../../../contracts/constants/defined.js';

/** An event of an approval, and the key under which the log contains it once. */
export interface KeyedEvent {
  readonly key: string;
  readonly draft: EventDraft;
}

/** Makes an event that names its approval. */
export function keyed(
  { proposal }: Pick<ApprovalState, 'proposal'>,
  name: string,
  event_type: string,
  actor: string,
  payload: JsonObject,
): KeyedEvent {
  const { approval_id, run_id } = proposal;
  return {
    key: `approval:${approval_id}:${name}`,
    draft: { event_type, actor, payload: { approval_id, run_id, ...payload } },
  };
}

/** The event with the whole proposal and its hash, as people are asked about it (A54-11 … A54-13). */
export function requestedEvent(
  state: ApprovalState,
  { asked_by, asked_as = asked_by, reason, action }: Asked,
): KeyedEvent {
  const { proposal, proposal_hash } = state;
  const { route, risk_class } = proposal;
  return keyed(state, 'requested', 'approval_requested', asked_as, {
    proposal: asJson(proposal),
    proposal_hash,
    route,
    risk_class,
    requested_by: asked_by,
    ...defined({ reason, action }),
  });
}

interface Asked {
  readonly asked_by: string;
  readonly asked_as?: string | undefined;
  readonly reason?: string | undefined;
  /** The action's name in the log of its intent, if the OpenIntent API opened the approval. */
  readonly action?: string | undefined;
}

/** The time limit that a stage has reached, and when (ISO-8601). */
export interface SlaBreach {
  readonly stage: number;
  readonly sla_seconds: number;
  readonly due_at: string;
}

/** A stage takes longer than it should. The event changes no outcome (A54-29). */
export function breachEvent(
  state: ApprovalState,
  { stage, sla_seconds, due_at }: SlaBreach,
): KeyedEvent {
  const payload = { stage, sla_seconds, due_at, proposal_hash: state.proposal_hash };
  return keyed(state, `sla:${due_at}:${stage}`, 'approval_sla_breached', CLOCK_ACTOR, payload);
}

/** The events at the end of an approval. */
export function endEvents(state: ApprovalState, asked: Asked): readonly KeyedEvent[] {
  return [resolvedEvent(state), decidedEvent(state, asked)].filter((one) => one !== undefined);
}

/**
 * The end of an action's approval in OpenIntent's form, which governance policies count (RFC-0013). Everything but an
 * approval is a denial; `status` and `by` say whether a person denied it.
 */
function decidedEvent(state: ApprovalState, { action, asked_by }: Asked): KeyedEvent | undefined {
  const { resolution, proposal, proposal_hash } = state;
  if (resolution === undefined || action === undefined) return undefined;
  const { status, by } = resolution;
  const decided_by = deciderOf(resolution);
  const type = status === 'approved' ? 'approval_granted' : 'approval_denied';
  return keyed(state, 'decided', `governance.${type}`, decided_by ?? CLOCK_ACTOR, {
    action,
    status: actionStatus(status),
    by,
    requested_by: requestedBy(proposal, { asked_by }),
    ...defined({ decided_by }),
    proposal_hash,
  });
}

/**
 * The end of an approval, logged once (A54-21). If the call differs from what was decided on, the log says that
 * instead (A54-24, A54-32).
 */
function resolvedEvent(state: ApprovalState): KeyedEvent | undefined {
  const { resolution, proposal, proposal_hash, proposed_hash } = state;
  if (resolution === undefined) return undefined;
  if (resolution.code !== undefined) {
    const payload = { proposal_hash, proposed_hash, reason: resolution.code };
    return keyed(state, 'mutated', resolution.code, CLOCK_ACTOR, payload);
  }
  const { status, by, approvers, comment, reason } = resolution;
  const approver = deciderOf(resolution);
  return keyed(state, 'resolved', 'approval_resolved', approver ?? CLOCK_ACTOR, {
    status,
    by,
    ...defined({ approver }),
    approvers: approvers.map((one) => ({ ...one })),
    ...defined({ comment, reason }),
    proposal_hash,
    proposed_hash,
    version: proposal.version,
    ...(proposal_hash !== proposed_hash && { proposal: asJson(proposal) }),
  });
}

function asJson(proposal: Proposal): JsonObject {
  return JSON.parse(JSON.stringify(proposal)) as JsonObject;
}
