import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities, Reconciled } from '../../activities/types.js';

const { reconcile } = proxyActivities<Pick<Activities, 'reconcile'>>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  summary: 'write what nobody wrote',
});

/**
 * Writes how questions have ended whose rows nobody wrote (docs/adr/0046). It begins where the last look of its schedule
 * ended, with what failed there, and the first one with all questions that the store shows as open.
 */
export async function reconciliation(): Promise<Reconciled> {
  const last = workflowInfo().lastResult as Reconciled | undefined;
  const { looked_until: since = null, failed: again } = last ?? {};
  return reconcile({ since, ...(again && { again }) });
}
