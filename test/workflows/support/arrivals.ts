import type { WorkflowHandle } from '@temporalio/client';

/** So many calls, one after the other, take longer than one that was sent before them. */
const CALLS = 25;

/** Waits until the server has what was sent to it without awaiting the answer: a worker gets it before what is sent next. */
export async function arrived(handle: Pick<WorkflowHandle, 'describe'>): Promise<void> {
  for (let call = 0; call < CALLS; call += 1) await handle.describe();
}
