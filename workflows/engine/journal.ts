import {
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { JournalRow } from '../../contracts/journal.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import type { Sender } from './outbox.js';
import { UNTIL_TAKEN } from './outbox.js';

const { writeJournal } = proxyActivities<Pick<Activities, 'writeJournal'>>({
  startToCloseTimeout: '10 seconds',
  ...UNTIL_TAKEN,
  summary: 'write to the store',
});

/** Of these only the newest counts; a workflow writes those of one entity. */
const CURRENT_ROWS: ReadonlySet<JournalRow['kind']> = new Set([
  'intent',
  'portfolio',
  'task',
  'plan',
]);

/**
 * Hands rows to the store in order: one regular activity in flight, batched, retried for ever. Nothing
 * that settles waits for it; what is unwritten is carried over continue-as-new.
 */
export class Journal implements Sender {
  private pending: JournalRow[];
  private inFlight: readonly JournalRow[] = [];
  private readonly scope = new CancellationScope({ cancellable: true });
  private stopped = false;
  /** Whether some row should not wait for others. */
  private urgent: boolean;
  private writing: Promise<void> = Promise.resolve();

  constructor(unwritten: readonly JournalRow[] = []) {
    this.pending = [...unwritten];
    this.urgent = unwritten.length > 0;
  }

  /** Rows the store has not confirmed, oldest first. */
  get unwritten(): readonly JournalRow[] {
    return [...this.inFlight, ...this.pending];
  }

  append(...rows: readonly JournalRow[]): void {
    this.urgent ||= rows.length > 0;
    this.appendLazily(...rows);
  }

  /** Adds rows that nobody looks for yet: they are written with the next that somebody does. */
  appendLazily(...rows: readonly JournalRow[]): void {
    for (const row of rows) {
      if (CURRENT_ROWS.has(row.kind))
        this.pending = this.pending.filter(({ kind }) => kind !== row.kind);
      this.pending.push(row);
    }
  }

  get due(): boolean {
    return !this.stopped && this.inFlight.length === 0 && this.urgent;
  }

  /** Gives away what is pending, for another to write; nothing where a write is under way or it is more. */
  release(mostBytes: number): readonly JournalRow[] {
    if (this.stopped || this.inFlight.length > 0 || jsonBytes(this.pending) > mostBytes) return [];
    const rows = this.pending;
    this.pending = [];
    this.urgent = false;
    return rows;
  }

  send(): void {
    this.takeBatch();
    this.writing = this.scope.run(() => this.write());
  }

  /** Resolves once the store holds every row. */
  async drained(): Promise<void> {
    this.urgent = this.pending.length > 0;
    await condition(() => this.unwritten.length === 0);
  }

  /** Gives up the write in flight; its rows stay in `unwritten` and are written again later. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.scope.cancel();
    await this.writing;
  }

  private async write(): Promise<void> {
    try {
      await writeJournal(this.inFlight);
      this.inFlight = [];
    } catch (error) {
      if (!this.stopped || !isCancellation(error)) throw error;
    }
  }

  private takeBatch(): void {
    let bytes = 0;
    let count = 0;
    for (const row of this.pending) {
      bytes += jsonBytes(row);
      if (count > 0 && bytes > WORKFLOW_LIMITS.journalBatchBytes) break;
      if (++count === WORKFLOW_LIMITS.journalBatchRows) break;
    }
    this.inFlight = this.pending.slice(0, count);
    this.pending = this.pending.slice(count);
    this.urgent = this.pending.length > 0;
  }
}
