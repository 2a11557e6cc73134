import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Plan } from '../../../contracts/plan.js';
import type { Task } from '../../../contracts/task.js';
import { isPlanOver } from '../../../domain/plan/plan.js';
import { isTaskOver } from '../../../domain/plan/task-state.js';
import { findPlans, findTasks, listPlans, listTasks } from '../../../store/queries/plan.js';
import type { TaskListOptions } from '../../../store/queries/plan.js';
import { planQuery } from '../../../workflows/plan/messages.js';
import { taskQuery } from '../../../workflows/task/messages.js';
import type { RefusalError } from '../../errors.js';
import type { Page, Read } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { isEntityId } from '../references.js';
import type { Temporal } from '../calls/temporal.js';
import type { Reads } from '../intent/reads.js';
import { readUnavailable, refused } from '../refusals.js';
import type { FromStore, GatewayLog } from '../reads/from-store.js';
import { ReadYourWrites } from '../reads/read-your-writes.js';

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
}

/**
 * A workflow is asked first, then the store; lists are the store's. Throws `task_not_found`,
 * `plan_not_found` or `intent_not_found`, `workflow_unavailable` and `store_unavailable`.
 */
export function createPlanReads({ temporal, clock, log, fromStore, reads }: Deps) {
  const tasks = createVersions({ clock, log }, async (ids) => {
    const found = await fromStore(findTasks, ids);
    return found.map(({ task }) => task);
  });
  const plans = createVersions({ clock, log }, (ids) => fromStore(findPlans, ids));

  async function getTask(taskId: string): Promise<Read<Task>> {
    if (!isEntityId(taskId)) throw taskNotFound();
    const asked = await temporal.query(workflowIdOf('task', taskId), taskQuery);
    if (asked.kind === 'done') return { value: asked.value, stale: false };
    const [copy] = await fromStore(findTasks, [taskId]);
    if (copy === undefined) throw asked.kind === 'gone' ? taskNotFound() : readUnavailable();
    return { value: copy.task, stale: asked.kind !== 'gone' || !isTaskOver(copy.task.status) };
  }

  async function getPlan(planId: string): Promise<Read<Plan>> {
    if (!isEntityId(planId)) throw planNotFound();
    const asked = await temporal.query(workflowIdOf('plan', planId), planQuery);
    if (asked.kind === 'done') return { value: asked.value.plan, stale: false };
    const [copy] = await fromStore(findPlans, [planId]);
    if (copy === undefined) throw asked.kind === 'gone' ? planNotFound() : readUnavailable();
    return { value: copy, stale: asked.kind !== 'gone' || !isPlanOver(copy.state) };
  }

  const methods = {
    getTask,
    getPlan,
    async listTasks(intentId: string, page: TaskListOptions): Promise<Read<readonly Task[]>> {
      await reads.getIntent(intentId);
      const caughtUp = await tasks.catchUp();
      const value = await fromStore(listTasks, intentId, page);
      return { value, stale: !caughtUp };
    },
    async listPlans(intentId: string, page: Page): Promise<Read<readonly Plan[]>> {
      await reads.getIntent(intentId);
      const caughtUp = await plans.catchUp();
      const value = await fromStore(listPlans, intentId, page);
      return { value, stale: !caughtUp };
    },
  };
  return { tasks, plans, methods };
}

/** Remembers which versions of tasks or plans this replica wrote, for lists of them. */
export function createVersions(
  deps: Pick<Deps, 'clock' | 'log'>,
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

function taskNotFound(): RefusalError {
  return refused('task_not_found', 'No task has this id.');
}

function planNotFound(): RefusalError {
  return refused('plan_not_found', 'No plan has this id.');
}
