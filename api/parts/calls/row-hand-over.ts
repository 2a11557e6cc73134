import { defined } from '../../../contracts/constants/defined.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { leftRowsQuery } from '../../../workflows/intent/messages.js';
import type { Background } from './background.js';
import type { Temporal } from './temporal.js';
import type { FromStore, WarningLog } from '../reads/from-store.js';
import type { EntityKey } from '../../../contracts/kernel/primitives.js';
import { openingRow } from '../../../domain/suspension/record/opening-row.js';
import { notOpened } from '../../../store/queries/work/unsettled.js';
import {
  recordQuery,
  type SuspensionInput,
  type SuspensionResult,
} from '../../../workflows/suspension/messages.js';
import { READ_MS } from './deadline.js';
import { ROWS_MS, type RowWrites } from './row-writes.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'query'>;
  readonly rowWrites: Pick<RowWrites, 'writeOrAsk' | 'askToWrite'>;
  readonly background: Background;
  readonly log: WarningLog;
}

/** For how many intents a process remembers what it has written. */
const MOST_HEADS = 10_000;

/** Remembers the hash of the last event that was written here, for the intents that were written last. */
class StoredHeads {
  private readonly heads = new Map<string, string>();

  of(intentId: string): string | undefined {
    return this.heads.get(intentId);
  }

  note(intentId: string, rows: readonly JournalRow[]): void {
    const row = rows.findLast(({ kind }) => kind === 'intent');
    const head = row?.kind === 'intent' ? row.head_hash : undefined;
    if (typeof head !== 'string') return;
    const { heads } = this;
    heads.delete(intentId);
    heads.set(intentId, head);
    const [oldest = intentId] = heads.keys();
    if (heads.size > MOST_HEADS) heads.delete(oldest);
  }
}

export type IntentRows = ReturnType<typeof createIntentRows>;

/**
 * Writes the rows of intents that the API creates, asks and settles, so that these need no activity for it
 * (docs/adr/0103). The intent, or the reconciler, writes what is missed.
 */
export function createIntentRows({ temporal, rowWrites, background, log }: Deps) {
  const heads = new StoredHeads();

  /**
   * Writes rows that an intent has handed over. An intent with rows due (`isDue`) whose own write is under way hands
   * out none, and that write misses later ones: so it is asked to write them.
   */
  async function write(intentId: string, rows: readonly JournalRow[], isDue = true): Promise<void> {
    const workflowId = workflowIdOf('intent', intentId);
    if (isDue && rows.length === 0) return rowWrites.askToWrite(workflowId);
    if (await rowWrites.writeOrAsk(workflowId, rows)) heads.note(intentId, rows);
  }

  async function collect(intentId: string, isDue = true): Promise<void> {
    const workflowId = workflowIdOf('intent', intentId);
    const asked = await temporal
      .query(workflowId, leftRowsQuery, [heads.of(intentId)])
      .catch((error: unknown) => {
        log.warn({ err: error, intent_id: intentId }, 'an intent did not tell what it left');
      });
    if (asked?.kind === 'done') await write(intentId, asked.value, isDue);
    else if (asked?.kind !== 'gone') await rowWrites.askToWrite(workflowId);
  }

  /** The intents that wait to be asked, and whether their rows are due: each is asked once, for all its rows by then. */
  const waiting = new Map<string, boolean>();

  function later(intentId: string, isDue: boolean): void {
    const isWaiting = waiting.has(intentId);
    if (!isWaiting || isDue) waiting.set(intentId, isDue);
    if (isWaiting) return;
    const added = background.add(() => {
      const latest = waiting.get(intentId);
      waiting.delete(intentId);
      return collect(intentId, latest);
    });
    if (added === undefined) waiting.delete(intentId);
    added?.catch((error: unknown) => {
      log.warn({ err: error, intent_id: intentId }, 'what an intent left was not collected');
    });
  }

  return {
    /** Writes rows that came with the result of an Update. */
    writeLeft: write,

    /** Returns the hash of the last event whose rows this process has written, for the next Update. */
    stored: (intentId: string): { readonly stored_head?: string } =>
      defined({ stored_head: heads.of(intentId) }),

    /** Asks an intent for the rows that the end of a question brought, and writes them. */
    collect,

    /** Does the same in the background; also for rows that another process may have failed to collect. */
    collectDue: (intentId: string): void => {
      later(intentId, true);
    },

    /** Asks an intent in the background; it may have no rows. */
    collectLater: (intentId: string): void => {
      later(intentId, false);
    },
  };
}

interface QuestionDeps {
  readonly temporal: Pick<Temporal, 'result' | 'query'>;
  readonly fromStore: FromStore;
  readonly rowWrites: RowWrites;
  readonly background: Background;
  readonly space: string;
}

export type QuestionRows = ReturnType<typeof createQuestionRows>;

/**
 * Writes the first and the last rows of questions that hold up nobody, so that their workflows need no activity for
 * it (docs/adr/0047). Where it cannot in time, the question or the reconciler writes them, and lists are behind until
 * then.
 */
export function createQuestionRows({
  temporal,
  fromStore,
  rowWrites,
  background,
  space,
}: QuestionDeps) {
  const { write, inTime, writeOrAsk } = rowWrites;

  /** Writes the result of a question; returns whether nothing more has to be written. */
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
     * Writes the rows in a question's result, within `ms`, or else after the reply. A question that does not end that
     * soon writes them itself.
     */
    async writeLast(suspensionId: string, ms = ROWS_MS): Promise<void> {
      if (await isWritten(suspensionId, ms)) return;
      void background.add(() => isWritten(suspensionId, READ_MS));
    },

    /**
     * Writes the same in the background, where the question's subject writes it too: lists then show the end without
     * waiting for the subject. A row may be written twice.
     */
    writeEarly(suspensionId: string): void {
      void background.add(() => isWritten(suspensionId, ROWS_MS));
    },

    /**
     * Writes the same for somebody in this process who waits for the outcome, even where the question's subject
     * writes it too. Resolves with whether the store has it.
     */
    writeForWaiter: (suspensionId: string): Promise<boolean> => isWritten(suspensionId, ROWS_MS),
  };
}
