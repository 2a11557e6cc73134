import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ApprovalPlan } from '../../contracts/approval-judging.js';
import type { ApprovalResolution, ApprovalView, Proposal } from '../../contracts/approval.js';
import type { Caller } from '../../contracts/caller.js';
import type { JsonObject } from '../../contracts/primitives.js';

/** What opens an approval: the proposal, judged and routed once and never again. */
export interface ApprovalInput {
  readonly proposal: Proposal;
  /** Who is asked, in which order. Absent where nobody is: the verdict is in `verdict`. */
  readonly plan?: ApprovalPlan;
  readonly verdict: 'allow' | 'deny' | 'escalate';
  /** Why the calls are gated, or denied. */
  readonly reason?: string;
  /** By tool; edited arguments are judged by them. */
  readonly input_schemas?: Readonly<Record<string, JsonObject>>;
  /** What channels and people are shown besides the proposal: the rest of the request (JC-36, JC-37). */
  readonly context?: JsonObject;
  readonly channel_hint?: string;
  /** The principal that asked; it may withdraw. */
  readonly asked_by: string;
  readonly asked_as?: string;
  /** When it was asked (ISO-8601). */
  readonly asked_at: string;
  /** The intent whose log it belongs to; else the log of its run. */
  readonly intent_id: string | null;
  /** Whether it stays for who asked to redeem the calls: an agent that is not on Temporal. */
  readonly redeemable?: true;
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

/** Waits until the approval is resolved; everybody uses the update id `outcome`. */
export const resolutionUpdate = defineUpdate<ApprovalView>('resolution');
/** Withdraws the approval and its open question. */
export const withdrawApprovalUpdate = defineUpdate<ApprovalView, [WithdrawApprovalInput]>(
  'withdrawApproval',
);
/** The same from the run that asked; too late is no error. */
export const withdrawApprovalSignal = defineSignal<[reason: string]>('withdrawApprovalBySignal');
export const approvalQuery = defineQuery<ApprovalView>('approval');
