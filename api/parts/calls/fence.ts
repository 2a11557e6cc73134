import type { Client } from '@temporalio/client';
import { inSpaceOf } from '../../../contracts/constants/names.js';
import { outcomeOf } from './call.js';
import { READ_MS, WRITE_MS, inScope, limitOf, untilSo, withinDeadline } from './deadline.js';
import type { Clock } from './deadline.js';

interface To {
  readonly client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>;
  readonly clock: Clock;
  readonly space: string;
}

/**
 * Waits until a workflow knows that its child is over: what is read from it after that knows how the child ended. It asks
 * Temporal and not the workflow, which would be work for a worker. Whoever waits for the same shares the looks. Resolves all the same if nobody
 * answers, or the workflow is over too.
 */
export function createFence({ client, clock, space }: To) {
  /** Those that are waited for, by parent and child. */
  const looking = new Map<string, Promise<unknown>>();

  function look(workflowId: string, child: string): Promise<unknown> {
    const childId = inSpaceOf(child, space);
    const key = JSON.stringify([workflowId, childId]);
    const shared = looking.get(key);
    if (shared) return shared;
    // The parent is named by its child, as Temporal has it.
    const handle = client.workflow.getHandle(workflowId);
    const isTold = async (): Promise<boolean> => {
      const { raw } = await handle.describe();
      return !raw.pendingChildren?.some((one) => one.workflowId === childId);
    };
    const told = withinDeadline(clock, limitOf(clock, 'worker', WRITE_MS), (scope) =>
      untilSo(clock, scope.signal, () => inScope(client, scope, isTold)),
    );
    const looks = outcomeOf(told).finally(() => looking.delete(key));
    looking.set(key, looks);
    return looks;
  }

  return {
    /** Waits at most 2 s. Throws what Temporal refuses for no known reason. */
    async told(workflowId: string, child: string): Promise<void> {
      const ms = limitOf(clock, 'worker', READ_MS);
      await outcomeOf(withinDeadline(clock, ms, () => look(workflowId, child)));
    },

    /** Waits at most 10 s. Throws the same. */
    taken: look,
  };
}
