import type { Proposal } from '../approval/approval.js';
import type { JsonObject } from '../kernel/primitives.js';
import type { RowOf } from '../log/journal.js';
import type { Schedule } from '../suspension/retry-policy.js';
import type { Eligible } from '../suspension/decision.js';
import type { ResponseType, SuspensionChoice, SuspensionRecord } from '../suspension/suspension.js';

/** A message that asks nothing: a stage of an approval takes longer than it should. It changes no outcome. */
export interface Alert {
  readonly kind: 'sla_breached';
  readonly approval_id: string;
  readonly run_id: string;
  /** The position of the stage, from 0. */
  readonly stage: number;
  readonly sla_seconds: number;
}

export interface ProposalToShow {
  readonly proposal_hash: string;
  /** The calls with their visible context; absent if that is too long for a message, or may not leave the service. */
  readonly whole?: Pick<Proposal, 'calls' | 'visible_context'>;
}

/** Who may decide a question, as of the start of a delivery. */
export interface Deciders {
  /** By the current rule, including those to whom the question was delegated. Empty: everyone who may answer. */
  readonly eligible: Eligible;
  /** Principals that may not answer although they are eligible. */
  readonly excluded: readonly string[];
  /** Who asked, and on whose behalf. With separation of duties they may not answer. */
  readonly askers: readonly string[];
  /** Principals that have decided or delegated the question; they get no reminder. */
  readonly done: readonly string[];
  /** How many more have to agree. */
  readonly needed: number;
}

/**
 * Who gets a delivery besides those that `notify_to` names. By default also others who may decide, if too few of the
 * named may.
 */
export interface Telling {
  /** `none`: nobody else. `all`: everyone who may decide. */
  readonly others?: 'none' | 'all';
  /** People and groups that other deliveries of the attempt reach. */
  readonly beside?: readonly string[];
  /** People who were notified before, and are omitted. */
  readonly except?: Eligible;
}

/**
 * One delivery of an attempt, or of an alert. The workflow of the suspension or approval passes it to the activity
 * that notifies.
 */
export interface NotificationRequest {
  /**
   * `<suspension_id>:<attempt>`, followed by `:<n>` for the second and later ladder entries of an attempt;
   * `<suspension_id>:sla:<stage>` for an alert, `<suspension_id>:to:<n>` for a delegation, and
   * `<suspension_id>:eligible:<n>` for a change of who is eligible.
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
  /** No recipient of this message may decide: it has no buttons, and says who may. The activity sets this. */
  readonly informs?: true;
  readonly question: string;
  readonly response_type: ResponseType;
  readonly choices?: readonly SuspensionChoice[];
  readonly context?: JsonObject;
  /** `fields` of the context is the form to fill in, so every place that takes an answer shows it. */
  readonly fields_are_form?: true;
  /** Only for approvals. */
  readonly approval?: ProposalToShow;
  readonly expires_at?: string;
  readonly next_attempt_at: string | null;
  readonly held_by?: string;
  /** The principal that delegated the question to the recipient. */
  readonly delegated_by?: string;
  /** The group to which the question was delegated, if not to a person. */
  readonly to_group?: string;
  /** If present, the message reports on the open question and asks nothing. */
  readonly alert?: Alert;
  /** The version of the question that the message asks; 1 if absent. */
  readonly question_version?: number;
}

/** A choice, with what an operator needs to answer; its `metadata` never leaves the service. */
export type OutgoingChoice = Omit<SuspensionChoice, 'metadata'>;

/** The part of a notification that a channel may see, after redaction. */
export interface OutgoingMessage extends Omit<
  NotificationRequest,
  'delivery_id' | 'question' | 'choices' | 'context' | 'fields_are_form' | 'deciders' | 'telling'
> {
  /** The people, roles and groups that may decide; absent if that is everyone who may answer. */
  readonly decided_by?: Eligible;
  /** The question in the wording of its attempt (R26-63). */
  readonly text: string;
  readonly choices?: readonly OutgoingChoice[];
  /** The entries that may leave the service, with `_attempt` and `_max_attempts`. */
  readonly context: JsonObject;
  readonly withheld: number;
}

/** The part of a question's opening row that its notification lacks, except the request key. */
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

/** A row that a delivery writes while it sends: the opening of the question, or its progress. */
export type RowBeside =
  { readonly opening: OpeningRest } | { readonly progress: RowOf<'suspension_progress'> };

export interface DeliveryReceipt {
  readonly channel: string;
  /** When the message was sent (ISO-8601). */
  readonly delivered_at: string;
  readonly reference?: string;
  /** Its channel sends nothing. */
  readonly told?: 'nobody';
  /** Whether the message was already sent under this delivery id. */
  readonly duplicate?: boolean;
  readonly tries?: number;
  /** How many people of the directory it reached, and how many it cannot reach. */
  readonly people?: number;
  readonly unreached?: number;
  /** Whether the store has the row that was to be written with the delivery. */
  readonly row_written?: true;
}

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

/** The failure of a delivery that reached nobody who may decide. */
export const NOBODY_MAY_DECIDE = 'nobody_may_decide';

/** Why a delivery was not tried: the configuration forbids it. */
export const UNDELIVERABLE = [
  'address_missing',
  'channel_not_configured',
  'recipient_not_allowed',
  'recipient_unknown',
] as const;
export type Undeliverable = (typeof UNDELIVERABLE)[number];

export interface DeliveryTry {
  readonly delivery_id: string;
  /** Counts from 1. A missing number means that the worker died or could not record the try. */
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

/** What a browser shows about waiting questions, and the page that it opens. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  /** A later notice with the same tag replaces the earlier one. */
  readonly tag: string;
  /** A page of the inbox. */
  readonly path: string;
}
