import type { Task, TaskSummary } from '../../../contracts/plan/task.js';
import { listTasks as tasksOf } from '../../../store/queries/plan.js';
import type { TaskListOptions } from '../../../store/queries/plan.js';
import type { ListedForm, Read } from '../../parts/caller.js';
import { FIRST, READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { readable } from '../visibility.js';

export const getTask = useCase({
  name: 'getTask',
  resource: 'task',
  refusals: READ,
  async run(call: Call, taskId: string): Promise<Read<Task>> {
    return readable(call, 'getTask', call.parts.tasks.read(taskId));
  },
});

export const listTasks = useCase({
  name: 'listTasks',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run(
    { parts }: Call,
    intentId: string,
    page: TaskListOptions,
  ): Promise<ListedForm<Task, TaskSummary>> {
    return parts.tasks.listOf(tasksOf, intentId, page);
  },
});
