import type { SuspensionRecord } from '../../contracts/suspension.js';
import { inputReportSignal } from '../human/messages.js';
import {
  suspensionReportSignal,
  type ReportBody,
  type SuspensionReport,
} from '../intent/messages.js';
import type { Sender } from '../support/outbox.js';
import { Reporter } from '../support/reporter.js';
import type { SuspensionInput } from './messages.js';

/**
 * What a suspension tells its subject (docs/adr/0014): an intent gets every report; the workflow of an
 * agent the outcome, and reminders where it asked for them; nobody is told where nobody is named.
 */
export class Reports implements Sender {
  private readonly input: SuspensionInput;
  private readonly reporter: Reporter<SuspensionReport> | undefined;
  private last: number;

  constructor(input: SuspensionInput) {
    const { intent_id, subject_workflow_id, carried } = input;
    this.input = input;
    this.last = carried?.report_sequence ?? 0;
    const signal = intent_id === null ? inputReportSignal : suspensionReportSignal;
    if (subject_workflow_id !== null) this.reporter = new Reporter(subject_workflow_id, signal);
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
}
