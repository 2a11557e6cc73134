import type { EntityKey } from '../../../contracts/kernel/entity-key.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { openingRow } from '../../../domain/suspension/record/opening-row.js';
import { notOpened } from '../../../store/queries/unsettled.js';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import type { SuspensionInput, SuspensionResult } from '../../../workflows/suspension/messages.js';
import type { Background } from './background.js';
import { READ_MS } from './deadline.js';
import { ROWS_MS } from './row-writes.js';
import type { RowWrites } from './row-writes.js';
import type { Temporal } from './temporal.js';
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
 * that their workflows need no activity for it (docs/adr/0047). Rows that cannot be written in time are not lost: the API
 * asks a question to write its opening itself; the rest is tried once more while nobody waits, and then left to the reconciler. A list is
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
    const missing = await fromStore(notOpened<EntityKey>, [{ id: suspensionId, space }]);
    if (missing.length === 0) return true;
    const asked = await temporal.query(workflowId, recordQuery);
    if (asked.kind === 'done') await write([openingRow(asked.value)]);
    return asked.kind !== 'no_answer';
  }

  async function writeInTime(suspensionId: string, ms: number): Promise<boolean> {
    let isDone = false;
    await inTime(ms, async () => {
      isDone = await writeResult(suspensionId, ms);
    });
    return isDone;
  }

  /** The ends that are being written: who answers a question and who waits for it share one write. */
  const underWay = new Map<string, Promise<boolean>>();

  function isWritten(suspensionId: string, ms: number): Promise<boolean> {
    const shared = underWay.get(suspensionId);
    if (shared) return shared;
    const writing = writeInTime(suspensionId, ms).finally(() => underWay.delete(suspensionId));
    underWay.set(suspensionId, writing);
    return writing;
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

    /**
     * Writes the same while nobody waits, where the subject of the question writes it too, with rows of its own: lists show how it
     * ended without waiting for the subject to be asked. A row may be written twice.
     */
    writeEarly(suspensionId: string): void {
      void background.add(() => isWritten(suspensionId, ROWS_MS));
    },

    /**
     * Writes the same for somebody in this process who waits for the outcome, also where the subject of the question will write it
     * with rows of its own: a row may be written twice. Resolves with whether the store has it.
     */
    writeForWaiter: (suspensionId: string): Promise<boolean> => isWritten(suspensionId, ROWS_MS),
  };
}
