import type { Run } from './run.js';

/**
 * So many looks, 5 ms and more apart, in which nothing can happen and nobody asks for anything, tell that nothing will. A test may do
 * something else while it waits, so this is a guess; it is made in looks, which a busy machine makes more slowly.
 */
export const STANDSTILL_LOOKS = 6_000;

/** Nothing can happen any more, and somebody waits for something to happen. */
export class Standstill extends Error {
  /** @param runs - all of them */
  constructor(runs: readonly Run[]) {
    const waiting = runs.filter(({ isOpen }) => isOpen).map(describe);
    super(
      `nothing can happen any more: no timer runs, no activity is under way, and nobody sends anything.\n${waiting.join('\n')}`,
    );
  }
}

/** What an open run waits for. */
function describe({ start, hasTask, activities, children }: Run): string {
  const parts = [
    hasTask ? [`a worker on ${start.taskQueue}`] : [],
    [...activities.values()].map(
      ({ command, taskQueue }) => `a worker on ${taskQueue} for ${command.activityType ?? ''}`,
    ),
    [...children.values()].map(({ workflowId }) => `the end of ${workflowId}`),
  ].flat();
  return `${start.workflowId} waits for ${parts.join(', ') || 'messages'}`;
}
