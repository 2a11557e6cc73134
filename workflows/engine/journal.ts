import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { JournalRow } from '../../contracts/journal.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { OrderedQueue } from './queue.js';
import { UNTIL_DONE } from './sender.js';

const { writeJournal } = proxyActivities<Pick<Activities, 'writeJournal'>>({
  startToCloseTimeout: '10 seconds',
  ...UNTIL_DONE,
  summary: 'write to the store',
});

/** Of these only the newest counts; a workflow writes those of one entity. */
const CURRENT_ROWS: ReadonlySet<JournalRow['kind']> = new Set([
  'intent',
  'portfolio',
  'task',
  'plan',
]);

/** Hands rows to the store in order, in batches. Nothing that settles waits for it. */
export class Journal extends OrderedQueue<JournalRow> {
  /** Whether some row should not wait for others. */
  private urgent: boolean;

  constructor(unwritten: readonly JournalRow[] = []) {
    super(unwritten);
    this.urgent = unwritten.length > 0;
  }

  /** Rows the store has not confirmed, oldest first. */
  get unwritten(): readonly JournalRow[] {
    return this.carried;
  }

  append(...rows: readonly JournalRow[]): void {
    this.urgent ||= rows.length > 0;
    this.appendLazily(...rows);
  }

  /** Adds rows that nobody looks for yet: they are written with the next that somebody does. */
  appendLazily(...rows: readonly JournalRow[]): void {
    for (const row of rows) {
      if (CURRENT_ROWS.has(row.kind)) this.drop(({ kind }) => kind === row.kind);
      this.add(row);
    }
  }

  /** Gives away what waits, for another to write; nothing where a write is under way or it is more. */
  release(mostBytes: number): readonly JournalRow[] {
    if (this.isStopped || !this.idle || jsonBytes(this.queued) > mostBytes) return [];
    this.urgent = false;
    return this.takeQueued();
  }

  override get owes(): boolean {
    return this.unwritten.length > 0;
  }

  override flush(): void {
    this.urgent = this.queued.length > 0;
  }

  protected override get ready(): boolean {
    return this.urgent;
  }

  protected override batchOf(waiting: readonly JournalRow[]): number {
    let bytes = 0;
    let count = 0;
    for (const row of waiting) {
      bytes += jsonBytes(row);
      if (count > 0 && bytes > WORKFLOW_LIMITS.journalBatchBytes) break;
      if (++count === WORKFLOW_LIMITS.journalBatchRows) break;
    }
    this.urgent = waiting.length > count;
    return count;
  }

  protected override async deliver(rows: readonly JournalRow[]): Promise<void> {
    await writeJournal(rows);
  }
}
