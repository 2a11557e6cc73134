import type { JournalRow } from '../../../contracts/journal.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { openingRow } from '../../../domain/suspension/opening-row.js';
import { writeRows } from '../../../store/journal-writer.js';
import { notOpened } from '../../../store/queries/unsettled.js';
import type { StoredQuestion } from '../../../store/queries/unsettled.js';
import { recordQuery, writeSignal } from '../../../workflows/suspension/messages.js';
import type { SuspensionInput, SuspensionResult } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../../errors.js';
import type { Clock } from '../calls/deadline.js';
import { DeadlinePassed, withinDeadline } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import type { FromStore, GatewayLog } from '../reads/from-store.js';

/** Milliseconds that a request is held up for rows; after that somebody else writes them. */
const MOST_MS = 500;

interface Deps {
  readonly temporal: Pick<Temporal, 'result' | 'query' | 'signal'>;
  readonly fromStore: FromStore;
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly space: string;
  readonly written?: (rows: readonly JournalRow[]) => void;
}

/** Writes the rows of questions that hold up nobody. */
export type QuestionRows = ReturnType<typeof createQuestionRows>;

/**
 * The API opens questions that hold up nobody, and settles most of them: it writes the first row and the last ones, so
 * that their workflows need no activity for it (docs/adr/0047). What cannot be written in time is not lost: a question
 * is told to write its opening itself, and the reconciler writes the rest. A list is behind for as long.
 */
export function createQuestionRows(deps: Deps) {
  const { temporal, fromStore, clock, log, space, written = () => undefined } = deps;

  async function write(rows: readonly JournalRow[]): Promise<void> {
    const refused = await fromStore(writeRows, rows, space);
    written(rows);
    for (const row of refused) log.warn({ ...row }, 'journal row refused');
  }

  async function writeResult(suspensionId: string, ms: number): Promise<void> {
    const workflowId = workflowIdOf('suspension', suspensionId);
    const ended = await temporal.result<SuspensionResult>(workflowId, ms);
    if (ended.kind !== 'done') return;
    await write(ended.value.rows);
    const missing = await fromStore(notOpened<StoredQuestion>, [{ id: suspensionId, space }]);
    if (missing.length === 0) return;
    const asked = await temporal.query(workflowId, recordQuery);
    if (asked.kind === 'done') await write([openingRow(asked.value)]);
  }

  /** Whether it was done in time. */
  async function inTime(ms: number, work: () => Promise<void>): Promise<boolean> {
    try {
      await withinDeadline(clock, ms, work);
      return true;
    } catch (error) {
      if (error instanceof DeadlinePassed || refusalOf(error) !== undefined) return false;
      throw error;
    }
  }

  return {
    /** Writes the opening of a question whose workflow was just started; it does so itself where this fails. */
    async writeOpening(input: SuspensionInput): Promise<void> {
      if (await inTime(MOST_MS, () => write([openingRow(input)]))) return;
      const workflowId = workflowIdOf('suspension', input.record.id);
      await inTime(MOST_MS, async () => {
        await temporal.signal(workflowId, writeSignal, []);
      });
    },

    /**
     * Writes what a question left in its result, within `ms`. One that does not end that soon writes by itself.
     */
    async writeLast(suspensionId: string, ms = MOST_MS): Promise<void> {
      await inTime(ms, () => writeResult(suspensionId, ms));
    },
  };
}
