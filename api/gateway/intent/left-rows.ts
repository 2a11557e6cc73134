import type PQueue from 'p-queue';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { JournalRow } from '../../../contracts/journal.js';
import { writeSignal } from '../../../workflows/engine/messages.js';
import { leftRowsQuery } from '../../../workflows/intent/messages.js';
import { ROWS_MS } from '../calls/row-writes.js';
import type { RowWrites } from '../calls/row-writes.js';
import type { Temporal } from '../calls/temporal.js';
import type { GatewayLog } from '../reads/from-store.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'query' | 'signal'>;
  readonly rowWrites: RowWrites;
  /** Does what no request waits for. */
  readonly background: Pick<PQueue, 'add'>;
  readonly log: GatewayLog;
}

/** Writes what intents leave to the API. */
export type IntentRows = ReturnType<typeof createIntentRows>;

/**
 * The API creates intents, asks their questions and settles these: it writes the rows that follow, so that the intent needs no
 * activity for it (docs/adr/0052). Where it cannot, the intent is told to write them itself; where it dies before, the
 * reconciler tells it.
 */
export function createIntentRows({ temporal, rowWrites, background, log }: Deps) {
  const { write, inTime } = rowWrites;

  async function askToWrite(intentId: string): Promise<void> {
    await inTime(ROWS_MS, async () => {
      await temporal.signal(workflowIdOf('intent', intentId), writeSignal, []);
    });
  }

  /** Whether there is nothing left that the intent would have to write itself. */
  async function collected(intentId: string): Promise<boolean> {
    const asked = await temporal.query(workflowIdOf('intent', intentId), leftRowsQuery);
    if (asked.kind === 'no_answer') return false;
    if (asked.kind === 'gone' || asked.value.length === 0) return true;
    return inTime(ROWS_MS, () => write(asked.value));
  }

  async function collect(intentId: string): Promise<void> {
    try {
      if (await collected(intentId)) return;
    } catch (error) {
      // A worker of before does not know the query, and its intents leave nothing.
      log.warn({ err: error, intent_id: intentId }, 'an intent did not tell what it left');
    }
    await askToWrite(intentId);
  }

  return {
    /** Writes rows that came with the result of an Update. */
    writeLeft: async (intentId: string, rows: readonly JournalRow[]): Promise<void> => {
      if (rows.length > 0 && !(await inTime(ROWS_MS, () => write(rows))))
        await askToWrite(intentId);
    },

    /** Asks an intent what it left, and writes that. */
    collect,

    /** The same while nobody waits for it. */
    collectLater: (intentId: string): void => {
      background
        .add(() => collect(intentId))
        .catch((error: unknown) => {
          log.warn({ err: error, intent_id: intentId }, 'what an intent left was not collected');
        });
    },
  };
}
