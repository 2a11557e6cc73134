import type { ToolResultStatus } from '../constants/approvals.js';
import type { JsonObject, JsonValue } from '../kernel/primitives.js';

export interface ToolCall {
  /** The model's own id, unique within a turn. */
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The verdict of an agent's own policy on a call (JC-27). */
export type PolicyAnswer = 'proceed' | { readonly require_approval: { readonly reason?: string } };

/** The result of a call for the model; results come in the order of the calls (JC-34). */
export interface ToolResult {
  readonly call_id: string;
  readonly name: string;
  readonly status: ToolResultStatus;
  /** The text for the conversation. */
  readonly content: string;
  readonly is_error: boolean;
  readonly value?: JsonValue;
  readonly arguments?: JsonObject;
  /** Whether a person replaced the model's arguments. */
  readonly edited?: true;
  readonly approval_id?: string;
  /** The principal whose key decided (JC-38). */
  readonly respondent?: string;
  readonly comment?: string;
  readonly data?: JsonObject;
  readonly code?: 'policy_denied' | 'proposal_mutation_detected';
}

/** How a turn ended, with one result per call. After `cancelled` or `aborted` no model is called. */
export type GateOutcome =
  | { readonly status: 'completed'; readonly results: readonly ToolResult[] }
  | {
      readonly status: 'cancelled' | 'aborted';
      readonly results: readonly ToolResult[];
      readonly reason: string;
    };
