import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { AnswerKey, HandedOverRow } from '../../contracts/journal.js';
import type { DueDeadline } from '../../contracts/portfolio.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { Schedule, ScheduledAttempt } from '../../contracts/retry-policy.js';
import type { RespondResult, SuspensionView } from '../../contracts/suspension-view.js';
import type {
  SettledBy,
  SettledRecord,
  SuspensionRecord,
  TimelineEntry,
} from '../../contracts/suspension.js';

/** What opens a suspension: the record with its schedule, resolved once and never again. */
export interface SuspensionInput {
  /** The intent that waits, if one does. */
  readonly intent_id: string | null;
  /** The workflow that gets the reports: the intent's, a plan's, or that of an agent; null where nobody does. */
  readonly subject_workflow_id: string | null;
  /** Tells an agent's workflow of reminders too, for its hooks; an intent always is. */
  readonly report_attempts?: boolean;
  /** The principal that asked; it may cancel. */
  readonly asked_by: string;
  readonly record: SuspensionRecord;
  readonly schedule: Schedule;
  /** The intent hands the opening to the store together with its own events. */
  readonly opening_journalled?: boolean;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

/** An operator's answer as it enters the suspension, by Update or by Signal. */
export interface OperatorAnswer {
  /** The intent it came through; absent where the caller addressed the suspension itself. */
  readonly intent_id?: string | null;
  readonly value: JsonValue;
  readonly responded_by: string;
  /** The principal whose key brought the answer; differs from `responded_by` only for admins. */
  readonly submitted_by: string;
  readonly metadata?: JsonObject;
  /** When the API received it (ISO-8601); decides for answers handed in by Signal. */
  readonly received_at: string;
  readonly answer: AnswerKey;
}

/** The receipt of an accepted answer; `body_hash` is that of the answer which was accepted. */
export interface RespondReceipt {
  readonly result: RespondResult;
  readonly body_hash: string;
}

/** Withdraws a question. */
export interface CancelInput {
  /** As for an answer. */
  readonly intent_id?: string | null;
  readonly cancelled_by: string;
  readonly settled_by: Extract<SettledBy, 'agent' | 'admin' | 'intent'>;
  readonly reason?: string;
}

/** The answer to waiting: the settled record, or the hint to ask the next run. */
export type Outcome =
  { readonly moved: false; readonly view: SuspensionView } | { readonly moved: true };

/** An attempt from the second on, or the end of the question. */
export type ReportBody =
  | {
      readonly kind: 'attempt';
      readonly attempt: ScheduledAttempt;
      readonly max_attempts: number;
      readonly skipped: boolean;
      /** For the workflow of an agent only; an intent has it. */
      readonly record?: SuspensionRecord;
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
/** Waits until the suspension is settled; everybody uses the update id `outcome`. */
export const outcomeUpdate = defineUpdate<Outcome>('outcome');
/** Withdraws the question: resolution `cancelled`. */
export const cancelUpdate = defineUpdate<SettledRecord, [CancelInput]>('cancel');
/** The same from the intent that is being abandoned; too late is no error. */
export const withdrawSignal = defineSignal<[CancelInput]>('withdraw');
/** Ends the question past its fallback; what came first counts, so too late is no error. */
export const expireNowSignal = defineSignal<[DueDeadline]>('expireNow');
/** Asks for the report of the outcome once more, where there is one; for a subject in a new run. */
export const attachSignal = defineSignal('attach');
export const recordQuery = defineQuery<SuspensionView>('record');
export const timelineQuery = defineQuery<readonly TimelineEntry[]>('timeline');

/** From a suspension to the intent that waits for it. */
export const suspensionReportSignal = defineSignal<[SuspensionReport]>('suspensionReport');
/** From a suspension to the workflow of an agent, or to a plan. */
export const inputReportSignal = defineSignal<[SuspensionReport]>('holdpointInputReport');
