import { patched } from '@temporalio/workflow';
import type { Approver } from '../../contracts/approval.js';
import { HANDED_OVER_KINDS } from '../../contracts/constants/events.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { typeOfWorkflow } from '../../contracts/constants/names.js';
import type { HandedOverRow, JournalRow } from '../../contracts/journal.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { approverOf } from '../../domain/approval/state.js';
import { votesCast } from '../../domain/approval/votes.js';
import { toInstant } from '../../domain/kernel/time.js';
import { amendedPart } from '../../domain/suspension/state.js';
import type { KeyedVote, SuspensionState } from '../../domain/suspension/state.js';
import type { VerbEvent } from '../../domain/suspension/verb.js';
import { now } from '../engine/clock.js';
import type { Journal } from '../engine/journal.js';
import { SignalQueue } from '../engine/queue.js';
import type { CarriedSuspension } from './carried.js';
import { inputReportSignal, suspensionReportSignal } from './messages.js';
import type { ReportBody, SuspensionInput, SuspensionReport } from './messages.js';

/** Votes that count are reported to approvals. A run without this patch has told them with the outcome. */
const REPORTS_VOTES = 'holdpoint-reports-votes';

/** A version that people have edited is told with the votes. A run without this patch has told it with the outcome. */
const TELLS_EDITS = 'holdpoint-tells-edits';

/** The event with which the record of an intent changes. */
const AMENDED = 'intent.suspension_amended';

/**
 * The reports of a suspension to its subject (docs/adr/0014). An intent gets every report. The workflow of an agent
 * gets the outcome, and reminders if it asked for them. The run that asked takes the outcome from the result, if it
 * said so.
 */
export class Reports extends SignalQueue<SuspensionReport> {
  private readonly input: SuspensionInput;
  private readonly journal: Journal;
  private handedOver: readonly JournalRow[] = [];
  private last: number;
  private attached: boolean;

  constructor(
    input: SuspensionInput,
    journal: Journal,
    carried?: Pick<CarriedSuspension, 'report_sequence' | 'attached'>,
  ) {
    const { intent_id, subject_workflow_id } = input;
    const signal = intent_id === null ? inputReportSignal : suspensionReportSignal;
    super(subject_workflow_id ?? '', signal);
    this.input = input;
    this.journal = journal;
    this.last = carried?.report_sequence ?? 0;
    this.attached = carried?.attached ?? false;
  }

  /** For the next run; the reports themselves are on their way before this one ends. */
  get handedOn(): Pick<CarriedSuspension, 'report_sequence' | 'attached'> {
    return { report_sequence: this.last, ...(this.attached && { attached: true }) };
  }

  /** Whether the subject takes the outcome from the result. */
  get byResult(): boolean {
    return this.input.reports_by_result === true && !this.attached;
  }

  /** From now on the subject gets every report by Signal. */
  attach(): void {
    this.attached = true;
  }

  /** Adds a report. An agent's workflow gets the record too, which it may not have kept. */
  report(record: SuspensionRecord, body: ReportBody): void {
    const { intent_id, subject_workflow_id, report_attempts = false } = this.input;
    if (intent_id === null && body.kind === 'attempt' && !report_attempts) return;
    const own = intent_id === null ? { record } : {};
    const report = { suspension_id: record.id, report_sequence: ++this.last, ...own, ...body };
    if (subject_workflow_id !== null) this.add(report);
  }

  /** Tells an approval whose votes count so far, and for which version: it logs each one at once. */
  voted({ id, approval }: SuspensionRecord, votes: readonly KeyedVote[]): void {
    if (!this.isAskedByApproval || approval === undefined || !patched(REPORTS_VOTES)) return;
    const asked = this.input.record.approval?.proposal.version;
    const isEdited = approval.proposal.version !== asked && patched(TELLS_EDITS);
    const cast = votesCast(approval, votes.map(approverIn), isEdited);
    this.add({ suspension_id: id, report_sequence: ++this.last, kind: 'voted', ...cast });
  }

  /** Tells an intent what somebody did to its question, for its log. */
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

  /** An intent takes over what is left to write, so that the suspension can end (docs/adr/0017). */
  protected override load(report: SuspensionReport): SuspensionReport {
    this.handedOver = [];
    if (this.input.intent_id === null || report.kind !== 'settled') return report;
    this.handedOver = this.journal.release(WORKFLOW_LIMITS.handedOverBytes);
    const rows = this.handedOver.filter(isHandedOver);
    return rows.length > 0 ? { ...report, rows } : report;
  }

  protected override undelivered(): void {
    this.journal.append(...this.handedOver);
  }
}

function approverIn({ vote }: KeyedVote): Approver {
  return approverOf(vote);
}

/** The intent writes the opening itself, before these. */
function isHandedOver(row: JournalRow): row is HandedOverRow {
  return HANDED_OVER_KINDS.some((kind) => kind === row.kind);
}
