import type PQueue from 'p-queue';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { JournalRow } from '../../../contracts/journal.js';
import { leftRowsQuery } from '../../../workflows/intent/messages.js';
import type { RowWrites } from '../calls/row-writes.js';
import type { Temporal } from '../calls/temporal.js';
import type { GatewayLog } from '../reads/from-store.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'query'>;
  readonly rowWrites: Pick<RowWrites, 'writeOrAsk' | 'askToWrite'>;
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
  async function collect(intentId: string): Promise<void> {
    const workflowId = workflowIdOf('intent', intentId);
    try {
      const asked = await temporal.query(workflowId, leftRowsQuery);
      if (asked.kind === 'gone') return;
      if (asked.kind === 'done') {
        await rowWrites.writeOrAsk(workflowId, asked.value);
        return;
      }
    } catch (error) {
      // A worker of before does not know the query, and its intents leave nothing.
      log.warn({ err: error, intent_id: intentId }, 'an intent did not tell what it left');
    }
    await rowWrites.askToWrite(workflowId);
  }

  return {
    /** Writes rows that came with the result of an Update. */
    writeLeft: (intentId: string, rows: readonly JournalRow[]): Promise<void> =>
      rowWrites.writeOrAsk(workflowIdOf('intent', intentId), rows),

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
