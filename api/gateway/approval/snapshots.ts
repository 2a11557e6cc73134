import type { StoredSnapshot } from '../../../contracts/snapshot.js';
import { latestSnapshot } from '../../../store/queries/snapshot.js';
import type { Read } from '../caller.js';
import type { FromStore } from '../reads/from-store.js';
import { refused } from '../refusals.js';

/** What agents on Temporal left of themselves while they waited. The store alone has it. */
export function createSnapshots(fromStore: FromStore) {
  return {
    /** Of the last turn of a run that waited. Throws `snapshot_not_found` and `store_unavailable`. */
    async latestSnapshot(runId: string): Promise<Read<StoredSnapshot>> {
      const value = await fromStore(latestSnapshot, runId);
      if (value === undefined) throw refused('snapshot_not_found', 'The run has left no snapshot.');
      return { value, stale: false };
    },
  };
}
