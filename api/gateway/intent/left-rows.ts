import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { JournalRow } from '../../../contracts/journal.js';
import { leftRowsQuery } from '../../../workflows/intent/messages.js';
import type { Background } from '../calls/background.js';
import type { RowWrites } from '../calls/row-writes.js';
import type { Temporal } from '../calls/temporal.js';
import type { GatewayLog } from '../reads/from-store.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'query'>;
  readonly rowWrites: Pick<RowWrites, 'writeOrAsk' | 'askToWrite'>;
  /** Does what no request waits for. */
  readonly background: Background;
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
  /** Writes rows that an intent has just left. It hands out none while a write of its own is under way, which writes no later ones. */
  async function writeDue(workflowId: string, rows: readonly JournalRow[]): Promise<void> {
    if (rows.length === 0) await rowWrites.askToWrite(workflowId);
    else await rowWrites.writeOrAsk(workflowId, rows);
  }

  async function collectWith(intentId: string, write: RowWrites['writeOrAsk']): Promise<void> {
    const workflowId = workflowIdOf('intent', intentId);
    try {
      const asked = await temporal.query(workflowId, leftRowsQuery);
      if (asked.kind === 'gone') return;
      if (asked.kind === 'done') {
        await write(workflowId, asked.value);
        return;
      }
    } catch (error) {
      // A worker of before does not know the query, and its intents leave nothing.
      log.warn({ err: error, intent_id: intentId }, 'an intent did not tell what it left');
    }
    await rowWrites.askToWrite(workflowId);
  }

  /** The intents that wait to be asked, and what then writes: each is asked once, for all that it has left by then. */
  const waiting = new Map<string, RowWrites['writeOrAsk']>();

  function later(intentId: string, write: RowWrites['writeOrAsk']): void {
    const isWaiting = waiting.has(intentId);
    if (!isWaiting || write === writeDue) waiting.set(intentId, write);
    if (isWaiting) return;
    const added = background.add(() => {
      const latest = waiting.get(intentId) ?? write;
      waiting.delete(intentId);
      return collectWith(intentId, latest);
    });
    if (added === undefined) waiting.delete(intentId);
    added?.catch((error: unknown) => {
      log.warn({ err: error, intent_id: intentId }, 'what an intent left was not collected');
    });
  }

  return {
    /** Writes rows that came with the result of an Update; undefined from a worker of before, which writes them itself. */
    writeLeft: async (intentId: string, rows: readonly JournalRow[] | undefined): Promise<void> => {
      if (rows !== undefined) await writeDue(workflowIdOf('intent', intentId), rows);
    },

    /** Asks an intent what the end of a question left, and writes that. */
    collect: (intentId: string): Promise<void> => collectWith(intentId, writeDue),

    /** The same while nobody waits for it; also of what somebody else may have failed to collect. */
    collectDue: (intentId: string): void => {
      later(intentId, writeDue);
    },

    /** Asks an intent, which may have left nothing, while nobody waits for it. */
    collectLater: (intentId: string): void => {
      later(intentId, rowWrites.writeOrAsk);
    },
  };
}
