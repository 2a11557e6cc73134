import type { JournalRow, JournalWatch } from '../../../contracts/log/journal.js';
import { writeRows } from '../../../store/journal-writer.js';
import { failureOf } from '../../../store/failures.js';
import { writeSignal } from '../../../workflows/engine/messages.js';
import { refusalOf } from '../../errors.js';
import type { FromStore, WarningLog } from '../reads/from-store.js';
import { DeadlinePassed, limitOf, withinDeadline, type Clock } from './deadline.js';
import type { Temporal } from './temporal.js';

/** How many batches of a space are written at once. A distant store takes as long for a large one as for a small one. */
const AT_ONCE = 4;
/** The most rows of a batch, unless one call has more. */
const MOST_ROWS = 200;

type Write = (rows: readonly JournalRow[]) => Promise<void>;

interface Waiting {
  readonly rows: readonly JournalRow[];
  readonly settle: (written: Promise<void>) => void;
}

/**
 * Returns a writer that collects into batches what arrives while four batches are under way, to save round trips to
 * the store. Each call resolves or fails as its batch does.
 */
export function inBatches(write: Write): Write {
  const waiting: Waiting[] = [];
  let underWay = 0;

  /** Takes those that came first, as many as fit into a batch; at least one. */
  function nextBatch(): readonly Waiting[] {
    let count = 0;
    const beyond = waiting.findIndex(({ rows }, index) => {
      count += rows.length;
      return index > 0 && count > MOST_ROWS;
    });
    return waiting.splice(0, beyond === -1 ? waiting.length : beyond);
  }

  function begin(): void {
    if (underWay === AT_ONCE || waiting.length === 0) return;
    const batch = nextBatch();
    underWay += 1;
    const written = write(batch.flatMap(({ rows }) => rows)).finally(() => {
      underWay -= 1;
      begin();
    });
    for (const { settle } of batch) settle(written);
  }

  return (rows) =>
    new Promise<void>((resolve) => {
      waiting.push({ rows, settle: resolve });
      begin();
    });
}

/** Milliseconds that rows may take, also while a request waits for them; after that another process writes them. */
export const ROWS_MS = 500;

interface Deps {
  readonly temporal: Pick<Temporal, 'signal'>;
  readonly fromStore: FromStore;
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly space: string;
  readonly written?: JournalWatch;
}

export type RowWrites = ReturnType<typeof createRowWrites>;

/** Writes the rows of a space that workflows hand over to the API, so that they need no activity for it. */
export function createRowWrites(deps: Deps) {
  const { temporal, fromStore, clock, log, space, written } = deps;

  const write = inBatches(async (rows) => {
    const refused = await fromStore(writeRows, rows, space, written);
    for (const row of refused) log.warn({ ...row }, 'journal row refused');
  });

  /**
   * Does work within `ms`, and returns whether it was done. A failure does not fail the request, which Temporal has
   * carried out: others write the rows.
   */
  async function inTime(ms: number, work: () => Promise<void>): Promise<boolean> {
    try {
      await withinDeadline(clock, limitOf(clock, 'servers', ms), work);
      return true;
    } catch (error) {
      const isExpected = error instanceof DeadlinePassed || refusalOf(error) !== undefined;
      if (!isExpected) log.warn(failureOf(error), 'rows were left to others');
      return false;
    }
  }

  /** Asks a question or an intent to write its pending rows itself. */
  async function askToWrite(workflowId: string): Promise<void> {
    await inTime(ROWS_MS, async () => {
      await temporal.signal(workflowId, writeSignal, []);
    });
  }

  /** Writes the rows that a workflow handed over, or asks it to. Resolves with whether they are written. */
  async function writeOrAsk(workflowId: string, rows: readonly JournalRow[]): Promise<boolean> {
    const isWritten = rows.length === 0 || (await inTime(ROWS_MS, () => write(rows)));
    if (!isWritten) await askToWrite(workflowId);
    return isWritten;
  }

  return { write, inTime, askToWrite, writeOrAsk };
}
