import type { JsonObject, JsonValue } from '../kernel/primitives.js';
import type { SuspendBody } from './requests.js';
import type { RespondResult } from './view.js';

/*
 * The contract of the workflow type `ask`, for workflows in any language: docs/temporal.md. It is frozen like the wire format of
 * the API: fields are only added.
 */

/** The argument of `ask`: the body of `POST /v1/suspensions`, in which space people are asked beside it. */
export type AskArgument = SuspendBody & { readonly space?: string };

/** The result of `ask`. Every field is always there; null where there is nothing. */
export interface AskReply {
  readonly suspension_id: string;
  /** `expired` if nobody answered in time and the fallback counts. */
  readonly resolution: 'responded' | 'expired';
  readonly value: JsonValue;
  /** Whether the value is `yes`; null for what is no yes/no question. */
  readonly approved: boolean | null;
  readonly choice_label: string | null;
  readonly choice_description: string | null;
  readonly responded_by: string | null;
  /** ISO-8601. */
  readonly responded_at: string | null;
  readonly comment: string | null;
  readonly data: JsonObject | null;
  readonly metadata: JsonObject | null;
  /** Who has voted, where several had to. */
  readonly approvals: NonNullable<RespondResult['approvals']> | null;
  /** When it ended (ISO-8601). */
  readonly settled_at: string;
}
