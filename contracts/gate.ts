import type { ToolResultStatus } from './constants/approvals.js';
import type { JsonObject, JsonValue } from './primitives.js';

/** A call of a tool, as a model makes it. */
export interface ToolCall {
  /** The model's own, once in a turn. */
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What an agent's own policy says of a call (JC-27). */
export type PolicyAnswer = 'proceed' | { readonly require_approval: { readonly reason?: string } };

/** What goes back to the model for a call, in the order of the calls (JC-34). */
export interface ToolResult {
  readonly call_id: string;
  readonly name: string;
  readonly status: ToolResultStatus;
  /** For the conversation. */
  readonly content: string;
  readonly is_error: boolean;
  /** What the tool returned. */
  readonly value?: JsonValue;
  /** With which arguments it ran. */
  readonly arguments?: JsonObject;
  /** Whether a person had put them in the place of the model's. */
  readonly edited?: true;
  /** The approval that decided on it. */
  readonly approval_id?: string;
  /** Who decided, as the key proved (JC-38). */
  readonly respondent?: string;
  readonly comment?: string;
  readonly data?: JsonObject;
  readonly code?: 'policy_denied' | 'proposal_mutation_detected';
}

/**
 * How a turn ended, with a result for each call. `cancelled`: a rejection ends the task (AM-50). `aborted`: a rejection
 * ends the turn with an error (AM-62). In both the agent does not call its model again.
 */
export type GateOutcome =
  | { readonly status: 'completed'; readonly results: readonly ToolResult[] }
  | {
      readonly status: 'cancelled' | 'aborted';
      readonly results: readonly ToolResult[];
      readonly reason: string;
    };
