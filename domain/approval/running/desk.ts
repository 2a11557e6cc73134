import type { CheckpointStatus } from '../../../contracts/constants/approvals.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { checkToken, takeLease, type LeaseRequest, type WorkLease } from './work-lease.js';
import type { RedemptionView, WithdrawnPart } from '../../../contracts/approval/approval.js';
import { isEarlier } from '../../kernel/time.js';
import { keyed, type KeyedEvent } from '../record/events.js';
import type { ApprovalState } from '../record/state.js';
import { CLOCK_ACTOR } from '../../suspension/record/events.js';
import {
  completeCall,
  isRedeemed,
  isRunning,
  redeemCall,
  type CompleteRequest,
  type RedeemRequest,
  type RedeemableApproval,
  type Redemptions,
} from './redemption.js';
import type { CheckpointState, Redeemed } from '../../../contracts/approval/requests.js';
import { jsonEqual } from '../../kernel/json.js';
import { checkNotErased } from '../record/erasure.js';
import { defined } from '../../../contracts/constants/defined.js';

/** The progress of resuming an agent that had stopped while people decided. */
export interface CheckpointClaim {
  readonly status: CheckpointStatus;
  /** The process that resumes the agent, or did. */
  readonly lease?: WorkLease;
}

export const HIBERNATED: CheckpointClaim = { status: 'hibernated' };

/**
 * Gives the checkpoint to the process that resumes the agent (JC-66); after the lease another gets it with a higher
 * token. Refuses `approval_pending`, `approval_in_use`, and `invalid_transition` once resumed.
 */
export function claimCheckpoint(
  claim: CheckpointClaim,
  request: LeaseRequest,
  { isDecided, now }: { readonly isDecided: boolean; readonly now: string },
): Ruling<CheckpointClaim> {
  if (!isDecided) {
    return refuse('approval_pending', 'Nobody has decided yet.', { state: { status: 'pending' } });
  }
  if (claim.status === 'resumed') {
    return refuse('invalid_transition', 'The agent has been brought back already.', {
      state: { checkpoint_status: claim.status },
    });
  }
  const lease = takeLease(claim.lease, request, now);
  return lease.ok ? ok({ status: 'resuming', lease: lease.value }) : lease;
}

/** Notes that the agent has resumed: `resuming → resumed`; may be repeated. Refuses `stale_token` after a takeover. */
export function finishCheckpoint(claim: CheckpointClaim, token: number): Ruling<CheckpointClaim> {
  const current = checkToken(claim.lease, token);
  return current.ok ? ok({ ...claim, status: 'resumed' }) : current;
}

/**
 * Applies the end of an approval's intent. From then on no process gets a call of it, but running calls may finish,
 * and the decision stays. Returns undefined if nothing remains to withdraw.
 */
export function intentEnded(
  state: ApprovalState,
  redemptions: Redemptions,
  withdrawn: WithdrawnPart,
): WithdrawnApproval | undefined {
  const isLeft = state.withdrawn === undefined && !isRedeemed(state, redemptions);
  return isLeft ? { ...state, withdrawn } : undefined;
}

type WithdrawnApproval = ApprovalState & { readonly withdrawn: WithdrawnPart };

/**
 * What was withdrawn of an approval after it was approved, and why; `under_way` lists the calls that a process may
 * still finish.
 */
export function withdrawnEvent(state: WithdrawnApproval, redemptions: Redemptions): KeyedEvent {
  const { reason, at } = state.withdrawn;
  const ids = state.proposal.calls
    .map(({ id }) => id)
    .filter((id) => redemptions[id]?.completed === undefined);
  const isUnderWay = (id: string) => isRunning(redemptions[id], at);
  return keyed(state, 'withdrawn', 'approval_withdrawn', CLOCK_ACTOR, {
    reason,
    calls: ids.filter((id) => !isUnderWay(id)),
    under_way: ids.filter(isUnderWay),
    proposal_hash: state.proposal_hash,
  });
}

/**
 * The last instant at which a running call of a withdrawn approval may be finished, or `until` if that is earlier;
 * undefined if no call may.
 */
export function lastLease(redemptions: Redemptions, until: string): string | undefined {
  const leases = Object.values(redemptions)
    .filter(({ completed }) => completed === undefined)
    .map(({ lease }) => lease.until);
  const [first, ...others] = leases;
  if (first === undefined) return undefined;
  const last = others.reduce((latest, one) => (isEarlier(latest, one) ? one : latest), first);
  return isEarlier(last, until) ? last : until;
}

/** The state of redeeming an approval: its calls, and the checkpoint of its agent. */
export interface Desk {
  readonly redemptions: Redemptions;
  /** Absent if the agent saved no checkpoint. */
  readonly checkpoint?: CheckpointClaim;
}

export interface DeskStep<Reply> {
  readonly desk: Desk;
  readonly reply: Reply;
}

export function newDesk(hasCheckpoint: boolean): Desk {
  return { redemptions: {}, ...(hasCheckpoint && { checkpoint: HIBERNATED }) };
}

/** Redeems a call; see `redeemCall`. */
export function redeemAt(
  desk: Desk,
  approval: RedeemableApproval,
  request: RedeemRequest,
  now: string,
): Ruling<DeskStep<Redeemed>> {
  return redeemed(desk, redeemCall(approval, desk.redemptions, request, now));
}

/** Records the result of a call; see `completeCall`. */
export function completeAt(
  desk: Desk,
  approval: RedeemableApproval,
  request: CompleteRequest,
  now: string,
): Ruling<DeskStep<Redeemed>> {
  return redeemed(desk, completeCall(approval, desk.redemptions, request, now));
}

function redeemed(desk: Desk, step: ReturnType<typeof redeemCall>): Ruling<DeskStep<Redeemed>> {
  if (!step.ok) return step;
  const { redemptions, redeemed: reply } = step.value;
  return ok({ desk: { ...desk, redemptions }, reply });
}

/** Gives the checkpoint to a process; see `claimCheckpoint`. Refuses `invalid_transition` if there is none. */
export function claimAt(
  desk: Desk,
  approval: RedeemableApproval,
  request: LeaseRequest,
  now: string,
): Ruling<DeskStep<CheckpointState>> {
  const { checkpoint } = desk;
  if (checkpoint === undefined) return withoutCheckpoint();
  const readable = checkNotErased(approval);
  if (!readable.ok) return readable;
  const isDecided = approval.resolution !== undefined;
  const claim = claimCheckpoint(checkpoint, request, { isDecided, now });
  return claim.ok ? claimed(desk, approval, claim.value) : claim;
}

/** Notes that the agent has resumed; see `finishCheckpoint`. Refuses `invalid_transition` if it saved no checkpoint. */
export function finishAt(
  desk: Desk,
  approval: RedeemableApproval,
  token: number,
): Ruling<DeskStep<CheckpointState>> {
  const { checkpoint } = desk;
  if (checkpoint === undefined) return withoutCheckpoint();
  const claim = finishCheckpoint(checkpoint, token);
  return claim.ok ? claimed(desk, approval, claim.value) : claim;
}

function withoutCheckpoint(): Ruling<never> {
  return refuse('invalid_transition', 'The agent has left no checkpoint.', {
    state: { checkpoint_status: null },
  });
}

function claimed(
  desk: Desk,
  { proposal: { approval_id } }: RedeemableApproval,
  checkpoint: CheckpointClaim,
): Ruling<DeskStep<CheckpointState>> {
  const reply = { approval_id, ...stateOf(checkpoint) };
  return ok({ desk: { ...desk, checkpoint }, reply });
}

function stateOf({ status, lease }: CheckpointClaim) {
  return { status, token: lease?.token ?? 0, ...(lease && { lease_until: lease.until }) };
}

/** Whether everything is redeemed: no call remains to run, and a stopped agent has resumed. */
export function isClosed(desk: Desk, approval: RedeemableApproval): boolean {
  const isBack = desk.checkpoint === undefined || desk.checkpoint.status === 'resumed';
  return isBack && isRedeemed(approval, desk.redemptions);
}

/** The instant after which nothing can be redeemed, if it is possible until `until`; undefined if nothing remains. */
export function closingAt(
  desk: Desk,
  approval: RedeemableApproval,
  until: string,
): string | undefined {
  if (isClosed(desk, approval)) return undefined;
  const { withdrawn, resolution } = approval;
  const isAway = desk.checkpoint !== undefined && desk.checkpoint.status !== 'resumed';
  if (!withdrawn || resolution?.status !== 'approved' || isAway) return until;
  return lastLease(desk.redemptions, until);
}

/**
 * The state of an approval for readers, also after its workflow has ended.
 *
 * @param redeemable_until - ISO-8601, if something remains to be redeemed
 */
export function redemptionView(
  { redemptions, checkpoint }: Desk,
  request_hash: string | null = null,
  redeemable_until?: string,
): RedemptionView {
  return {
    checkpoint: checkpoint === undefined ? null : stateOf(checkpoint),
    request_hash,
    ...defined({ redeemable_until }),
    calls: Object.entries(redemptions).map(([call_id, { lease, completed }]) => ({
      call_id,
      token: lease.token,
      lease_until: lease.until,
      ...(completed && { completed_at: completed.at, result: completed.result }),
    })),
  };
}

export type StoredApproval = RedeemableApproval & {
  readonly redemption?: RedemptionView | undefined;
};

/**
 * Judges a request after the workflow of an approval has ended: a repeated request gets its earlier reply or refusal,
 * any other change `approval_decided`.
 *
 * @param request - one of the requests above, with all arguments but the first
 */
export function atStoredDesk<Reply>(
  { redemption }: StoredApproval,
  request: (desk: Desk) => Ruling<DeskStep<Reply>>,
): Ruling<Reply> {
  const desk = deskOf(redemption);
  const step = request(desk);
  if (!step.ok) return step.refusal.code === 'approval_in_use' ? overdue() : step;
  return jsonEqual(step.value.desk, desk) ? ok(step.value.reply) : overdue();
}

function overdue(): Ruling<never> {
  return refuse('approval_decided', 'The time in which this could be picked up is over.', {
    state: { status: 'expired' },
  });
}

function deskOf({
  calls,
  checkpoint,
}: Pick<RedemptionView, 'calls' | 'checkpoint'> = NOTHING): Desk {
  const entries = calls.map(({ call_id, token, lease_until, completed_at, result }) => {
    const completed = completed_at !== undefined && { at: completed_at, result: result ?? null };
    return [
      call_id,
      { lease: leaseOf(token, lease_until), ...(completed && { completed }) },
    ] as const;
  });
  const redemptions = Object.fromEntries(entries);
  if (checkpoint === null) return { redemptions };
  const { status, token, lease_until } = checkpoint;
  const lease = lease_until !== undefined && leaseOf(token, lease_until);
  return { redemptions, checkpoint: { status, ...(lease && { lease }) } };
}

/** The holder of the lease is not stored, because nothing uses it any more. */
function leaseOf(token: number, until: string): WorkLease {
  return { holder: '', token, until };
}

const NOTHING = { calls: [], checkpoint: null };
