import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import type { PlacedQuestion } from '../activities/dependencies.js';
import { inTime } from './in-time.js';

/** Few enough for one transaction, and for one list of ids in a query. */
export const PAGE = 200;

/** What the store has, page by page, each read after the key with which the one before ended. */
export async function* pagesFrom<Key extends PlacedQuestion>(
  read: (page: { readonly limit: number; readonly after?: Key }) => Promise<readonly Key[]>,
): AsyncIterable<readonly Key[]> {
  let after: Key | undefined;
  do {
    const page = await read({ limit: PAGE, ...(after && { after }) });
    if (page.length > 0) yield page;
    after = page.at(-1);
  } while (after);
}

/** How a workflow has ended; undefined while it runs. What it completed with is read by `completed`, in the same time. */
export async function endOfWorkflow<Completed>(
  handle: Pick<WorkflowHandle, 'client' | 'describe'>,
  completed: () => Promise<Completed>,
): Promise<Completed | { readonly kind: 'gone' | 'missing' } | undefined> {
  try {
    return await inTime(handle.client, async () => {
      const { status } = await handle.describe();
      if (status.name === 'RUNNING') return undefined;
      return status.name === 'COMPLETED' ? completed() : { kind: 'gone' };
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { kind: 'missing' };
    throw error;
  }
}
