import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Caller } from '../../contracts/people/caller.js';
import type { Eligible } from '../../contracts/suspension/decision.js';
import type { HandedOverRow, JournalRow, RequestKey, RowOf } from '../../contracts/log/journal.js';
import type {
  QuestionFindings,
  SettledBy,
  SettledRecord,
  Settlement,
  SuspensionRecord,
  TimelineEntry,
} from '../../contracts/suspension/suspension.js';
import type { DueDeadline } from '../../contracts/portfolio/portfolio.js';
import type { Schedule, ScheduledAttempt } from '../../contracts/suspension/retry-policy.js';
import type { RespondResult, LiveView } from '../../contracts/suspension/view.js';
import type { VotesCast } from '../../domain/approval/deciding/votes.js';
import type { Answer } from '../../domain/suspension/answering/answer.js';
import type { Amending } from '../../domain/suspension/asking/amendment.js';
import type { Claiming, Releasing } from '../../domain/suspension/people/claim.js';
import type { Commenting } from '../../domain/suspension/people/comments.js';
import type { Delegating } from '../../domain/suspension/people/delegation.js';
import type { AmendedPart } from '../../domain/suspension/record/state.js';
import type { KnownOutcome } from '../../domain/suspension/record/known-outcome.js';
import type { VerbEvent } from '../../domain/suspension/people/verb.js';
import type { LogPosition, LogStart } from '../engine/messages.js';
import type { Writers } from '../engine/row-duty.js';

/** The input of a suspension: the record with its schedule, which are resolved once. */
export interface SuspensionInput extends LogStart {
  /** The intent that waits, if any. */
  readonly intent_id: string | null;
  /** The workflow that gets the reports, such as that of the intent; null if there is none. */
  readonly subject_workflow_id: string | null;
  /** Also reports reminders to an agent's workflow, for its hooks; an intent always gets them. */
  readonly report_attempts?: boolean;
  /** The principal that asked; it may also cancel. */
  readonly asked_by: string;
  readonly asked_as?: string;
  readonly record: SuspensionRecord;
  readonly schedule: Schedule;
  /** The findings about the question when it was asked; absent if it is judged at its end. */
  readonly findings?: QuestionFindings;
  /** The request key of an intent's question: the store keeps it longer than the intent does. */
  readonly request?: RequestKey;
  readonly writers: Writers;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

/** The sender of an Update that settles a question may write the resulting rows. */
interface Settling {
  readonly sender_writes?: true;
}

export interface OperatorAnswer extends Answer, Settling {
  /** When the API received it (ISO-8601); an answer by Signal is judged as of then. */
  readonly received_at: string;
}

/** The receipt of an accepted answer; `body_hash` is that of the accepted answer. */
export interface RespondReceipt {
  /** Whether it settled the question, or is counted until enough others agree. */
  readonly verdict: 'counted' | 'settled';
  readonly result: RespondResult;
  readonly body_hash: string;
  /** The workflow that gets the outcome from the suspension's result, and may not have it yet. */
  readonly awaited_by?: string;
  /** The last rows of the question, where the sender of the answer is to write them. The result has them too. */
  readonly rows?: readonly JournalRow[];
}

export interface EligibilityInput {
  readonly by: Caller;
  readonly eligible: Eligible;
  readonly reason?: string;
  readonly separation_of_duties?: boolean;
  /** The warnings that the sender got about these names. */
  readonly warnings?: readonly string[];
}

export interface CancelInput extends Settling {
  /** The workflow that gets the outcome from the suspension's result, and may not have it yet. */
  readonly intent_id?: string | null;
  readonly by: Caller;
  readonly reason?: string;
}

/** The receipt of a withdrawal: the end of the question, and the intent that waits for it. */
export interface CancelReceipt {
  readonly record: SettledRecord;
  readonly intent_id: string | null;
  readonly awaited_by?: string;
}

/** A withdrawal by the workflow that waits. */
export interface Withdrawal {
  readonly intent_id?: string | null;
  readonly cancelled_by: string;
  readonly settled_by: Extract<SettledBy, 'agent' | 'admin' | 'intent' | 'system'>;
  readonly reason?: string;
}

/**
 * The result of a suspension: how it was settled. A subject that takes the outcome from it has the rest of the
 * record.
 */
export type SuspensionResult = Settlement & {
  readonly attempt: number;
  readonly rows: readonly JournalRow[];
  /** The settler writes the rows of the subject too. */
  readonly sender_writes?: true;
};

/** The reply to a waiting caller: the settled record, or `moved`, to ask the next run. */
export type Outcome = { readonly moved: false; readonly view: LiveView } | { readonly moved: true };

/** An attempt after the first, the votes so far, an action on the question, or its end. */
export type ReportBody =
  | {
      readonly kind: 'attempt';
      readonly attempt: ScheduledAttempt;
      readonly max_attempts: number;
      readonly skipped: boolean;
      /** Only for the workflow of an agent; an intent has the record. */
      readonly record?: SuspensionRecord;
    }
  | ({ readonly kind: 'voted' } & VotesCast)
  /** Only for the log of an intent. */
  | {
      readonly kind: 'event';
      readonly at: string;
      readonly event: VerbEvent;
      /** The replaced part of its record, if the event amends it. */
      readonly amended?: AmendedPart;
      readonly findings?: QuestionFindings;
    }
  | {
      readonly kind: 'settled';
      readonly record: SettledRecord;
      readonly attempt: number;
      /** The rows that the suspension leaves to its intent (docs/adr/0103). */
      readonly rows?: readonly HandedOverRow[];
    };

/** A report of a suspension to its subject; `report_sequence` starts at 1 and has no gaps. */
export type SuspensionReport = {
  readonly suspension_id: string;
  readonly report_sequence: number;
} & ReportBody;

/** Accepts or refuses an answer; refusals are ApplicationFailures whose type is an error code. */
export const respondUpdate = defineUpdate<RespondReceipt, [OperatorAnswer]>('respond');
/** Submits an answer without a reply; a refusal is recorded in the timeline (`answer_rejected`). */
export const operatorResponseSignal = defineSignal<[OperatorAnswer]>('operatorResponse');
export const changeEligibilityUpdate = defineUpdate<LiveView, [EligibilityInput]>(
  'changeEligibility',
);
/** Claims the question for somebody who handles it, for half an hour unless the claim is renewed. */
export const claimUpdate = defineUpdate<LiveView, [Claiming]>('claim');
export const releaseUpdate = defineUpdate<LiveView, [Releasing]>('release');
/** Adds a comment, which changes no outcome. */
export const commentUpdate = defineUpdate<LiveView, [Commenting]>('comment');
/** Delegates the question to somebody, who is notified once. */
export const delegateUpdate = defineUpdate<LiveView, [Delegating]>('delegate');
/** Corrects the question: the new version gets new votes. */
export const amendUpdate = defineUpdate<LiveView, [Amending]>('amend');
/** Waits until the suspension is settled; all callers use the update id `outcome`. */
export const outcomeUpdate = defineUpdate<Outcome>('outcome');
/** Withdraws the question: resolution `cancelled`. */
export const cancelUpdate = defineUpdate<CancelReceipt, [CancelInput]>('cancel');
/** Withdraws the question when its intent is abandoned; too late is no error. */
export const withdrawSignal = defineSignal<[Withdrawal]>('withdraw');
/** Ends the question regardless of its fallback. An earlier end takes precedence, so too late is no error. */
export const expireNowSignal = defineSignal<[DueDeadline]>('expireNow');
/** The stored outcome, for a question that lost it because its Temporal was restored to an earlier state. */
export const restoreSignal = defineSignal<[KnownOutcome]>('restore');
/**
 * Requests all reports by Signal, including that of the outcome again; for a subject in a new run. Another workflow that asks the
 * same question names itself, and gets them from now on.
 */
export const attachSignal = defineSignal<[subjectWorkflowId?: string]>('attach');
/** Makes a settled question delete its personal data, which was erased at an instant (ISO-8601). */
export const forgetSignal = defineSignal<[at: string]>('forget');
export const recordQuery = defineQuery<LiveView>('record');
/** The row with the progress of an open question, for the reconciler; null if the question has made none. */
export const progressQuery = defineQuery<RowOf<'suspension_progress'> | null>('progress');
export const timelineQuery = defineQuery<readonly TimelineEntry[]>('timeline');
/** The position of the timeline, without entries that wait for the next write. */
export const timelinePositionQuery = defineQuery<Omit<LogPosition, 'version'>>('timelinePosition');

export const suspensionReportSignal = defineSignal<[SuspensionReport]>('suspensionReport');
/** Sent by a suspension to the workflow of an agent, or to a plan. */
export const inputReportSignal = defineSignal<[SuspensionReport]>('holdpointInputReport');
