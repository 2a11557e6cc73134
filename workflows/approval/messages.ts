import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  ApprovalOpening,
  CheckpointState,
  MutationNoted,
  MutationRequest,
  Redeemed,
} from '../../contracts/approval/requests.js';
import type {
  ApprovalResolution,
  ApprovalView,
  Proposal,
} from '../../contracts/approval/approval.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { RowOf } from '../../contracts/log/journal.js';
import type { AskedApproval } from '../../domain/approval/deciding/meant-question.js';
import type { CompleteRequest, RedeemRequest } from '../../domain/approval/running/redemption.js';
import type { LeaseRequest } from '../../domain/approval/running/work-lease.js';
import type { LogStart } from '../engine/messages.js';

/** The input of an approval: the proposal, judged and routed once. */
export interface ApprovalInput extends ApprovalOpening, LogStart {
  /** The principal that asked; it may also withdraw. */
  readonly asked_by: string;
  readonly asked_as?: string;
  /** ISO-8601. */
  readonly asked_at: string;
  /** The intent whose log contains its events; null if the log of its run does. */
  readonly intent_id: string | null;
  /** The action's name in the log of its intent, if the OpenIntent API opened the approval. */
  readonly action?: string;
  /** How an agent that is not on Temporal may redeem its calls. */
  readonly redeemable?: RedeemTerms;
  /** The workflow `gate` that asked, and is told once the approval is decided. */
  readonly tells?: string;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

/** The result of an approval: how it ended, and the latest version of the calls that may run. */
export interface ApprovalResult {
  readonly resolution: ApprovalResolution;
  readonly proposal: Proposal;
  readonly proposed_hash: string;
}

export interface WithdrawApprovalInput {
  readonly by: Caller;
  readonly reason?: string;
}

/**
 * Waits until the approval is resolved; all callers use the update id `outcome`. If the reply is still pending, the
 * approval continues in another run: ask again.
 */
export const resolutionUpdate = defineUpdate<ApprovalView>('resolution');
export const withdrawApprovalUpdate = defineUpdate<ApprovalView, [WithdrawApprovalInput]>(
  'withdrawApproval',
);
/** Withdraws the approval from the run that asked; too late is no error. */
export const withdrawApprovalSignal = defineSignal<[reason: string]>('withdrawApprovalBySignal');
/** Tells the workflow `gate` that an approval is decided. */
export const decidedSignal = defineSignal<[approvalId: string]>('holdpointDecided');
/** Names another workflow `gate` that waits for the approval, which is told at once if it is decided. */
export const tellSignal = defineSignal<[workflowId: string]>('tell');
export const approvalQuery = defineQuery<ApprovalView>('approval');
export const approvalRowQuery = defineQuery<RowOf<'approval'>>('approvalRow');

/** The saved state of an agent, which only the API can decrypt. */
export interface SealedCheckpoint {
  readonly schema_version: string;
  readonly content: string;
}

/** What an agent that is not on Temporal may redeem, and how long after the decision. */
export interface RedeemTerms {
  readonly within_seconds: number;
  /** The hash of the body under its key, to compare repetitions. */
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

export interface ClaimReceipt extends CheckpointState {
  readonly sealed?: SealedCheckpoint;
}

/** What else to wait for before the approval reports its state. */
export interface StandingInput {
  /** A question that has ended: wait until the next one is open, or the approval is over. */
  readonly past?: string;
  /** Whether to wait until the log of its intent contains everything so far. */
  readonly logged?: true;
}

export interface Standing {
  readonly approval: AskedApproval;
  /** The approval continues in another run before the wait was over: ask again. */
  readonly moved: boolean;
}

/** Waits until people can answer the open question, or nobody has to, and then reports the state of the approval. */
export const standingUpdate = defineUpdate<Standing, [StandingInput]>('standing');
export const redeemUpdate = defineUpdate<Redeemed, [RedeemInput]>('redeem');
/** The agent reports that it holds another call than was approved, and runs nothing. */
export const mutationUpdate = defineUpdate<MutationNoted, [MutationInput]>('mutation');
export const completeUpdate = defineUpdate<Redeemed, [CompleteInput]>('complete');
export const claimCheckpointUpdate = defineUpdate<ClaimReceipt, [ClaimInput]>('claimCheckpoint');
export const finishCheckpointUpdate = defineUpdate<CheckpointState, [FinishInput]>(
  'finishCheckpoint',
);
