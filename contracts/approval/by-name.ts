import { z } from 'zod';
import { nameSchema, type JsonValue } from '../kernel/primitives.js';
import {
  openApprovalRequestSchema,
  type ApprovalOpening,
  type OpenApprovalBody,
} from './requests.js';

/*
 * The contract of the workflow types `gate` and `complete`, for workflows in any language: docs/temporal.md. It is frozen like the
 * wire format of the API: fields are only added.
 */

/** The argument of `gate`: the body of `POST /v1/approvals` with one call. Without an intent and a checkpoint. */
export type GateArgument = Omit<OpenApprovalBody, 'intent_id' | 'checkpoint'> & {
  /** The name by which rules know who asks; the parent's workflow id unless given. */
  readonly agent?: string;
  readonly space?: string;
};

/** What an activity checks of it. */
export const gateRequestSchema = openApprovalRequestSchema
  .omit({ intent_id: true, checkpoint: true, request_key: true })
  .extend({
    approval_id: z.uuid(),
    agent: nameSchema,
    calls: openApprovalRequestSchema.shape.calls.unwrap().length(1),
  });

/** An approval that may be opened, as rules and configuration were at an instant (ISO-8601). */
export interface PreparedApproval {
  readonly asked_at: string;
  readonly log_key: string;
  readonly within_seconds: number;
  readonly opening: ApprovalOpening;
}

/** Redeems a call of an approval that is decided, and with a result completes it. */
export interface PickUpRequest {
  readonly approval_id: string;
  readonly space: string;
  /** The workflow that runs the call. One that starts anew under the same id goes on. */
  readonly holder: string;
  readonly call_id?: string;
  readonly result?: JsonValue;
}
