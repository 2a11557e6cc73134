import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { OrderedQueue } from './queue.js';
import { UNTIL_DONE } from './sender.js';

/**
 * Each try costs an action, and a store that comes back must not be met by all workflows at once. A failed try says itself when
 * the next one comes, with jitter (`activities/index.ts`); this is the pace of those that cannot, because they timed out.
 */
const { writeJournal } = proxyActivities<Pick<Activities, 'writeJournal'>>({
  startToCloseTimeout: '10 seconds',
  ...UNTIL_DONE,
  retry: {
    initialInterval: '250 milliseconds',
    backoffCoefficient: 4,
    maximumInterval: '1 minute',
  },
  summary: 'write to the store',
});

/** Only the newest row of these kinds is written; a workflow writes those of one entity. */
const CURRENT_ROWS: ReadonlySet<JournalRow['kind']> = new Set([
  'intent',
  'portfolio',
  'task',
  'plan',
  'approval',
]);

/** Makes rows only when they are written: those that may wait, and those that may not. */
export interface RowSource {
  readonly pending: {
    readonly planned: readonly JournalRow[];
    readonly urgent: readonly JournalRow[];
  };
  /** Called when its rows are in the journal. */
  taken(): void;
}

function revisionOf(row: JournalRow): number | undefined {
  return 'revision' in row ? row.revision : undefined;
}

const NO_SOURCE: RowSource = { pending: { planned: [], urgent: [] }, taken: () => undefined };

/**
 * Writes rows to the store in order, in batches, unless somebody else writes them. Nothing that settles waits for it.
 * Rows that may wait precede the others: a task that only adds such rows leads to no command, and the SDK may join it
 * with the next, whose Update then comes first, while a replay has them apart (docs/adr/0011).
 */
export class Journal extends OrderedQueue<JournalRow> {
  protected held = false;
  /** Whether a row should not wait for others. */
  private urgent: boolean;
  private planned: JournalRow[] = [];
  /** Rows that others write, with the hash of the last event of their log so far. */
  private leaving: { readonly head: string | null; readonly row: JournalRow }[] = [];
  private storedHead: string | undefined;
  private readonly source: RowSource;

  constructor(unwritten: readonly JournalRow[] = [], source = NO_SOURCE) {
    super(unwritten);
    this.urgent = unwritten.length > 0;
    this.source = source;
  }

  /** Rows that the store has not confirmed, oldest first. */
  get unwritten(): readonly JournalRow[] {
    return [...this.inFlight, ...this.ordered];
  }

  append(...rows: readonly JournalRow[]): void {
    this.urgent ||= rows.length > 0;
    for (const row of rows) {
      if (CURRENT_ROWS.has(row.kind)) this.drop(({ kind }) => kind === row.kind);
      this.add(row);
    }
  }

  override get owes(): boolean {
    return this.unwritten.length > 0;
  }

  override flush(): void {
    this.urgent = this.ordered.length > 0;
  }

  /**
   * Does work that adds rows, and leaves them to the sender that caused it. They are kept until they are stored, and
   * written again with the next row that may not wait. Above 64 KiB they do not wait.
   *
   * @param headOf - the hash of the last event, after the work
   */
  leave<T>(work: () => T, headOf: () => string | null): T {
    const { urgent } = this;
    const result = work();
    const head = headOf();
    this.leaving.push(...this.takeQueued().map((row) => ({ head, row })));
    this.urgent = urgent || jsonBytes(this.ordered) > WORKFLOW_LIMITS.handedOverBytes;
    this.dropStored();
    return result;
  }

  /**
   * Returns the rows that a sender must write, unless they are about to be written here: all, or those after the
   * event with this hash.
   */
  leftAfter(head?: string): readonly JournalRow[] {
    if (!this.idle || this.urgent) return [];
    const stored = this.leaving.slice(0, this.endOf(head)).map(({ row }) => row);
    return this.ordered.filter((row) => !stored.includes(row));
  }

  /**
   * Records that a sender has written the rows up to the event with this hash. A sequence would not do: after a
   * reset, another event may have it.
   */
  stored(head: string): void {
    this.storedHead = head;
    this.dropStored();
  }

  /** Delays writing until the work is done, so that its rows reach the store together. */
  async together(work: () => Promise<void>): Promise<void> {
    this.held = true;
    try {
      await work();
    } finally {
      this.held = false;
      this.flush();
    }
  }

  override rewrite(change: (row: JournalRow) => JournalRow): void {
    super.rewrite(change);
    this.planned = this.planned.map(change);
    this.leaving = this.leaving.map(({ head, row }) => ({ head, row: change(row) }));
  }

  protected plan(row: JournalRow): void {
    this.planned.push(row);
  }

  /** Drops a row that still waits, even if it was rewritten, because somebody else has written it. */
  protected unplan(written: JournalRow): void {
    this.planned = this.planned.filter(
      (row) => row.kind !== written.kind || revisionOf(row) !== revisionOf(written),
    );
  }

  /** Removes the waiting rows, for another to write; none if a write is under way or they have more than 64 KiB. */
  release(): readonly JournalRow[] {
    this.held = false;
    if (this.isStopped || !this.idle) return [];
    this.arrange();
    if (jsonBytes(this.waiting) > WORKFLOW_LIMITS.handedOverBytes) return [];
    this.urgent = false;
    return this.takeQueued();
  }

  protected override get ready(): boolean {
    return !this.held && (this.urgent || this.source.pending.urgent.length > 0);
  }

  protected override sendNext(): Promise<void> {
    this.arrange();
    return super.sendNext();
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

  /** All waiting rows, in the order in which they are written. */
  private get ordered(): readonly JournalRow[] {
    const { planned, urgent } = this.source.pending;
    const leaving = this.leaving.map(({ row }) => row);
    return [...this.planned, ...planned, ...urgent, ...leaving, ...this.waiting];
  }

  private arrange(): void {
    const { ordered } = this;
    this.source.taken();
    this.planned = [];
    this.leaving = [];
    this.waiting = [...ordered];
  }

  private drop(isObsolete: (row: JournalRow) => boolean): void {
    this.waiting = this.waiting.filter((row) => !isObsolete(row));
    this.leaving = this.leaving.filter(({ row }) => !isObsolete(row));
  }

  private dropStored(): void {
    this.leaving.splice(0, this.endOf(this.storedHead));
    if (this.ordered.length === 0) this.urgent = false;
  }

  /** How many of the rows left to others precede or equal an event. */
  private endOf(head: string | undefined): number {
    return head === undefined ? 0 : this.leaving.findLastIndex((one) => one.head === head) + 1;
  }
}
