import type { Plan, PlanSummary } from '../../../contracts/plan.js';
import type { Task, TaskSummary } from '../../../contracts/task.js';
import { isPlanOver } from '../../../domain/plan/plan.js';
import { isTaskOver } from '../../../domain/plan/task-state.js';
import { findPlans, findTasks, listPlans, listTasks } from '../../../store/queries/plan.js';
import type { TaskListOptions } from '../../../store/queries/plan.js';
import { planQuery } from '../../../workflows/plan/messages.js';
import { taskQuery } from '../../../workflows/task/messages.js';
import type { ListedForm, Page } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { createLiveRead } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import type { Reads } from '../intent/reads.js';
import { listAfter } from '../reads/from-store.js';
import type { FromStore, GatewayLog } from '../reads/from-store.js';
import { ReadYourWrites } from '../reads/read-your-writes.js';
import type { SpaceMemory } from '../reads/write-memory.js';

/** Reads of tasks and plans, and what this replica wrote of them. */
export type PlanReads = ReturnType<typeof createPlanReads>;

interface Versioned {
  readonly id: string;
  readonly version: number;
}

interface Deps {
  readonly temporal: Pick<Temporal, 'query'>;
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly fromStore: FromStore;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly memory: { readonly tasks: SpaceMemory<number>; readonly plans: SpaceMemory<number> };
}

/**
 * A workflow is asked first, then the store; lists are the store's. Throws `task_not_found`,
 * `plan_not_found` or `intent_not_found`, `workflow_unavailable` and `store_unavailable`.
 */
export function createPlanReads({ temporal, clock, log, fromStore, reads, memory }: Deps) {
  const tasks = createVersions({ clock, log, memory: memory.tasks }, async (ids) => {
    const found = await fromStore(findTasks, ids);
    return found.map(({ task }) => task);
  });
  const plans = createVersions({ clock, log, memory: memory.plans }, (ids) =>
    fromStore(findPlans, ids),
  );

  const getTask = createLiveRead(
    { temporal, fromStore },
    {
      type: 'task',
      query: taskQuery,
      view: (task) => task,
      stored: async (id) => (await fromStore(findTasks, [id]))[0]?.task,
      isOver: ({ status }) => isTaskOver(status),
      mayBeRemoved: ({ status }) => isTaskOver(status) || status === 'failed',
    },
  );
  const getPlan = createLiveRead(
    { temporal, fromStore },
    {
      type: 'plan',
      query: planQuery,
      view: ({ plan }) => plan,
      stored: async (id) => (await fromStore(findPlans, [id]))[0],
      isOver: ({ state }) => isPlanOver(state),
    },
  );
  const methods = {
    getTask,
    getPlan,
    async listTasks(
      intentId: string,
      page: TaskListOptions,
    ): Promise<ListedForm<Task, TaskSummary>> {
      await reads.getIntent(intentId);
      return listAfter(tasks.catchUp(), () => fromStore(listTasks, intentId, page));
    },
    async listPlans(intentId: string, page: Page): Promise<ListedForm<Plan, PlanSummary>> {
      await reads.getIntent(intentId);
      return listAfter(plans.catchUp(), () => fromStore(listPlans, intentId, page));
    },
  };
  return { tasks, plans, methods };
}

/** Remembers which versions of tasks or plans this replica wrote, for lists of them. */
export function createVersions(
  deps: Pick<Deps, 'clock' | 'log'> & { readonly memory: SpaceMemory<number> },
  find: (ids: readonly string[]) => Promise<readonly Versioned[]>,
): ReadYourWrites<number> {
  return new ReadYourWrites<number>(deps, {
    missing: async (wanted) => {
      const found = await find([...wanted.keys()]);
      const stored = new Map(found.map(({ id, version }) => [id, version]));
      return [...wanted].flatMap(([id, version]) => ((stored.get(id) ?? 0) < version ? [id] : []));
    },
  });
}
