import type { ApprovalClaim, ApprovalPlan } from './approval-judging.js';
import type { Proposal } from './approval.js';
import type { ApprovalKind, ApprovalVerdict } from './constants/approvals.js';
import type { JsonObject } from './primitives.js';

/** A call to be approved, with what its agent says of it. */
interface AskedCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly claimed?: ApprovalClaim | undefined;
  /** The schema of the arguments; edited ones are judged by it. */
  readonly input_schema?: JsonObject | undefined;
}

/** What is to be approved, before the rules have judged it. */
export interface ApprovalAsk {
  readonly approval_id: string;
  readonly kind: ApprovalKind;
  readonly run_id: string;
  readonly turn_index: number;
  readonly agent: string;
  /** The user for whom the agent acts, who never decides. */
  readonly on_behalf_of?: string | undefined;
  /** The user for whom the agent acts, and who alone decides where the rules name nobody (AM-49). */
  readonly decider?: string | undefined;
  readonly calls: readonly AskedCall[];
  readonly prompt?: string | undefined;
  readonly visible_context: JsonObject;
  /** Why the agent itself gates the calls. */
  readonly reason?: string | undefined;
  readonly response_schema?: JsonObject | undefined;
  /** What people and channels are shown besides (JC-36, JC-37). It is no part of the proposal. */
  readonly context?: JsonObject | undefined;
  readonly channel_hint?: string | undefined;
}

/** What the rules make of it: the proposal, and who is asked, resolved once and never again. */
export interface ApprovalOpening {
  readonly proposal: Proposal;
  readonly verdict: ApprovalVerdict;
  /** Who is asked, in which order; there if the verdict is `escalate`. */
  readonly plan?: ApprovalPlan;
  /** Why the calls are gated, or denied. */
  readonly reason?: string;
  /** By tool; edited arguments are judged by them. */
  readonly input_schemas?: Readonly<Record<string, JsonObject>>;
  /** What has to come with a decision (JC-36, JC-42). */
  readonly response_schema?: JsonObject;
  readonly context?: JsonObject;
  readonly channel_hint?: string;
}
