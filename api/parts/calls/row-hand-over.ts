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

/** For how many intents, and for how many questions, a process remembers what it has written. */
const MOST_REMEMBERED = 10_000;

/** Remembers something about the keys that were set last. */
class Latest<K, V> {
  private readonly values = new Map<K, V>();

  of(key: K): V | undefined {
    return this.values.get(key);
  }

  set(key: K, value: V): void {
    const { values } = this;
    values.delete(key);
    values.set(key, value);
    const [oldest = key] = values.keys();
    if (values.size > MOST_REMEMBERED) values.delete(oldest);
  }
}

/** The hash of the last event of an intent among rows. */
function headIn(rows: readonly JournalRow[]): string | undefined {
  const row = rows.findLast(({ kind }) => kind === 'intent');
  return row?.kind === 'intent' ? (row.head_hash ?? undefined) : undefined;
}

export type IntentRows = ReturnType<typeof createIntentRows>;

/**
 * Writes the rows of intents that the API creates, asks and settles, so that these need no activity for it
 * (docs/adr/0103). The intent, or the reconciler, writes what is missed.
 */
export function createIntentRows({ temporal, rowWrites, background, log }: Deps) {
  /** The last events that were written here, by their intent. */
  const heads = new Latest<string, string>();

  /**
   * Writes rows that an intent has handed over. An intent with rows due (`isDue`) whose own write is under way hands
   * out none, and that write misses later ones: so it is asked to write them.
   */
  async function write(intentId: string, rows: readonly JournalRow[], isDue = true): Promise<void> {
    const workflowId = workflowIdOf('intent', intentId);
    if (isDue && rows.length === 0) return rowWrites.askToWrite(workflowId);
    const head = headIn(rows);
    if ((await rowWrites.writeOrAsk(workflowId, rows)) && head !== undefined)
      heads.set(intentId, head);
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

type LastRows = Pick<QuestionDeps, 'temporal' | 'fromStore' | 'space'> &
  Pick<RowWrites, 'write'> & { readonly hasOpened: (suspensionId: string) => boolean };

/**
 * Writes the last rows of a question, those of a receipt or else of its result, and its opening, if the store lacks
 * that. Returns whether nothing more has to be written.
 */
async function writeLastRows(
  { temporal, fromStore, space, write, hasOpened }: LastRows,
  suspensionId: string,
  ms: number,
  received?: readonly JournalRow[],
): Promise<boolean> {
  const workflowId = workflowIdOf('suspension', suspensionId);
  if (received === undefined) {
    const ended = await temporal.result<SuspensionResult>(workflowId, ms);
    if (ended.kind !== 'done') return ended.kind === 'gone';
    await write(ended.value.rows);
  } else await write(received);
  if (hasOpened(suspensionId)) return true;
  const missing = await fromStore(notOpened<EntityKey>, [{ id: suspensionId, space }]);
  if (missing.length === 0) return true;
  const asked = await temporal.query(workflowId, recordQuery);
  if (asked.kind === 'done') await write([openingRow(asked.value)]);
  return asked.kind !== 'no_answer';
}

/**
 * Writes the first and the last rows of questions that hold up nobody, so that their workflows need no activity for
 * it (docs/adr/0047). Where it cannot in time, the question or the reconciler writes them, and lists are behind until
 * then.
 */
export function createQuestionRows({ rowWrites, background, ...deps }: QuestionDeps) {
  const { write, inTime, writeOrAsk } = rowWrites;
  /** The questions whose opening was written here. */
  const opened = new Latest<string, true>();
  const lastRows = { ...deps, write, hasOpened: (id: string) => opened.of(id) === true };

  async function writeInTime(
    suspensionId: string,
    ms: number,
    rows?: readonly JournalRow[],
  ): Promise<boolean> {
    let isDone = false;
    await inTime(ms, async () => {
      isDone = await writeLastRows(lastRows, suspensionId, ms, rows);
    });
    return isDone;
  }

  /** The ends that are being written: who answers a question and who waits for it share one write. */
  const underWay = new Map<string, Promise<boolean>>();

  function isWritten(
    suspensionId: string,
    ms: number,
    rows?: readonly JournalRow[],
  ): Promise<boolean> {
    const shared = underWay.get(suspensionId);
    if (shared) return shared;
    const writing = writeInTime(suspensionId, ms, rows).finally(() =>
      underWay.delete(suspensionId),
    );
    underWay.set(suspensionId, writing);
    return writing;
  }

  return {
    /** Writes the opening of a question whose workflow was just started; it does so itself where this fails. */
    async writeOpening(input: SuspensionInput): Promise<void> {
      const { id } = input.record;
      if (await writeOrAsk(workflowIdOf('suspension', id), [openingRow(input)]))
        opened.set(id, true);
    },

    /**
     * Writes the last rows of a question, from a receipt or else from its result, within `ms`, or else after the
     * reply. A question that does not end that soon writes them itself.
     */
    async writeLast(
      suspensionId: string,
      {
        ms = ROWS_MS,
        rows,
      }: { readonly ms?: number; readonly rows?: readonly JournalRow[] | undefined } = {},
    ): Promise<void> {
      if (await isWritten(suspensionId, ms, rows)) return;
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
