import type { WorkflowClient, WorkflowHandle } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type HistoryEvent = NonNullable<History['events']>[number];

const PATIENCE = 90;
/** So many looks come right after each other. */
const AT_ONCE = 30;
const BETWEEN_LOOKS_MS = 10;

const TASK_ENDS = [
  'workflowTaskCompletedEventAttributes',
  'workflowTaskFailedEventAttributes',
  'workflowTaskTimedOutEventAttributes',
] as const;
const ACTIVITY_ENDS = [
  'activityTaskCompletedEventAttributes',
  'activityTaskCanceledEventAttributes',
  'activityTaskFailedEventAttributes',
] as const;
const CHILD_ENDS = [
  'childWorkflowExecutionCompletedEventAttributes',
  'childWorkflowExecutionFailedEventAttributes',
  'childWorkflowExecutionCanceledEventAttributes',
  'childWorkflowExecutionTimedOutEventAttributes',
  'childWorkflowExecutionTerminatedEventAttributes',
] as const;
const RUN_ENDS = [
  'workflowExecutionCompletedEventAttributes',
  'workflowExecutionFailedEventAttributes',
  'workflowExecutionCanceledEventAttributes',
  'workflowExecutionTimedOutEventAttributes',
  'workflowExecutionTerminatedEventAttributes',
  'workflowExecutionContinuedAsNewEventAttributes',
] as const;

/**
 * Waits until no task of the workflow is under way and it has heard of each child that is over, and gives up waiting for
 * what does not come. The time-skipping server no longer skips once a Query has met a task: ask it when there is none.
 */
export async function calm(handle: Pick<WorkflowHandle, 'client' | 'fetchHistory'>): Promise<void> {
  for (let look = 0; look < PATIENCE; look += 1) {
    const events = (await handle.fetchHistory()).events ?? [];
    const count = (...keys: (keyof HistoryEvent)[]) =>
      events.filter((event) => keys.some((key) => event[key])).length;
    const tasks = count('workflowTaskScheduledEventAttributes') - count(...TASK_ENDS);
    const activities = count('activityTaskScheduledEventAttributes') - count(...ACTIVITY_ENDS);
    const isAtRest = tasks <= 0 && activities <= 0;
    const isOver = count(...RUN_ENDS) > 0;
    if (isAtRest && (isOver || !(await hasUnheardChild(handle.client, events)))) return;
    if (look >= AT_ONCE) await pause(BETWEEN_LOOKS_MS);
  }
}

/** Whether a child is over, and the event that says so is still on its way. */
async function hasUnheardChild(
  client: WorkflowClient,
  events: readonly HistoryEvent[],
): Promise<boolean> {
  const idsOf = (
    key: (typeof CHILD_ENDS)[number] | 'childWorkflowExecutionStartedEventAttributes',
  ) => events.flatMap((event) => event[key]?.workflowExecution?.workflowId ?? []);
  const heard = new Set(CHILD_ENDS.flatMap(idsOf));
  const open = idsOf('childWorkflowExecutionStartedEventAttributes').filter((id) => !heard.has(id));
  const children = await Promise.all(open.map((id) => client.getHandle(id).describe()));
  return children.some(({ status }) => status.name !== 'RUNNING');
}
