import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ApprovalOpening } from '../../contracts/approval/opening.js';
import type {
  ApprovalResolution,
  ApprovalView,
  Proposal,
} from '../../contracts/approval/approval.js';
import type {
  CheckpointState,
  MutationNoted,
  MutationRequest,
  Redeemed,
} from '../../contracts/approval/requests.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { RowOf } from '../../contracts/log/journal.js';
import type { AskedApproval } from '../../domain/approval/deciding/meant-question.js';
import type { CompleteRequest, RedeemRequest } from '../../domain/approval/running/redemption.js';
import type { LeaseRequest } from '../../domain/approval/running/work-lease.js';
import type { LogStart } from '../engine/messages.js';

/** The input of an approval: the proposal, judged and routed once. */
export interface ApprovalInput extends ApprovalOpening, LogStart {
  /** The principal that asked; it may withdraw. */
  readonly asked_by: string;
  readonly asked_as?: string;
  /** ISO-8601. */
  readonly asked_at: string;
  /** The intent whose log has its events; null if the log of its run has them. */
  readonly intent_id: string | null;
  /** Its name in the log of its intent, if the OpenIntent API opened it. */
  readonly action?: string;
  /** How an agent that is not on Temporal may redeem its calls. */
  readonly redeemable?: RedeemTerms;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

/** The result of an approval: how it ended, and the latest version of the calls that may run. */
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
/** Withdraws the approval and its open question. */
export const withdrawApprovalUpdate = defineUpdate<ApprovalView, [WithdrawApprovalInput]>(
  'withdrawApproval',
);
/** The same from the run that asked; it is no error if it comes too late. */
export const withdrawApprovalSignal = defineSignal<[reason: string]>('withdrawApprovalBySignal');
export const approvalQuery = defineQuery<ApprovalView>('approval');
/** The approval as it is stored, for the reconciler. */
export const approvalRowQuery = defineQuery<RowOf<'approval'>>('approvalRow');

/** The saved state of an agent, which only the API can open. */
export interface SealedCheckpoint {
  readonly schema_version: string;
  readonly content: string;
}

/** What an agent that is not on Temporal may redeem, and how long after the decision. */
export interface RedeemTerms {
  readonly within_seconds: number;
  /** The hash of the body under its key, with which repetitions are compared. */
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

/** A claimed checkpoint, with the saved state of the agent. */
export interface ClaimReceipt extends CheckpointState {
  readonly sealed?: SealedCheckpoint;
}

/** What is waited for besides, before an approval says how it stands. */
export interface StandingInput {
  /** A question that has ended: the next one has to be open, or the approval over. */
  readonly past?: string;
  /** Whether the log of its intent has to have all that has happened so far. */
  readonly logged?: true;
}

/** How an approval stands. */
export interface Standing {
  readonly approval: AskedApproval;
  /** The approval goes on in another run before all that was waited for is there: ask again. */
  readonly moved: boolean;
}

/** Waits until people can answer the open question, or nobody has to, and says how the approval stands then. */
export const standingUpdate = defineUpdate<Standing, [StandingInput]>('standing');
export const redeemUpdate = defineUpdate<Redeemed, [RedeemInput]>('redeem');
/** The agent reports that it holds another call than was approved, and runs nothing. */
export const mutationUpdate = defineUpdate<MutationNoted, [MutationInput]>('mutation');
export const completeUpdate = defineUpdate<Redeemed, [CompleteInput]>('complete');
export const claimCheckpointUpdate = defineUpdate<ClaimReceipt, [ClaimInput]>('claimCheckpoint');
export const finishCheckpointUpdate = defineUpdate<CheckpointState, [FinishInput]>(
  'finishCheckpoint',
);
