import type { Approver, Proposal } from '../../contracts/approval.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { AUTO_APPROVER } from '../../contracts/constants/approvals.js';
import type { EventDraft } from '../intent/entity.js';
import { CLOCK_ACTOR } from '../suspension/events.js';
import type { ApprovalState, OpenTier } from './state.js';

/** An event of an approval, and the key under which it is in the log once. */
export interface KeyedEvent {
  readonly key: string;
  readonly draft: EventDraft;
}

function keyed(
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

/** The whole envelope with its hash, as people are asked about it (A54-11 … A54-13). */
export function requestedEvent(
  state: ApprovalState,
  { asked_by, asked_as = asked_by, reason }: Asked,
): KeyedEvent {
  const { proposal, proposal_hash } = state;
  const { route, risk_class } = proposal;
  return keyed(state, 'requested', 'approval_requested', asked_as, {
    proposal: asJson(proposal),
    proposal_hash,
    route,
    risk_class,
    requested_by: asked_by,
    ...(reason !== undefined && { reason }),
  });
}

/** Who asked, and why it is gated. */
interface Asked {
  readonly asked_by: string;
  readonly asked_as?: string | undefined;
  readonly reason?: string | undefined;
}

/** The votes that settled or counted in the question to a tier, each once. */
export function voteEvents(
  state: ApprovalState,
  { suspension_id, stage, tier }: OpenTier,
  votes: readonly Approver[],
): readonly KeyedEvent[] {
  const { proposal, proposal_hash } = state;
  return votes.map(({ principal, actor, decision, at }) =>
    keyed(state, `vote:${suspension_id}:${proposal.version}:${principal}`, 'approval_vote', actor, {
      suspension_id,
      stage,
      tier,
      principal,
      decision,
      voted_at: at,
      proposal_hash,
      version: proposal.version,
    }),
  );
}

/** A stage takes longer than it should. It decides nothing (A54-29). */
export function breachEvent(
  state: ApprovalState,
  stage: number,
  sla_seconds: number,
  due_at: string,
): KeyedEvent {
  const payload = { stage, sla_seconds, due_at, proposal_hash: state.proposal_hash };
  return keyed(state, `sla:${due_at}:${stage}`, 'approval_sla_breached', CLOCK_ACTOR, payload);
}

/**
 * The end of an approval, once for it (A54-21, AM-60). If what was to run is no longer what was decided on, the log says
 * that, and nothing was resolved (A54-24, A54-32).
 */
export function resolvedEvent(state: ApprovalState): KeyedEvent | undefined {
  const { resolution, proposal, proposal_hash, proposed_hash } = state;
  if (resolution === undefined) return undefined;
  if (resolution.code !== undefined) {
    const payload = { proposal_hash, proposed_hash, reason: resolution.code };
    return keyed(state, 'mutated', resolution.code, CLOCK_ACTOR, payload);
  }
  const { status, by, approvers, respondent, comment, reason } = resolution;
  const approver = by === 'policy' ? AUTO_APPROVER : respondent;
  return keyed(state, 'resolved', 'approval_resolved', approver ?? CLOCK_ACTOR, {
    status,
    by,
    ...(approver !== undefined && { approver }),
    approvers: approvers.map((one) => ({ ...one })),
    ...(comment !== undefined && { comment }),
    ...(reason !== undefined && { reason }),
    proposal_hash,
    proposed_hash,
    version: proposal.version,
    ...(proposal_hash !== proposed_hash && { proposal: asJson(proposal) }),
  });
}

function asJson(proposal: Proposal): JsonObject {
  return JSON.parse(JSON.stringify(proposal)) as JsonObject;
}
