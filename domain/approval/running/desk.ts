import type { RedemptionView } from '../../../contracts/approval/approval.js';
import type { CheckpointState, Redeemed } from '../../../contracts/approval/requests.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { jsonEqual } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { HIBERNATED, claimCheckpoint, finishCheckpoint } from './checkpoint-claim.js';
import type { CheckpointClaim } from './checkpoint-claim.js';
import { checkNotErased } from '../record/erasure.js';
import { lastLease } from './intent-end.js';
import { completeCall, isRedeemed, redeemCall } from './redemption.js';
import type {
  CompleteRequest,
  RedeemRequest,
  RedeemableApproval,
  Redemptions,
} from './redemption.js';
import type { LeaseRequest, WorkLease } from './work-lease.js';
import { defined } from '../../../contracts/constants/defined.js';

/** The state of redeeming an approval: its calls, and the saved state of its agent. */
export interface Desk {
  readonly redemptions: Redemptions;
  /** Absent if the agent left no checkpoint. */
  readonly checkpoint?: CheckpointClaim;
}

/** An approval after a request, with the reply. */
export interface DeskStep<Reply> {
  readonly desk: Desk;
  readonly reply: Reply;
}

/** Returns the first state of a new approval. */
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

/** Records what a call returned; see `completeCall`. */
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

/** Gives the checkpoint to a process; see `claimCheckpoint`. Refuses `invalid_transition` where there is none. */
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

/** Notes that the agent is back; see `finishCheckpoint`. Refuses `invalid_transition` where it left no checkpoint. */
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

/** Whether the agent has picked up everything: no call is left to run, and the agent that was gone is back. */
export function isClosed(desk: Desk, approval: RedeemableApproval): boolean {
  const isBack = desk.checkpoint === undefined || desk.checkpoint.status === 'resumed';
  return isBack && isRedeemed(approval, desk.redemptions);
}

/** When what is left can no longer be picked up, if that is possible until `until`; undefined if nothing is left. */
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
 * The state of an approval for readers, also once its workflow is gone.
 *
 * @param redeemable_until - ISO-8601, if something is left to pick up
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

/** An approval as the store has it. */
export type StoredApproval = RedeemableApproval & {
  readonly redemption?: RedemptionView | undefined;
};

/**
 * Judges a request after the workflow of an approval has ended: a repetition gets its reply, and a refused one its
 * refusal. Any other change comes too late: `approval_decided`.
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

/** The holder of the lease is not stored, because nobody continues with it. */
function leaseOf(token: number, until: string): WorkLease {
  return { holder: '', token, until };
}

const NOTHING = { calls: [], checkpoint: null };
