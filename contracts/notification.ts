import type { Proposal } from './approval.js';
import type { JsonObject } from './primitives.js';
import type { Schedule } from './retry-policy.js';
import type { ResponseType, SuspensionChoice, SuspensionRecord } from './suspension.js';

/** What people are told without being asked: a stage of an approval takes longer than it should. It decides nothing. */
export interface Alert {
  readonly kind: 'sla_breached';
  readonly approval_id: string;
  readonly run_id: string;
  /** The position of the stage, from 0. */
  readonly stage: number;
  readonly sla_seconds: number;
}

/** What a question asks to approve. */
export interface ProposalToShow {
  readonly proposal_hash: string;
  /** All of it beside the text of the question; absent if that is too long for a message, or may not leave. */
  readonly whole?: Pick<Proposal, 'calls' | 'visible_context'>;
}

/** One delivery of one attempt, or of an alert. The suspension, or the approval, passes it to the activity that notifies. */
export interface NotificationRequest {
  /**
   * `<suspension_id>:<attempt>`, followed by `:<n>` for the second and later ladder entries of an attempt; of an alert
   * `<suspension_id>:sla:<stage>`, and of a delegation `<suspension_id>:to:<n>`.
   */
  readonly delivery_id: string;
  readonly suspension_id: string;
  readonly intent_id: string | null;
  readonly attempt: number;
  readonly max_attempts: number;
  /** When the attempt was due, or a stage should have decided (ISO-8601). */
  readonly due_at: string;
  readonly channel_hint: string | null;
  readonly notify_to: string | null;
  readonly question: string;
  readonly response_type: ResponseType;
  readonly choices?: readonly SuspensionChoice[];
  readonly context?: JsonObject;
  /** `fields` of the context is the form that is filled in, and so is shown wherever the question is answered. */
  readonly fields_are_form?: true;
  /** Of an approval alone. */
  readonly approval?: ProposalToShow;
  readonly expires_at?: string;
  readonly next_attempt_at: string | null;
  /** Who has claimed the question. */
  readonly held_by?: string;
  /** Who has passed the question on to the recipient. */
  readonly delegated_by?: string;
  /** It tells of the open question, and asks nothing. */
  readonly alert?: Alert;
  /** The version of the question that it asks; 1 if absent. */
  readonly question_version?: number;
}

/** A choice as an operator needs it to answer; its `metadata` stays inside. */
export type OutgoingChoice = Omit<SuspensionChoice, 'metadata'>;

/** What a channel may see of a notification: the request after redaction. */
export interface OutgoingMessage extends Omit<
  NotificationRequest,
  'delivery_id' | 'question' | 'choices' | 'context' | 'fields_are_form'
> {
  /** The question in the wording of its attempt (R26-63). */
  readonly text: string;
  readonly choices?: readonly OutgoingChoice[];
  /** The entries that may leave, with `_attempt` and `_max_attempts`. */
  readonly context: JsonObject;
  /** How many entries of the context were left out. */
  readonly withheld: number;
}

/** What the opening row of a question has beside a notification of it, without a request key. */
export interface OpeningRest {
  readonly asked_by: string;
  readonly asked_as?: string;
  readonly waiting_workflow?: string;
  readonly schedule: Schedule;
  readonly record: Omit<
    SuspensionRecord,
    'question' | 'response_type' | 'choices' | 'context' | 'expires_at'
  >;
}

/** The result of a delivery. */
export interface DeliveryReceipt {
  readonly channel: string;
  /** When the message was sent (ISO-8601). */
  readonly delivered_at: string;
  /** The channel's own id of the message, if it has one. */
  readonly reference?: string;
  /** Whether the message was already sent under this delivery id. */
  readonly duplicate?: boolean;
  /** Number of the try that succeeded, if it was not the first. */
  readonly tries?: number;
  /** How many people it reached, and how many it cannot reach, if it went to people of the directory. */
  readonly people?: number;
  readonly unreached?: number;
  /** The store has the opening row that was to be written with it. */
  readonly opening_written?: true;
}

/** Why a try failed. */
export type TryFailure =
  | 'address_refused'
  | 'called_off'
  | 'channel_failed'
  | 'connection_failed'
  | 'endpoint_gone'
  | 'mail_deferred'
  | 'mail_login_refused'
  | 'mail_refused'
  | 'no_reply_in_time'
  | 'redirect_not_followed'
  | 'response_not_2xx'
  | 'slack_limited'
  | 'slack_login_refused'
  | 'slack_refused';

/** Why a delivery was not even tried: the configuration does not allow it. */
export const UNDELIVERABLE = [
  'address_missing',
  'channel_not_configured',
  'recipient_not_allowed',
  'recipient_unknown',
] as const;
export type Undeliverable = (typeof UNDELIVERABLE)[number];

/** A recorded try of a delivery. It contains neither what was sent nor what came back. */
export interface DeliveryTry {
  readonly delivery_id: string;
  /** Counts from 1. If a number is missing, its worker died or could not record the try. */
  readonly try_number: number;
  /** When the try began (ISO-8601). */
  readonly at: string;
  /** The channel that was asked for, which need not be configured. */
  readonly channel: string;
  readonly outcome: 'delivered' | TryFailure | Undeliverable;
  /** Status of the reply over HTTP or SMTP, if there was one. */
  readonly status_code: number | null;
  readonly duration_ms: number;
}
