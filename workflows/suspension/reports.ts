import type { Approver } from '../../contracts/approval/approval.js';
import { HANDED_OVER_KINDS } from '../../contracts/constants/events.js';
import { typeOfWorkflow } from '../../contracts/constants/names.js';
import type { HandedOverRow, JournalRow } from '../../contracts/log/journal.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension/suspension.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import { approverOf } from '../../domain/approval/record/state.js';
import { votesCast } from '../../domain/approval/deciding/votes.js';
import { toInstant } from '../../domain/kernel/time.js';
import { amendedPart } from '../../domain/suspension/record/state.js';
import type { KeyedVote, SuspensionState } from '../../domain/suspension/record/state.js';
import type { VerbEvent } from '../../domain/suspension/people/verb.js';
import { now } from '../engine/clock.js';
import { takesResult } from '../engine/row-duty.js';
import type { QuestionDuty } from '../engine/row-duty.js';
import { SignalQueue } from '../engine/queue.js';
import type { CarriedSuspension, SuspensionRun } from './carried.js';
import { inputReportSignal, suspensionReportSignal } from './messages.js';
import type { ReportBody, SuspensionInput, SuspensionReport } from './messages.js';

/** The event with which the record of an intent changes. */
const AMENDED = 'intent.suspension_amended';

/** A question, as far as others hear of it. */
export interface Published {
  readonly state: SuspensionState;
  /** Its record once it is settled. */
  readonly settled: SettledRecord | undefined;
  readonly view: LiveView;
}

/**
 * The reports of a suspension to its subject (docs/adr/0014). An intent gets every report. The workflow of an agent gets
 * reminders only if it asked for them. The run that asked takes the outcome from the result, if it said so.
 */
export class Reports extends SignalQueue<SuspensionReport> {
  private readonly input: SuspensionInput;
  private readonly question: Published;
  private readonly duty: QuestionDuty;
  private handedOver: readonly JournalRow[] = [];
  private last: number;
  private attached: boolean;

  constructor(input: SuspensionRun, question: Published, duty: QuestionDuty) {
    const { intent_id, subject_workflow_id, carried } = input;
    const signal = intent_id === null ? inputReportSignal : suspensionReportSignal;
    super(subject_workflow_id ?? '', signal);
    this.input = input;
    this.question = question;
    this.duty = duty;
    this.last = carried?.report_sequence ?? 0;
    this.attached = carried?.attached ?? false;
  }

  /** What the next run starts with; the reports themselves are on their way before this one ends. */
  get handedOn(): Pick<CarriedSuspension, 'report_sequence' | 'attached'> {
    return { report_sequence: this.last, ...(this.attached && { attached: true }) };
  }

  /** Whether the subject takes the outcome from the result. */
  get byResult(): boolean {
    return takesResult(this.input) && !this.attached;
  }

  /** From now on the subject gets every report by Signal, that of the outcome once more; a repeated one changes nothing. */
  attach(): void {
    this.attached = true;
    this.settled();
  }

  /** Reports the outcome, if there is one. */
  settled(): void {
    const { settled: record, view } = this.question;
    if (record) this.report(record, { kind: 'settled', record, attempt: view.attempt });
  }

  /** Adds a report. An agent's workflow gets the record too, which it may not have kept. */
  report(record: SuspensionRecord, body: ReportBody): void {
    const { intent_id, subject_workflow_id, report_attempts = false } = this.input;
    if (intent_id === null && body.kind === 'attempt' && !report_attempts) return;
    const own = intent_id === null ? { record } : {};
    const report = { suspension_id: record.id, report_sequence: ++this.last, ...own, ...body };
    if (subject_workflow_id !== null) this.add(report);
  }

  /** Reports to an approval whose votes count so far, and for which version: it logs each one at once. */
  voted({ id, approval }: SuspensionRecord, votes: readonly KeyedVote[]): void {
    if (!this.isAskedByApproval || approval === undefined) return;
    const asked = this.input.record.approval?.proposal.version;
    const isEdited = approval.proposal.version !== asked;
    const cast = votesCast(approval, votes.map(approverIn), isEdited);
    this.add({ suspension_id: id, report_sequence: ++this.last, kind: 'voted', ...cast });
  }

  /** Reports to an intent what somebody did to its question, for its log. */
  event({ record, findings }: SuspensionState, event: VerbEvent): void {
    if (this.input.intent_id === null) return;
    const amended = event.event_type === AMENDED ? amendedPart(record) : undefined;
    const found = amended && findings && { findings };
    const at = toInstant(now());
    this.report(record, { kind: 'event', at, event, ...(amended && { amended }), ...found });
  }

  private get isAskedByApproval(): boolean {
    return typeOfWorkflow(this.input.subject_workflow_id ?? '') === 'approval';
  }

  /** Hands an intent what is left to write, so that the suspension can end (docs/adr/0103). */
  protected override load(report: SuspensionReport): SuspensionReport {
    this.handedOver = [];
    if (this.input.intent_id === null || report.kind !== 'settled') return report;
    this.handedOver = this.duty.release();
    const rows = this.handedOver.filter(isHandedOver);
    return rows.length > 0 ? { ...report, rows } : report;
  }

  protected override undelivered(): void {
    this.duty.append(...this.handedOver);
  }
}

function approverIn({ vote }: KeyedVote): Approver {
  return approverOf(vote);
}

/** The intent writes the opening itself, before these. */
function isHandedOver(row: JournalRow): row is HandedOverRow {
  return HANDED_OVER_KINDS.some((kind) => kind === row.kind);
}
