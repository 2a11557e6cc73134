import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ApprovalOpening } from '../../contracts/approval-opening.js';
import type { ApprovalResolution, ApprovalView, Proposal } from '../../contracts/approval.js';
import type {
  CheckpointState,
  MutationNoted,
  MutationRequest,
  Redeemed,
} from '../../contracts/approval-requests.js';
import type { Caller } from '../../contracts/caller.js';
import type { RowOf } from '../../contracts/journal.js';
import type { AskedApproval } from '../../domain/approval/meant-question.js';
import type { CompleteRequest, RedeemRequest } from '../../domain/approval/redemption.js';
import type { LeaseRequest } from '../../domain/approval/work-lease.js';
import type { LogStart } from '../engine/messages.js';

/** What opens an approval: the proposal, judged and routed once and never again. */
export interface ApprovalInput extends ApprovalOpening, LogStart {
  /** The principal that asked; it may withdraw. */
  readonly asked_by: string;
  readonly asked_as?: string;
  /** When it was asked (ISO-8601). */
  readonly asked_at: string;
  /** The intent whose log it belongs to; else the log of its run. */
  readonly intent_id: string | null;
  /** What the log of its intent calls it, where the OpenIntent API opened it. */
  readonly action?: string;
  /** What it keeps for who asked, an agent that is not on Temporal, to redeem the calls. */
  readonly redeemable?: RedeemTerms;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

/** What an approval returns: how it ended, and what may run, in its latest version. */
export interface ApprovalResult {
  readonly resolution: ApprovalResolution;
  readonly proposal: Proposal;
  readonly proposed_hash: string;
}

/** Withdraws an approval, from the API. */
export interface WithdrawApprovalInput {
  readonly by: Caller;
  readonly reason?: string;
}

/**
 * Waits until the approval is resolved; everybody uses the update id `outcome`. An approval that is still pending then
 * continues in another run: ask again.
 */
export const resolutionUpdate = defineUpdate<ApprovalView>('resolution');
/** Waits until the log has what has happened so far; false where the approval goes on in another run: ask again. */
export const notedUpdate = defineUpdate<boolean, [Readonly<Record<string, never>>]>('noted');
/** Withdraws the approval and its open question. */
export const withdrawApprovalUpdate = defineUpdate<ApprovalView, [WithdrawApprovalInput]>(
  'withdrawApproval',
);
/** The same from the run that asked; too late is no error. */
export const withdrawApprovalSignal = defineSignal<[reason: string]>('withdrawApprovalBySignal');
export const approvalQuery = defineQuery<ApprovalView>('approval');
/** The approval as it is stored, for who writes it where nobody did. */
export const approvalRowQuery = defineQuery<RowOf<'approval'>>('approvalRow');

/** The state that an agent left, which only the API can open. */
export interface SealedCheckpoint {
  readonly schema_version: string;
  readonly content: string;
}

/** What an approval keeps for an agent that is not on Temporal, and for how long after the decision. */
export interface RedeemTerms {
  readonly within_seconds: number;
  /** Of the body, where it came under a key; repetitions are compared with it. */
  readonly request_hash?: string;
  readonly sealed?: SealedCheckpoint;
}

interface ByCaller {
  readonly by: Caller;
}

export type RedeemInput = ByCaller & RedeemRequest;
export type MutationInput = ByCaller & MutationRequest;
export type CompleteInput = ByCaller & CompleteRequest;
export type ClaimInput = ByCaller & LeaseRequest;
export type FinishInput = ByCaller & { readonly token: number };

/** A claimed checkpoint with the state that the agent left. */
export interface ClaimReceipt extends CheckpointState {
  readonly sealed?: SealedCheckpoint;
}

/** Waits until people can answer the question, or nobody has to, and says which stages have decided. */
export const openedUpdate = defineUpdate<AskedApproval, [ByCaller]>('opened');
export const redeemUpdate = defineUpdate<Redeemed, [RedeemInput]>('redeem');
/** The agent has found that it holds another call than was approved, and runs nothing. */
export const mutationUpdate = defineUpdate<MutationNoted, [MutationInput]>('mutation');
export const completeUpdate = defineUpdate<Redeemed, [CompleteInput]>('complete');
export const claimCheckpointUpdate = defineUpdate<ClaimReceipt, [ClaimInput]>('claimCheckpoint');
export const finishCheckpointUpdate = defineUpdate<CheckpointState, [FinishInput]>(
  'finishCheckpoint',
);
