import assert from 'node:assert/strict';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { testBundle } from './temporal-test-server.js';

const LOOKS = 2_000;

/** The kinds of a workflow's history events in order, such as `activityTaskScheduled`. */
export async function eventKinds(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).map((event) => {
    const attributes = Object.keys(event).find((key) => key.endsWith('EventAttributes'));
    return (attributes ?? 'unknown').replace('EventAttributes', '');
  });
}

/** Waits until so many events of a kind have happened, and the workflow has taken them in. */
export async function settledAfter(
  handle: WorkflowHandle,
  kind: string,
  count: number,
): Promise<void> {
  let kinds: string[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    kinds = await eventKinds(handle);
    const last = kinds.lastIndexOf(kind);
    const happened = kinds.filter((one) => one === kind).length === count;
    const task = kinds.lastIndexOf('workflowTaskCompleted');
    if (happened && task >= last && kinds.lastIndexOf('workflowTaskScheduled') < task) return;
  }
  assert.fail(`not ${count} ${kind} that were taken in: ${kinds.join(', ')}`);
}

/** Replays the workflow's whole history; rejects where it does not fit the code. */
export async function replay(handle: WorkflowHandle): Promise<void> {
  const options = { workflowBundle: await testBundle() };
  await Worker.runReplayHistory(options, await handle.fetchHistory(), handle.workflowId);
}
