import type { JournalRow } from '../../../contracts/journal.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { wholeStore } from '../../../store/in-space.js';
import { writeRows } from '../../../store/journal-writer.js';
import type { Store } from '../../../store/schema.js';
import type { SuspensionResult } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../../errors.js';
import type { Clock } from '../calls/deadline.js';
import { DeadlinePassed, withinDeadline } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import type { FromStore } from '../reads/from-store.js';

/** Milliseconds that an answer is held up for its rows; after that the reconciler writes them. */
const MOST_MS = 500;

interface Deps {
  readonly temporal: Pick<Temporal, 'result'>;
  readonly fromStore: FromStore;
  readonly clock: Clock;
  readonly space: string;
}

/** Writes what a question left to whoever settled it; within `MOST_MS`, unless another time is said. */
export type WriteLastRows = (suspensionId: string, ms?: number) => Promise<void>;

/**
 * A question that holds up nobody ends in the task that settles it, and its result holds the rows that the store does not
 * have (docs/adr/0047). Where they cannot be written in time, or the question does not end that soon because it writes
 * them itself, nothing is lost: a list is stale for as long.
 */
export function createLastRows({ temporal, fromStore, clock, space }: Deps): WriteLastRows {
  async function write(suspensionId: string, ms: number): Promise<void> {
    const workflowId = workflowIdOf('suspension', suspensionId);
    const ended = await temporal.result<SuspensionResult>(workflowId, ms);
    if (ended.kind === 'done') await fromStore(writeInSpace, ended.value.rows, space);
  }

  return async (suspensionId, ms = MOST_MS) => {
    try {
      await withinDeadline(clock, ms, () => write(suspensionId, ms));
    } catch (error) {
      const isLeft = error instanceof DeadlinePassed || refusalOf(error) !== undefined;
      if (!isLeft) throw error;
    }
  };
}

/** A view of one space takes no writes; the rows name their space themselves. */
async function writeInSpace(db: Store, rows: readonly JournalRow[], space: string): Promise<void> {
  await writeRows(wholeStore(db), rows, space);
}
