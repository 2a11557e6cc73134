import type { RetentionWork } from '../activities/ports/retention-work.js';
import type { ServerConfig } from '../contracts/server/config.js';
import { settledBefore } from '../domain/log/retention.js';
import { latestCheckpoint } from '../store/queries/checkpoint.js';
import { markSettled } from '../store/retention/marks.js';
import { removeMarked } from '../store/retention/removal.js';
import { removeRuns } from '../store/retention/runs.js';
import type { Store } from '../store/schema.js';

/**
 * Retention over a store. Without the setting it marks and removes nothing.
 *
 * @param hasKey - whether this worker signs checkpoints; if any were signed, nothing is removed without a further one
 */
export function retentionWork(
  db: Store,
  { retention: { settled_days: days } }: Pick<ServerConfig, 'retention'>,
  hasKey: boolean,
): RetentionWork {
  const signs = async (): Promise<boolean> => hasKey || (await latestCheckpoint(db)) !== undefined;
  return {
    async mark(goOn) {
      if (days === undefined) return { signs: false };
      const at = new Date();
      const logs = await markSettled(db, { at, before: settledBefore(at, days) }, goOn);
      return { signs: logs > 0 && (await signs()) };
    },
    async remove(goOn) {
      if (days === undefined) return 0;
      const at = new Date();
      const removed = await removeMarked(db, { at, signs: await signs() }, goOn);
      await removeRuns(db, settledBefore(at, days), goOn);
      return removed;
    },
  };
}
