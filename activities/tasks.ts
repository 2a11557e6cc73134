import type { TaskNews } from '../contracts/task.js';
import type { Activities } from './types.js';

export interface TaskPorts {
  /** What the store has of tasks, those that it has. */
  readonly read: (taskIds: readonly string[]) => Promise<readonly TaskNews[]>;
}

/** Reads tasks whose workflow has ended; a store that is away is tried again by the workflow. */
export function createTaskActivities({ read }: TaskPorts): Pick<Activities, 'readTasks'> {
  return { readTasks: (taskIds) => read(taskIds) };
}
