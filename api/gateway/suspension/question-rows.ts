import { workflowIdOf } from '../../../contracts/constants/names.js';
import { openingRow } from '../../../domain/suspension/opening-row.js';
import { notOpened } from '../../../store/queries/unsettled.js';
import type { StoredQuestion } from '../../../store/queries/unsettled.js';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import type { SuspensionInput, SuspensionResult } from '../../../workflows/suspension/messages.js';
import type { Background } from '../calls/background.js';
import { READ_MS } from '../calls/deadline.js';
import { ROWS_MS } from '../calls/row-writes.js';
import type { RowWrites } from '../calls/row-writes.js';
import type { Temporal } from '../calls/temporal.js';
import type { FromStore } from '../reads/from-store.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'result' | 'query'>;
  readonly fromStore: FromStore;
  readonly rowWrites: RowWrites;
  /** Does what no request waits for. */
  readonly background: Background;
  readonly space: string;
}

/** Writes the rows of questions that hold up nobody. */
export type QuestionRows = ReturnType<typeof createQuestionRows>;

/**
 * The API opens questions that hold up nobody, and settles most of them: it writes the first row and the last ones, so
 * that their workflows need no activity for it (docs/adr/0047). What cannot be written in time is not lost: a question
 * is told to write its opening itself; the rest is tried once more while nobody waits, and then left to the reconciler. A list is
 * behind for as long.
 */
export function createQuestionRows({ temporal, fromStore, rowWrites, background, space }: Deps) {
  const { write, inTime, writeOrAsk } = rowWrites;

  /** Whether nothing is left to write. */
  async function writeResult(suspensionId: string, ms: number): Promise<boolean> {
    const workflowId = workflowIdOf('suspension', suspensionId);
    const ended = await temporal.result<SuspensionResult>(workflowId, ms);
    if (ended.kind !== 'done') return ended.kind === 'gone';
    await write(ended.value.rows);
    const missing = await fromStore(notOpened<StoredQuestion>, [{ id: suspensionId, space }]);
    if (missing.length === 0) return true;
    const asked = await temporal.query(workflowId, recordQuery);
    if (asked.kind === 'done') await write([openingRow(asked.value)]);
    return asked.kind !== 'no_answer';
  }

  async function isWritten(suspensionId: string, ms: number): Promise<boolean> {
    let isDone = false;
    await inTime(ms, async () => {
      isDone = await writeResult(suspensionId, ms);
    });
    return isDone;
  }

  return {
    /** Writes the opening of a question whose workflow was just started; it does so itself where this fails. */
    async writeOpening(input: SuspensionInput): Promise<void> {
      await writeOrAsk(workflowIdOf('suspension', input.record.id), [openingRow(input)]);
    },

    /**
     * Writes what a question left in its result, within `ms`, or else after the reply. One that does not end that soon writes
     * by itself.
     */
    async writeLast(suspensionId: string, ms = ROWS_MS): Promise<void> {
      if (await isWritten(suspensionId, ms)) return;
      void background.add(() => isWritten(suspensionId, READ_MS));
    },
  };
}
