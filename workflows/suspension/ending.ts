import { condition } from '@temporalio/workflow';
import type { JournalRow } from '../../contracts/journal.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { settlementOf } from '../../domain/suspension/state.js';
import type { Journal } from '../engine/journal.js';
import type { SuspensionInput, SuspensionResult } from './messages.js';
import type { Reports } from './reports.js';
import { leftRows } from './rows.js';

/**
 * Who tells the subject how its question ended, and who writes the last rows: the result of the workflow, as far as
 * somebody takes them from it (docs/adr/0047, docs/adr/0048). While a delivery is under way the workflow does not end
 * in the task that settles the question: Temporal refuses such a task if the delivery ends meanwhile, and the Update
 * would be lost with it until the next try, which the worker may miss.
 */
export class Ending {
  private readonly input: SuspensionInput;
  private readonly journal: Journal;
  private readonly reports: Reports;
  private readonly report: () => void;
  private left: readonly JournalRow[] = [];
  private senderWrites: true | undefined;
  private over = false;
  private decided = false;

  /** `report` tells the subject the outcome by Signal, if there is one. */
  constructor(input: SuspensionInput, journal: Journal, reports: Reports, report: () => void) {
    this.input = input;
    this.journal = journal;
    this.reports = reports;
    this.report = report;
  }

  /** What the workflow returns: what was asked too, unless its subject takes the outcome from it. */
  resultOf(record: SettledRecord, attempt: number): SuspensionResult {
    const end = this.input.reports_by_result ? settlementOf(record) : record;
    const rows = [...this.left, ...this.journal.unwritten];
    const { senderWrites: sender_writes } = this;
    return { ...end, attempt, rows, ...(sender_writes && { sender_writes }) };
  }

  /** The workflow that learns the outcome from the result, if one does, for receipts. */
  get awaitedBy(): { readonly awaited_by?: string } {
    const { subject_workflow_id, subject_writes } = this.input;
    const isAwaited = this.over && subject_writes === true && this.reports.byResult;
    return isAwaited && subject_workflow_id !== null ? { awaited_by: subject_workflow_id } : {};
  }

  /** The question has just been settled. */
  settled(): void {
    this.over = true;
    if (!this.reports.byResult) this.report();
    else if (this.input.subject_writes) this.journal.hold();
  }

  /** If it has just been settled, it was by an Update: what is left to write may be left to its sender. */
  settledByUpdate({ sender_writes }: { readonly sender_writes?: true }): void {
    if (!this.over) return;
    this.senderWrites = sender_writes;
    if (this.input.settler_writes) this.journal.hold();
  }

  /** The subject gets every report by Signal from now on, once more that of the outcome. */
  attach(): void {
    this.reports.attach();
    this.report();
  }

  /** Decides, once all is taken in that came with the outcome. */
  decide(isDelivering: boolean): void {
    if (this.journal.isHeld && !isDelivering) this.left = leftRows(this.journal, this.input);
    // Nobody is to wait for the store: what the result would tell too late is told by Signal.
    if (this.reports.byResult && this.journal.owes) this.attach();
    this.decided = true;
  }

  /** Resolves when the subject has got every report so far, but for what the result tells it. */
  async reported(isMoving: () => boolean): Promise<void> {
    const byResult = this.over && this.reports.byResult;
    if (byResult) await condition(() => this.decided || isMoving());
    await this.reports.drained();
  }
}
