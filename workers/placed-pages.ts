import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import type { WaitingKey } from '../store/queries/unsettled.js';
import type { Place } from '../activities/ports/reconciliation.js';
import { inTime } from './calls.js';

/** The size of a page: few enough for one transaction, and for one list of ids in a query. */
export const PAGE = 200;

/** The rows of the store, page by page, each read after the last key of the page before. */
export async function* pagesFrom<Row extends WaitingKey>(
  read: (page: { readonly limit: number; readonly after?: WaitingKey }) => Promise<readonly Row[]>,
  place?: Place,
): AsyncIterable<readonly Row[]> {
  let after = place?.after === undefined ? undefined : keyIn(place.after);
  do {
    const page = await read({ limit: PAGE, ...(after && { after }) });
    if (page.length > 0) yield page;
    after = page.at(-1);
    if (after) place?.reached(JSON.stringify([after.asked_at, after.id]));
  } while (after);
}

function keyIn(after: string): WaitingKey {
  const [asked_at = '', id = ''] = JSON.parse(after) as readonly string[];
  return { asked_at, id, space: '' };
}

/** Returns how a workflow has ended; undefined while it runs. `completed` reads its result, within the same deadline. */
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
