import type { RunEvent, RunReport } from '../../../contracts/run-event.js';
import { endCheck } from '../../../domain/intent/event-chain.js';
import { listRunEvents, runEventsIn, runLogEnd } from '../../../store/queries/run-log.js';
import type { Listed, Page, Read } from '../caller.js';
import type { FromStore } from '../reads/from-store.js';
import { checkedAsRead, wholeLog } from '../reads/whole-log.js';

/** What approvals left in the logs of runs. Throws `store_unavailable`. */
export function createRunLogs(fromStore: FromStore) {
  return {
    async listRunEvents(runId: string, page: Page): Promise<Listed<RunEvent>> {
      const { rows, more } = await fromStore(listRunEvents, runId, page);
      return { value: rows, more, stale: false };
    },
    /** The store notes beside this log how it ends, and what retention has removed before it begins. */
    async verifyRunEvents(runId: string): Promise<Read<RunReport>> {
      const { head, removed, newest } = await fromStore(runLogEnd, runId);
      const events = wholeLog(fromStore, runEventsIn, runId, newest);
      const progress = await checkedAsRead(runId, events, removed);
      const { intent_id: _run, ...report } = endCheck(progress, head);
      return { value: { ...report, run_id: runId, head_from: 'store' }, stale: false };
    },
  };
}
