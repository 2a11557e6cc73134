import type { JsonObject, JsonValue } from './json.js';
import type { SuspensionRecord } from './suspension.js';

/** The operator's answer as a hook gets it (RFC-0025 §10, R25-97). */
export interface InputResponse {
  readonly suspension_id: string;
  readonly value: JsonValue;
  readonly choice_label?: string;
  readonly choice_description?: string;
  readonly responded_by: string;
  readonly responded_at: string;
  readonly metadata?: JsonObject;
}

/**
 * The record as hooks see it: `channel_hint` and `notify_to` are those in force for the attempt
 * (R26-62), and the context carries the attempt's number (R26-61); none of it is stored (AM-30).
 */
export type AskedSuspension = Omit<SuspensionRecord, 'context'> & {
  readonly intent_id: string | null;
  readonly notify_to: string | null;
  readonly context: JsonObject & { readonly _attempt: number; readonly _max_attempts: number };
};

/** What the hooks of an agent on Temporal are called with. */
export interface InputHookEvent {
  /** `<suspension_id>:<attempt>:<hook>`: the same where the hook is called again (TM-09). */
  readonly idempotency_key: string;
  readonly suspension: AskedSuspension;
  /** The answer; for `onInputReceived` only. */
  readonly response?: InputResponse;
}
