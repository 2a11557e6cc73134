import type {
  ApprovalResolution,
  Proposal,
  ProposedCall,
  WithdrawnPart,
} from '../../../contracts/approval/approval.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { jsonBytes, jsonEqual } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { hashOf } from '../proposal/proposal.js';
import type { Redeemed } from '../../../contracts/approval/requests.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import { isEarlier } from '../../kernel/time.js';
import { checkNotErased } from '../record/erasure.js';
import { checkToken, takeLease, type LeaseRequest, type WorkLease } from './work-lease.js';
import { defined } from '../../../contracts/constants/defined.js';

export interface DecidedProposal {
  readonly resolution: Pick<ApprovalResolution, 'status' | 'proposal_hash'>;
  readonly proposal: Proposal;
  readonly proposed_hash: string;
}

/**
 * Returns the calls that may run now, with the approved arguments (A54-20, A54-22). Both sides are hashed again.
 * Refuses `proposal_mutation_detected`; then nothing runs (A54-31).
 *
 * @param live - made anew from the calls that the agent holds
 */
export function approvedCalls(
  live: Proposal,
  { resolution, proposal, proposed_hash }: DecidedProposal,
): Ruling<readonly ProposedCall[]> {
  const isSame =
    resolution.status === 'approved' &&
    hashOf(live) === proposed_hash &&
    hashOf(proposal) === resolution.proposal_hash &&
    (proposal.version === live.version ? jsonEqual(proposal, live) : isEdit(live, proposal));
  if (isSame) return ok(proposal.calls);
  const detail = 'What was to run is no longer what was approved.';
  return refuse('proposal_mutation_detected', detail);
}

/** Whether a later version differs only in arguments and in the risk class that goes with them. */
function isEdit(live: Proposal, edited: Proposal): boolean {
  return edited.version > live.version && jsonEqual(unedited(live), unedited(edited));
}

function unedited({ version: _version, risk_class: _risk, calls, ...rest }: Proposal) {
  return { ...rest, calls: calls.map(({ id, tool }) => ({ id, tool })) };
}

/** The key under which a tool may run a call once (P3-23). A call that is approved again has another one. */
export function idempotencyKeyOf(
  call_id: string,
  asked:
    { readonly approval_id: string } | { readonly run_id: string; readonly turn_index: number },
): string {
  if ('approval_id' in asked) return `${asked.approval_id}:${call_id}`;
  return `${asked.run_id}:${asked.turn_index}:${call_id}`;
}

interface Completion {
  readonly result: JsonValue;
  readonly at: string;
}

export interface Redemption {
  readonly lease: WorkLease;
  readonly completed?: Completion;
}

export type Redemptions = Readonly<Record<string, Redemption>>;

export interface RedeemableApproval {
  /** The latest version, with edited arguments. */
  readonly proposal: Proposal;
  /** Absent while it is undecided. */
  readonly resolution?: ApprovalResolution | undefined;
  /** The open question; absent between two of them. */
  readonly open?: { readonly suspension_id: string };
  /** Set once its intent has ended; no process gets a call any more. */
  readonly withdrawn?: WithdrawnPart | undefined;
  /** When its personal data was erased (ISO-8601). */
  readonly erased_at?: string;
}

export interface RedeemRequest extends LeaseRequest {
  /** Optional if the approval has one call. */
  readonly call_id?: string | undefined;
  readonly tool?: string | undefined;
}

export interface CompleteRequest {
  readonly call_id?: string | undefined;
  readonly token: number;
  readonly result: JsonValue;
}

interface Step {
  readonly redemptions: Redemptions;
  readonly redeemed: Redeemed;
}

/**
 * Judges a process that is about to run a call of an approval. It gets the approved call, a lease and an idempotency
 * key; or the result, if the call has run. Refuses `approval_pending`, `approval_decided` if the call may not run,
 * `proposal_mutation_detected`, `invalid_request` for an unknown call, and `approval_in_use`.
 */
export function redeemCall(
  approval: RedeemableApproval,
  redemptions: Redemptions,
  request: RedeemRequest,
  now: string,
): Ruling<Step> {
  const decided = checkApproved(approval);
  if (!decided.ok) return decided;
  const call = findCall(approval.proposal, request.call_id);
  if (!call.ok) return call;
  const tool = checkTool(call.value, request.tool);
  if (!tool.ok) return tool;
  const { id } = call.value;
  const before = redemptions[id];
  if (before?.completed !== undefined) {
    return ok({ redemptions, redeemed: redeemedCall(approval, decided.value, call.value, before) });
  }
  const { withdrawn } = approval;
  if (withdrawn && !(isRunning(before, now) && before?.lease.holder === request.holder)) {
    return refuseWithdrawn(withdrawn);
  }
  const lease = takeLease(before?.lease, request, now);
  if (!lease.ok) return lease;
  const after: Redemption = { lease: lease.value };
  return ok({
    redemptions: { ...redemptions, [id]: after },
    redeemed: redeemedCall(approval, decided.value, call.value, after),
  });
}

/**
 * Records the result of a call; the first one stays. Refuses as `redeemCall` does, `stale_token` after a takeover,
 * and `invalid_request` if all results together are too large.
 */
export function completeCall(
  approval: RedeemableApproval,
  redemptions: Redemptions,
  { call_id, token, result }: CompleteRequest,
  now: string,
): Ruling<Step> {
  const decided = checkApproved(approval);
  if (!decided.ok) return decided;
  const call = findCall(approval.proposal, call_id);
  if (!call.ok) return call;
  const { id } = call.value;
  const before = redemptions[id];
  const current = checkToken(before?.lease, token);
  if (!current.ok) return current;
  const { lease, completed } = before as Redemption;
  const after = { lease, completed: completed ?? { result, at: now } };
  const all = { ...redemptions, [id]: after };
  if (jsonBytes(Object.values(all).map(resultOf)) > LIMITS.redeemedBytes) {
    return refuse('invalid_request', 'The results of the calls are too large.', {
      field: 'result',
      accepted: `at most ${LIMITS.redeemedBytes} bytes of JSON for all calls together`,
    });
  }
  return ok({
    redemptions: all,
    redeemed: redeemedCall(approval, decided.value, call.value, after),
  });
}

function resultOf({ completed }: Redemption): JsonValue {
  return completed?.result ?? null;
}

/** Whether nothing remains to redeem: no call may run, or each of them has. */
export function isRedeemed(approval: RedeemableApproval, redemptions: Redemptions): boolean {
  if (approval.resolution === undefined) return false;
  if (approval.resolution.status !== 'approved') return true;
  return approval.proposal.calls.every(({ id }) => {
    const redemption = redemptions[id];
    if (redemption === undefined) return approval.withdrawn !== undefined;
    return redemption.completed !== undefined;
  });
}

/** Whether a process runs a call at `now`: it has the lease, and there is no result yet. */
export function isRunning(redemption: Redemption | undefined, now: string): boolean {
  if (redemption === undefined || redemption.completed !== undefined) return false;
  return isEarlier(now, redemption.lease.until);
}

/** The arguments are hashed again each time, so that only what was decided on runs (A54-31). */
function checkApproved(approval: RedeemableApproval): Ruling<ApprovalResolution> {
  const { proposal, resolution, open, withdrawn } = approval;
  const readable = checkNotErased(approval);
  if (!readable.ok) return readable;
  if (resolution === undefined) {
    if (withdrawn) return refuseWithdrawn(withdrawn);
    const asked = defined({ suspension_id: open?.suspension_id });
    const state = { status: 'pending', ...asked };
    return refuse('approval_pending', 'Nobody has decided yet.', { state });
  }
  const { status, proposal_hash } = resolution;
  const isSame = hashOf(proposal) === proposal_hash;
  if (status === 'failed' || (status === 'approved' && !isSame)) {
    return refuse('proposal_mutation_detected', 'What was to run is not what was approved.', {
      state: { status: 'failed', proposal_hash },
    });
  }
  return status === 'approved' ? ok(resolution) : refuseDenied(resolution);
}

function refuseDenied(resolution: ApprovalResolution): Ruling<never> {
  const { status, by, comment, respondent, reason } = resolution;
  const why = by === 'system' && reason !== undefined ? `, ${reason}` : '';
  return refuse('approval_decided', `The call was not approved: ${status}${why}.`, {
    state: { status, by, ...defined({ comment, respondent, reason }) },
  });
}

function refuseWithdrawn({ reason }: WithdrawnPart): Ruling<never> {
  return refuse('approval_decided', `The call was withdrawn: ${reason}.`, {
    state: { status: 'cancelled', by: 'system', reason },
  });
}

/** A request that names its tool gets no call of another tool, because people have not approved that. */
function checkTool({ tool }: ProposedCall, named: string | undefined): Ruling<true> {
  if (named === undefined || named === tool) return ok(true);
  return refuse('proposal_mutation_detected', 'People have approved a call of another tool.', {
    field: 'tool',
    accepted: tool,
  });
}

/** The named call of a proposal, or its only one. Refuses `invalid_request`. */
export function findCall({ calls }: Proposal, callId: string | undefined): Ruling<ProposedCall> {
  const [only] = calls;
  if (callId === undefined && only !== undefined && calls.length === 1) return ok(only);
  const found = calls.find(({ id }) => id === callId);
  if (found !== undefined) return ok(found);
  return refuse('invalid_request', 'The approval is for no such call.', {
    field: 'call_id',
    accepted: 'the id of a call of the proposal',
  });
}

function redeemedCall(
  { proposal }: RedeemableApproval,
  { approvers, proposal_hash, comment, data }: ApprovalResolution,
  call: ProposedCall,
  { lease, completed }: Redemption,
): Redeemed {
  return {
    approval_id: proposal.approval_id,
    call_id: call.id,
    tool: call.tool,
    arguments: call.arguments,
    edited: proposal.version > 1,
    proposal_hash,
    approvers,
    idempotency_key: idempotencyKeyOf(call.id, proposal),
    token: lease.token,
    lease_until: lease.until,
    ...defined({ comment, data }),
    ...(completed !== undefined && { completed_at: completed.at, result: completed.result }),
  };
}
