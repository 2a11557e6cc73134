import type { JournalRow, JournalWatch } from '../../../contracts/log/journal.js';
import { writeRows } from '../../../store/journal-writer.js';
import { failureOf } from '../../../store/failures.js';
import { writeSignal } from '../../../workflows/engine/messages.js';
import { refusalOf } from '../../errors.js';
import type { FromStore, WarningLog } from '../reads/from-store.js';
import { DeadlinePassed, limitOf, withinDeadline } from './deadline.js';
import { inBatches } from './row-batches.js';
import type { Clock } from './deadline.js';
import type { Temporal } from './temporal.js';

/** Milliseconds that rows may take, also while a request waits for them; after that somebody else writes them. */
export const ROWS_MS = 500;

interface Deps {
  readonly temporal: Pick<Temporal, 'signal'>;
  readonly fromStore: FromStore;
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly space: string;
  readonly written?: JournalWatch;
}

/** Writes rows that workflows leave to the API. */
export type RowWrites = ReturnType<typeof createRowWrites>;

/** Writes rows of a space, which workflows leave to the API so that they need no activity for it. */
export function createRowWrites(deps: Deps) {
  const { temporal, fromStore, clock, log, space, written } = deps;

  const write = inBatches(async (rows) => {
    const refused = await fromStore(writeRows, rows, space, written);
    for (const row of refused) log.warn({ ...row }, 'journal row refused');
  });

  /**
   * Does work within `ms`, and returns whether it was done. A failure is no fault of the request, which Temporal has
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

  /** Has a question or an intent write what it left. */
  async function askToWrite(workflowId: string): Promise<void> {
    await inTime(ROWS_MS, async () => {
      await temporal.signal(workflowId, writeSignal, []);
    });
  }

  /** Writes rows that a workflow left, or has it write them. Resolves with whether they are written. */
  async function writeOrAsk(workflowId: string, rows: readonly JournalRow[]): Promise<boolean> {
    const isWritten = rows.length === 0 || (await inTime(ROWS_MS, () => write(rows)));
    if (!isWritten) await askToWrite(workflowId);
    return isWritten;
  }

  return { write, inTime, askToWrite, writeOrAsk };
}
