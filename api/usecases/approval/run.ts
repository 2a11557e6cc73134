import type { StoredSnapshot } from '../../../contracts/approval/snapshot.js';
import type { RunEvent, RunReport } from '../../../contracts/intent/run-event.js';
import { endCheck } from '../../../domain/log/chain.js';
import {
  listRunEvents as storedEvents,
  runEventsIn,
  runLogEnd,
} from '../../../store/queries/run-log.js';
import { latestSnapshot as storedSnapshot } from '../../../store/queries/snapshot.js';
import type { Listed, Page, Read } from '../../parts/caller.js';
import { checkedAsRead, checkedWhole, wholeLog } from '../../parts/reads/whole-log.js';
import { refused } from '../../parts/refusals.js';
import { useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/** Lists the events that approvals have written to the log of a run. */
export const listRunEvents = useCase({
  name: 'listRunEvents',
  resource: 'approval',
  refusals: ['store_unavailable'],
  async run({ parts }: Call, runId: string, page: Page): Promise<Listed<RunEvent>> {
    const { rows, more } = await parts.fromStore(storedEvents, runId, page);
    return { value: rows, more, stale: false };
  },
});

/** Verifies the log of a run against its end and its removed events, which the store keeps beside it. */
export const verifyRunEvents = useCase({
  name: 'verifyRunEvents',
  resource: 'approval',
  refusals: ['store_unavailable'],
  async run({ parts: { fromStore } }: Call, runId: string): Promise<Read<RunReport>> {
    const { report } = await checkedWhole(
      () => fromStore(runLogEnd, runId),
      async ({ head, removed, newest }) => {
        const events = wholeLog(fromStore, runEventsIn, runId, newest);
        return endCheck(await checkedAsRead(runId, events, removed), head);
      },
    );
    const { intent_id: _run, ...found } = report;
    return { value: { ...found, run_id: runId, head_from: 'store' }, stale: false };
  },
});

/** Reads the latest snapshot that an agent on Temporal has saved in this run. Only the store has it. */
export const latestSnapshot = useCase({
  name: 'latestSnapshot',
  resource: 'approval',
  refusals: ['snapshot_not_found', 'store_unavailable'],
  async run({ parts }: Call, runId: string): Promise<Read<StoredSnapshot>> {
    const value = await parts.fromStore(storedSnapshot, runId);
    if (value === undefined) throw refused('snapshot_not_found', 'The run has left no snapshot.');
    return { value, stale: false };
  },
});
