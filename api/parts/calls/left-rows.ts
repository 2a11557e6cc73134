import { defined } from '../../../contracts/constants/defined.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { leftRowsQuery } from '../../../workflows/intent/messages.js';
import type { Background } from './background.js';
import type { RowWrites } from './row-writes.js';
import type { Temporal } from './temporal.js';
import type { WarningLog } from '../reads/from-store.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'query'>;
  readonly rowWrites: Pick<RowWrites, 'writeOrAsk' | 'askToWrite'>;
  /** Does what no request waits for. */
  readonly background: Background;
  readonly log: WarningLog;
}

/** How many intents a process remembers for what it has written. */
const MOST_HEADS = 10_000;

/** The hash of the last event that was written here, of the intents that were written last. */
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

/** Writes what intents leave to the API. */
export type IntentRows = ReturnType<typeof createIntentRows>;

/**
 * The API creates intents, asks their questions and settles these: it writes the rows that follow, so that the intent needs no
 * activity for it (docs/adr/0103). Where it cannot, it asks the intent to write them itself; where it dies before, the
 * reconciler asks.
 */
export function createIntentRows({ temporal, rowWrites, background, log }: Deps) {
  const heads = new StoredHeads();

  /**
   * Writes rows that an intent has left. One that has just left some (`isDue`) hands out none while a write of its own is under
   * way, which writes no later ones: it is asked to write them.
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

  /** The intents that wait to be asked, and whether their rows are due: each is asked once, for all that it has left by then. */
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

    /** For the next Update: up to which event this process has written the rows, by its hash. */
    stored: (intentId: string): { readonly stored_head?: string } =>
      defined({ stored_head: heads.of(intentId) }),

    /** Asks an intent what the end of a question left, and writes that. */
    collect,

    /** The same while nobody waits for it; also of what somebody else may have failed to collect. */
    collectDue: (intentId: string): void => {
      later(intentId, true);
    },

    /** Asks an intent, which may have left nothing, while nobody waits for it. */
    collectLater: (intentId: string): void => {
      later(intentId, false);
    },
  };
}
