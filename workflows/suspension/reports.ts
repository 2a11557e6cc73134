import type { SuspensionRecord } from '../../contracts/suspension.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { HandedOverRow, JournalRow } from '../../contracts/journal.js';
import { HANDED_OVER_KINDS } from '../../contracts/constants/events.js';
import { inputReportSignal } from './messages.js';
import {
  suspensionReportSignal,
  type ReportBody,
  type SuspensionReport,
} from '../intent/messages.js';
import type { Journal } from '../engine/journal.js';
import type { Sender } from '../engine/outbox.js';
import { Reporter } from '../engine/outbox.js';
import type { SuspensionInput } from './messages.js';

/**
 * What a suspension tells its subject (docs/adr/0014): an intent gets every report; the workflow of an
 * agent the outcome, and reminders where it asked for them; nobody is told where nobody is named.
 */
export class Reports implements Sender {
  private readonly input: SuspensionInput;
  private readonly reporter: Reporter<SuspensionReport> | undefined;
  private readonly journal: Journal;
  private handedOver: readonly JournalRow[] = [];
  private last: number;

  constructor(input: SuspensionInput, journal: Journal) {
    const { intent_id, subject_workflow_id, carried } = input;
    this.input = input;
    this.journal = journal;
    this.last = carried?.report_sequence ?? 0;
    if (subject_workflow_id === null) return;
    const signal = intent_id === null ? inputReportSignal : suspensionReportSignal;
    this.reporter = new Reporter(subject_workflow_id, signal, {
      beforeSending: (report) => this.withRows(report),
      undelivered: () => {
        this.journal.append(...this.handedOver);
      },
    });
  }

  /** Sequence of the last report; 0 before the first. */
  get sequence(): number {
    return this.last;
  }

  get due(): boolean {
    return this.reporter?.due ?? false;
  }

  send(): void {
    this.reporter?.send();
  }

  /** Resolves when Temporal has put every report into the subject's history. */
  async sent(): Promise<void> {
    await this.reporter?.sent();
  }

  /** Tells the subject; a reminder for an agent's hooks comes with the record, which it may not have kept. */
  add(record: SuspensionRecord, body: ReportBody): void {
    const { intent_id, report_attempts = false } = this.input;
    if (intent_id === null && body.kind === 'attempt' && !report_attempts) return;
    const own = intent_id === null ? { record } : {};
    const report = { suspension_id: record.id, report_sequence: ++this.last, ...own, ...body };
    this.reporter?.add(report);
  }

  /** An intent takes over what is left to write, so that the suspension can end (docs/adr/0017). */
  private withRows(report: SuspensionReport): SuspensionReport {
    if (this.input.intent_id === null || report.kind !== 'settled') return report;
    this.handedOver = this.journal.release(WORKFLOW_LIMITS.handedOverBytes);
    const rows = this.handedOver.filter(isHandedOver);
    return rows.length > 0 ? { ...report, rows } : report;
  }
}

/** The intent writes the opening itself, before these. */
function isHandedOver(row: JournalRow): row is HandedOverRow {
  return HANDED_OVER_KINDS.some((kind) => kind === row.kind);
}
