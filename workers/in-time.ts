import type { WorkflowClient } from '@temporalio/client';

/** Longer than a server and a worker that run take, and within what the activities that call have. Milliseconds. */
const CALL_MS = 10_000;

/**
 * Makes calls to Temporal, which fail together after 10 s: without a deadline a server that takes them and never replies
 * holds the activity that calls for ever, and its place in the worker.
 */
export function inTime<T>(
  workflow: Pick<WorkflowClient, 'withDeadline'>,
  call: () => Promise<T>,
): Promise<T> {
  return workflow.withDeadline(Date.now() + CALL_MS, call);
}

/** What a list gives, each step of which may take as long as a call: it reads a page when it needs one. */
export async function* eachInTime<T>(
  workflow: Pick<WorkflowClient, 'withDeadline'>,
  list: AsyncIterable<T>,
): AsyncIterable<T> {
  const steps = list[Symbol.asyncIterator]();
  for (;;) {
    const step = await inTime(workflow, () => steps.next());
    if (step.done === true) return;
    yield step.value;
  }
}
