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
  'approval',
]);

/** Rows that are made when they are written: those that may wait, and those that may not. */
export interface PendingRows {
  readonly planned: readonly JournalRow[];
  readonly urgent: readonly JournalRow[];
}

/** Where such rows come from. */
export interface RowSource {
  readonly pending: PendingRows;
  /** Its rows are in the journal from now on. */
  taken(): void;
}

const NO_ROWS: PendingRows = { planned: [], urgent: [] };
const NO_SOURCE: RowSource = { pending: NO_ROWS, taken: () => undefined };

/**
 * Hands rows to the store in order, in batches. Nothing that settles waits for it. Rows that may wait go before the
 * others: a task that only adds such rows leads to no command, and the SDK may join it with the next, whose Update then
 * comes first, while a replay has them apart (docs/adr/0011).
 */
export class Journal extends OrderedQueue<JournalRow> {
  private readonly source: RowSource;
  /** Rows that may wait. */
  private planned: JournalRow[] = [];
  /** Whether some row should not wait for others. */
  private urgent: boolean;
  private held = false;

  constructor(unwritten: readonly JournalRow[] = [], source = NO_SOURCE) {
    super(unwritten);
    this.source = source;
    this.urgent = unwritten.length > 0;
  }

  /** Rows the store has not confirmed, oldest first. */
  get unwritten(): readonly JournalRow[] {
    return [...this.underWay, ...this.ordered];
  }

  append(...rows: readonly JournalRow[]): void {
    this.urgent ||= rows.length > 0;
    for (const row of rows) {
      if (CURRENT_ROWS.has(row.kind)) this.drop(({ kind }) => kind === row.kind);
      this.add(row);
    }
  }

  /** Adds rows that may wait: they are written with the next row that may not, and before it. */
  appendLazily(...rows: readonly JournalRow[]): void {
    this.planned.push(...rows);
  }

  /**
   * Adds rows by `work` that may wait, because whoever caused them writes them: see `left`. Nobody confirms that, so they
   * stay here, and are written once more with the next row that may not wait. Over 64 KiB they do not wait.
   */
  leave<T>(work: () => T): T {
    const { urgent } = this;
    const result = work();
    this.urgent = urgent || jsonBytes(this.ordered) > WORKFLOW_LIMITS.handedOverBytes;
    return result;
  }

  /** The rows that wait, where nothing here is about to write them. */
  get left(): readonly JournalRow[] {
    return this.idle && !this.urgent ? this.ordered : [];
  }

  /** Drops rows that still wait for others: somebody else has written them. */
  dropPlanned(isWritten: (row: JournalRow) => boolean): void {
    this.planned = this.planned.filter((row) => !isWritten(row));
  }

  override rewrite(change: (row: JournalRow) => JournalRow): void {
    super.rewrite(change);
    this.planned = this.planned.map(change);
  }

  /** Lets no row wait for others. */
  urge(): void {
    this.urgent = this.ordered.length > 0;
  }

  /** Sends nothing until the rows that wait are released, or `drained` is called. */
  hold(): void {
    this.held = true;
  }

  get isHeld(): boolean {
    return this.held;
  }

  /** Returns the rows that wait, for another to write; none if a write is under way or they have more bytes. */
  release(mostBytes: number): readonly JournalRow[] {
    this.held = false;
    if (this.isStopped || !this.idle) return [];
    this.arrange();
    if (jsonBytes(this.queued) > mostBytes) return [];
    this.urgent = false;
    return this.takeQueued();
  }

  override get owes(): boolean {
    return this.unwritten.length > 0;
  }

  override flush(): void {
    this.held = false;
    this.urge();
  }

  protected override get ready(): boolean {
    return !this.held && (this.urgent || this.source.pending.urgent.length > 0);
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

  protected override sendNext(): Promise<void> {
    this.arrange();
    return super.sendNext();
  }

  protected override async deliver(rows: readonly JournalRow[]): Promise<void> {
    await writeJournal(rows);
  }

  /** All rows that wait, in the order in which they are written. */
  private get ordered(): readonly JournalRow[] {
    const { planned, urgent } = this.source.pending;
    return [...this.planned, ...planned, ...urgent, ...this.queued];
  }

  private arrange(): void {
    const { ordered } = this;
    this.source.taken();
    this.planned = [];
    this.takeQueued();
    this.add(...ordered);
  }
}
