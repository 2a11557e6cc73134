import type { Client } from '@temporalio/client';
import { outcomeOf } from './call.js';
import { READ_MS, inScope, limitOf, untilSo, withinDeadline } from './deadline.js';
import type { Clock } from './deadline.js';

/**
 * Waits, at most 2 s, until a workflow has been told that its child is over: what is read from it after that knows how
 * the child ended. It asks Temporal and not the workflow, which would be work for a worker. Resolves all the same if
 * nobody answers, or the workflow is over too.
 *
 * @throws what Temporal refuses for no known reason
 */
export function createFence(
  client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>,
  clock: Clock,
) {
  return async (workflowId: string, childId: string): Promise<void> => {
    const handle = client.workflow.getHandle(workflowId);
    const isTold = async (): Promise<boolean> => {
      const { raw } = await handle.describe();
      return !raw.pendingChildren?.some((child) => child.workflowId === childId);
    };
    const told = withinDeadline(clock, limitOf(clock, 'worker', READ_MS), (scope) =>
      untilSo(clock, scope.signal, () => inScope(client, scope, isTold)),
    );
    await outcomeOf(told);
  };
}
