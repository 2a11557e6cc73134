import { defineUpdate } from '@temporalio/workflow';
import type { CheckpointState, Redeemed } from '../../contracts/approval-requests.js';
import type { ApprovalView } from '../../contracts/approval.js';
import type { Caller } from '../../contracts/caller.js';
import type { CompleteRequest, RedeemRequest } from '../../domain/approval/redemption.js';
import type { LeaseRequest } from '../../domain/approval/work-lease.js';

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
export type CompleteInput = ByCaller & CompleteRequest;
export type ClaimInput = ByCaller & LeaseRequest;
export type FinishInput = ByCaller & { readonly token: number };

/** A claimed checkpoint with the state that the agent left. */
export interface ClaimReceipt extends CheckpointState {
  readonly sealed?: SealedCheckpoint;
}

/** Waits until people can answer the question, or nobody has to. */
export const openedUpdate = defineUpdate<ApprovalView, [ByCaller]>('opened');
export const redeemUpdate = defineUpdate<Redeemed, [RedeemInput]>('redeem');
export const completeUpdate = defineUpdate<Redeemed, [CompleteInput]>('complete');
export const claimCheckpointUpdate = defineUpdate<ClaimReceipt, [ClaimInput]>('claimCheckpoint');
export const finishCheckpointUpdate = defineUpdate<CheckpointState, [FinishInput]>(
  'finishCheckpoint',
);
