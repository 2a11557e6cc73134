import type { ApprovalPlan } from './judging.js';
import type { ApprovalPart, Proposal } from './approval.js';
import type { OpenApprovalRequest } from './requests.js';
import type { ApprovalVerdict } from '../constants/approvals.js';
import type { JsonObject } from '../kernel/primitives.js';

/** A request for approval, before the rules have judged it. */
export interface ApprovalAsk extends Omit<
  OpenApprovalRequest,
  'calls' | 'intent_id' | 'checkpoint' | 'request_key'
> {
  readonly approval_id: string;
  readonly agent: string;
  readonly calls: Readonly<OpenApprovalRequest['calls']>;
  /** Why the agent itself gates the calls. */
  readonly reason?: string | undefined;
  /** Further contents for people and channels (JC-36, JC-37). They are no part of the proposal. */
  readonly context?: JsonObject | undefined;
}

/** The request after the rules have judged it: the proposal, and the people who are asked. It is resolved once. */
export interface ApprovalOpening {
  readonly proposal: Proposal;
  readonly verdict: ApprovalVerdict;
  /** The stages that are asked, in order; only if the verdict is `escalate`. */
  readonly plan?: ApprovalPlan;
  /** Why the calls are gated, or denied. */
  readonly reason?: string;
  /** The schemas of arguments by tool; they judge edited arguments. */
  readonly input_schemas?: Readonly<Record<string, JsonObject>>;
  /** The arguments that lists show, by the id of their call. */
  readonly summaries?: NonNullable<ApprovalPart['summaries']>;
  /** The data that a decision must bring (JC-36, JC-42). */
  readonly response_schema?: JsonObject;
  readonly context?: JsonObject;
  readonly channel_hint?: string;
}
