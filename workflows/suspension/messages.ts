import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Caller } from '../../contracts/caller.js';
import type { Eligible } from '../../contracts/decision.js';
import type { HandedOverRow, JournalRow, RequestKey, RowOf } from '../../contracts/journal.js';
import type { QuestionFindings } from '../../contracts/question-findings.js';
import type { DueDeadline } from '../../contracts/portfolio.js';
import type { Schedule, ScheduledAttempt } from '../../contracts/retry-policy.js';
import type { RespondResult, LiveView } from '../../contracts/suspension-view.js';
import type {
  SettledBy,
  SettledRecord,
  Settlement,
  SuspensionRecord,
  TimelineEntry,
} from '../../contracts/suspension.js';
import type { VotesCast } from '../../domain/approval/votes.js';
import type { Answer } from '../../domain/suspension/answer.js';
import type { Amending } from '../../domain/suspension/amendment.js';
import type { Claiming, Releasing } from '../../domain/suspension/claim.js';
import type { Commenting } from '../../domain/suspension/comments.js';
import type { Delegating } from '../../domain/suspension/delegation.js';
import type { AmendedPart } from '../../domain/suspension/state.js';
import type { VerbEvent } from '../../domain/suspension/verb.js';
import type { LogPosition, LogStart } from '../engine/messages.js';

/** What opens a suspension: the record with its schedule, resolved once and never again. */
export interface SuspensionInput extends LogStart {
  /** The intent that waits, if one does. */
  readonly intent_id: string | null;
  /** The workflow that gets the reports: the intent's, a plan's, or that of an agent; null if nobody does. */
  readonly subject_workflow_id: string | null;
  /** Reports reminders to an agent's workflow too, for its hooks; an intent always gets them. */
  readonly report_attempts?: boolean;
  /** The principal that asked; it may cancel. */
  readonly asked_by: string;
  /** The name in which it asked, if that is another. */
  readonly asked_as?: string;
  readonly record: SuspensionRecord;
  readonly schedule: Schedule;
  /** What was found about the question when it was asked; absent for one that is judged at its end. */
  readonly findings?: QuestionFindings;
  /** The key under which an intent's question was asked: the store keeps it longer than the intent does. */
  readonly request?: RequestKey;
  /**
   * Somebody else writes the opening to the store: who starts the question, which is an intent with its own events or the
   * API, or the first delivery.
   */
  readonly opening_journalled?: boolean;
  /** It is the first delivery (docs/adr/0053). A worker that does not know this writes the opening with later rows. */
  readonly opening_by_delivery?: true;
  /**
   * Whoever settles the question by an Update writes the last rows, which the result holds, so that the workflow can end
   * in that task.
   */
  readonly settler_writes?: true;
  /**
   * The run that asks takes the outcome from this workflow's result, so that no Signal has to carry it
   * (docs/adr/0048).
   */
  readonly reports_by_result?: true;
  /** It also writes the last rows, which the result holds, however the question was settled. */
  readonly subject_writes?: true;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

/** Whoever sends an Update that settles a question may write what follows from it to the store. */
interface Settling {
  readonly sender_writes?: true;
}

/** An operator's answer as it enters the suspension, by Update or by Signal. */
export interface OperatorAnswer extends Answer, Settling {
  /** When the API received it (ISO-8601); an answer by Signal is judged as of then. */
  readonly received_at: string;
}

/** The receipt of an accepted answer; `body_hash` is that of the answer which was accepted. */
export interface RespondReceipt {
  /** Whether it settled the question, or counts until enough others agree. */
  readonly verdict: 'counted' | 'settled';
  readonly result: RespondResult;
  readonly body_hash: string;
  /** The workflow that gets the outcome from the suspension's result, so that it may not know it yet. */
  readonly awaited_by?: string;
}

/** Changes who is eligible, from the API. */
export interface EligibilityInput {
  readonly by: Caller;
  readonly eligible: Eligible;
  readonly reason?: string;
  readonly separation_of_duties?: boolean;
  /** What the sender is told of these names. */
  readonly warnings?: readonly string[];
}

/** Withdraws a question, from the API. */
export interface CancelInput extends Settling {
  /** As for an answer. */
  readonly intent_id?: string | null;
  readonly by: Caller;
  readonly reason?: string;
}

/** What became of a question that was withdrawn, and the intent that waits for it. */
export interface CancelReceipt {
  readonly record: SettledRecord;
  readonly intent_id: string | null;
  /** As for an answer. */
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
 * What a suspension returns: how it was settled, and all else that whoever waits for the workflow needs. Who takes the
 * outcome from it knows what was asked; for others it has the whole record.
 */
export type SuspensionResult = Settlement & {
  readonly attempt: number;
  /** What the store does not have yet. */
  readonly rows: readonly JournalRow[];
  /** Whoever settled the question writes what its subject has to write of it. */
  readonly sender_writes?: true;
};

/** The answer to waiting: the settled record, or the hint to ask the next run. */
export type Outcome = { readonly moved: false; readonly view: LiveView } | { readonly moved: true };

/** An attempt from the second on, the votes so far, what somebody did to it, or the end of the question. */
export type ReportBody =
  | {
      readonly kind: 'attempt';
      readonly attempt: ScheduledAttempt;
      readonly max_attempts: number;
      readonly skipped: boolean;
      /** For the workflow of an agent only; an intent has it. */
      readonly record?: SuspensionRecord;
    }
  | ({ readonly kind: 'voted' } & VotesCast)
  /** For the log of an intent only. */
  | {
      readonly kind: 'event';
      readonly at: string;
      readonly event: VerbEvent;
      /** What its record has in place of what it was asked with, if the event amends it. */
      readonly amended?: AmendedPart;
      /** What was found about the question as it was amended. */
      readonly findings?: QuestionFindings;
    }
  | {
      readonly kind: 'settled';
      readonly record: SettledRecord;
      readonly attempt: number;
      /** What the suspension has not written, for its intent to write with its own (docs/adr/0017). */
      readonly rows?: readonly HandedOverRow[];
    };

/** What a suspension reports to its subject; `report_sequence` starts at 1 and has no gaps. */
export type SuspensionReport = {
  readonly suspension_id: string;
  readonly report_sequence: number;
} & ReportBody;

/** Accepts or refuses an answer; refusals are ApplicationFailures whose type is an error code. */
export const respondUpdate = defineUpdate<RespondReceipt, [OperatorAnswer]>('respond');
/** The same without a reply; what is refused is recorded in the timeline (`answer_rejected`). */
export const operatorResponseSignal = defineSignal<[OperatorAnswer]>('operatorResponse');
/** Changes who is eligible from now on; what counts already still counts. */
export const changeEligibilityUpdate = defineUpdate<LiveView, [EligibilityInput]>(
  'changeEligibility',
);
/** Says that somebody looks after the question, for half an hour unless it claims again. */
export const claimUpdate = defineUpdate<LiveView, [Claiming]>('claim');
/** Ends a claim, or takes back a delegation. */
export const releaseUpdate = defineUpdate<LiveView, [Releasing]>('release');
/** Adds a remark, which decides nothing. */
export const commentUpdate = defineUpdate<LiveView, [Commenting]>('comment');
/** Passes the question on to somebody, who is notified once. */
export const delegateUpdate = defineUpdate<LiveView, [Delegating]>('delegate');
/** Corrects what is asked: a new version, on which the votes begin anew. */
export const amendUpdate = defineUpdate<LiveView, [Amending]>('amend');
/** Waits until the suspension is settled; everybody uses the update id `outcome`. */
export const outcomeUpdate = defineUpdate<Outcome>('outcome');
/** Withdraws the question: resolution `cancelled`. */
export const cancelUpdate = defineUpdate<CancelReceipt, [CancelInput]>('cancel');
/** The same from the intent that is being abandoned; too late is no error. */
export const withdrawSignal = defineSignal<[Withdrawal]>('withdraw');
/** Ends the question past its fallback; what came first counts, so too late is no error. */
export const expireNowSignal = defineSignal<[DueDeadline]>('expireNow');
/** Asks for reports by Signal, that of the outcome once more, where there is one; for a subject in a new run. */
export const attachSignal = defineSignal('attach');
/** The personal data of a settled question was erased at an instant (ISO-8601): forget it here too. */
export const forgetSignal = defineSignal<[at: string]>('forget');
export const recordQuery = defineQuery<LiveView>('record');
/** How far an open question has come, as it is stored, for who finds the store behind; null if that is as it was asked. */
export const progressQuery = defineQuery<RowOf<'suspension_progress'> | null>('progress');
export const timelineQuery = defineQuery<readonly TimelineEntry[]>('timeline');
/** How far the timeline has come; entries that wait for the next write are not counted. */
export const timelinePositionQuery = defineQuery<Omit<LogPosition, 'version'>>('timelinePosition');

/** From a suspension to the intent that waits for it. */
export const suspensionReportSignal = defineSignal<[SuspensionReport]>('suspensionReport');
/** From a suspension to the workflow of an agent, or to a plan. */
export const inputReportSignal = defineSignal<[SuspensionReport]>('holdpointInputReport');
