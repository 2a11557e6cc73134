import type { Proposal } from '../approval/approval.js';
import type { JsonObject } from '../kernel/primitives.js';
import type { RowOf } from '../log/journal.js';
import type { Schedule } from '../suspension/retry-policy.js';
import type { Eligible } from '../suspension/decision.js';
import type { ResponseType, SuspensionChoice, SuspensionRecord } from '../suspension/suspension.js';

/** A notice that asks nothing: a stage of an approval takes longer than it should. It decides nothing. */
export interface Alert {
  readonly kind: 'sla_breached';
  readonly approval_id: string;
  readonly run_id: string;
  /** The position of the stage, from 0. */
  readonly stage: number;
  readonly sla_seconds: number;
}

/** The proposal that a question asks to approve. */
export interface ProposalToShow {
  readonly proposal_hash: string;
  /** The calls with their visible context; absent if that is too long for a message, or may not leave. */
  readonly whole?: Pick<Proposal, 'calls' | 'visible_context'>;
}

/** The people who may decide a question when a delivery begins. */
export interface Deciders {
  /** By the rule in force, with those to whom the question was delegated. Empty: everyone who may answer. */
  readonly eligible: Eligible;
  /** Principals that may not answer although they are eligible. */
  readonly excluded: readonly string[];
  /** Who asked, and for whom: where duties are separate they do not answer. */
  readonly askers: readonly string[];
  /** Principals that have decided, or have passed the question on: nobody reminds them. */
  readonly done: readonly string[];
  /** How many more of them have to agree. */
  readonly needed: number;
}

/** Whom a delivery tells besides those that `notify_to` names. By default others who may decide, if too few of these may. */
export interface Telling {
  /** Nobody besides, or all who may decide. */
  readonly others?: 'none' | 'all';
  /** Other deliveries of the attempt tell these people and groups. */
  readonly beside?: readonly string[];
  /** Not the people whom this names: they were told before. */
  readonly except?: Eligible;
}

/** One delivery of one attempt, or of an alert. The suspension, or the approval, passes it to the activity that notifies. */
export interface NotificationRequest {
  /**
   * `<suspension_id>:<attempt>`, followed by `:<n>` for the second and later ladder entries of an attempt; of an alert
   * `<suspension_id>:sla:<stage>`, of a delegation `<suspension_id>:to:<n>`, and of a change of who is eligible
   * `<suspension_id>:eligible:<n>`.
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
  /** Absent from alerts. */
  readonly deciders?: Deciders;
  readonly telling?: Telling;
  /** Nobody who gets this message may decide: it has no buttons, and says who may. The activity sets it. */
  readonly informs?: true;
  readonly question: string;
  readonly response_type: ResponseType;
  readonly choices?: readonly SuspensionChoice[];
  readonly context?: JsonObject;
  /** `fields` of the context is the form that is filled in, and so is shown wherever the question is answered. */
  readonly fields_are_form?: true;
  /** Only for approvals. */
  readonly approval?: ProposalToShow;
  readonly expires_at?: string;
  readonly next_attempt_at: string | null;
  /** The holder of a claim on the question. */
  readonly held_by?: string;
  /** The principal that delegated the question to the recipient. */
  readonly delegated_by?: string;
  /** The group to which it was delegated, if it was not to a person. */
  readonly to_group?: string;
  /** It reports on the open question, and asks nothing. */
  readonly alert?: Alert;
  /** The version of the question that it asks; 1 if absent. */
  readonly question_version?: number;
}

/** A choice as an operator needs it to answer; its `metadata` stays inside. */
export type OutgoingChoice = Omit<SuspensionChoice, 'metadata'>;

/** The part of a notification that a channel may see: the request after redaction. */
export interface OutgoingMessage extends Omit<
  NotificationRequest,
  'delivery_id' | 'question' | 'choices' | 'context' | 'fields_are_form' | 'deciders' | 'telling'
> {
  /** The people, roles and groups that may decide; absent if that is everyone who may answer. */
  readonly decided_by?: Eligible;
  /** The question in the wording of its attempt (R26-63). */
  readonly text: string;
  readonly choices?: readonly OutgoingChoice[];
  /** The entries that may leave, with `_attempt` and `_max_attempts`. */
  readonly context: JsonObject;
  /** How many entries of the context were left out. */
  readonly withheld: number;
}

/** The part of a question's opening row that its notification lacks, without a request key. */
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

/** A row of the question that a delivery writes while it sends, if it has one: the opening, or how far the question has come. */
export type RowBeside =
  { readonly opening: OpeningRest } | { readonly progress: RowOf<'suspension_progress'> };

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
  /** How many people of the directory it reached, and how many it cannot reach. */
  readonly people?: number;
  readonly unreached?: number;
  /** The store has the row that was to be written with it. */
  readonly row_written?: true;
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

/** Why a delivery failed that reached nobody who may decide. */
export const NOBODY_MAY_DECIDE = 'nobody_may_decide';

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
