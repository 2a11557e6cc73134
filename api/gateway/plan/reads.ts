import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Plan } from '../../../contracts/plan.js';
import type { Task } from '../../../contracts/task.js';
import { isPlanOver } from '../../../domain/plan/plan.js';
import { isTaskOver } from '../../../domain/plan/task-state.js';
import { planQuery } from '../../../workflows/plan/messages.js';
import { taskQuery } from '../../../workflows/task/messages.js';
import type { RefusalError } from '../../errors.js';
import type { Clock } from '../calls/deadline.js';
import { isEntityId } from '../references.js';
import type { Ask } from '../calls/queries.js';
import type { Reads } from '../intent/reads.js';
import { readUnavailable, refused } from '../refusals.js';
import type { FromStore } from '../reads/store-reads.js';
import type { Gateway, Read } from '../types.js';
import { Versions } from '../reads/read-your-writes.js';

/** Reads of tasks and plans, and what this replica wrote of them. */
export interface PlanReads {
  readonly methods: Pick<Gateway, 'getTask' | 'getPlan' | 'listTasks' | 'listPlans'>;
  readonly tasks: Versions;
  readonly plans: Versions;
}

interface Deps {
  readonly ask: Ask;
  readonly clock: Clock;
  readonly fromStore: FromStore;
  readonly reads: Pick<Reads, 'getIntent'>;
}

/**
 * A workflow is asked first, then the store; lists are the store's. Throws `task_not_found`,
 * `plan_not_found` or `intent_not_found`, `workflow_unavailable` and `store_unavailable`.
 */
export function createPlanReads({ ask, clock, fromStore, reads }: Deps): PlanReads {
  const tasks = new Versions(clock, async (ids) => {
    const found = await fromStore((store) => store.findTasks(ids));
    return new Map(found.map(({ task }) => [task.id, task.version]));
  });
  const plans = new Versions(clock, async (ids) => {
    const found = await fromStore((store) => store.findPlans(ids));
    return new Map(found.map((plan) => [plan.id, plan.version]));
  });

  async function getTask(taskId: string): Promise<Read<Task>> {
    if (!isEntityId(taskId)) throw taskNotFound();
    const asked = await ask(workflowIdOf('task', taskId), taskQuery);
    if (asked.kind === 'found') return { value: asked.value, stale: false };
    const [copy] = await fromStore((store) => store.findTasks([taskId]));
    if (copy === undefined) throw asked.kind === 'missing' ? taskNotFound() : readUnavailable();
    return { value: copy.task, stale: asked.kind !== 'missing' || !isTaskOver(copy.task.status) };
  }

  async function getPlan(planId: string): Promise<Read<Plan>> {
    if (!isEntityId(planId)) throw planNotFound();
    const asked = await ask(workflowIdOf('plan', planId), planQuery);
    if (asked.kind === 'found') return { value: asked.value.plan, stale: false };
    const [copy] = await fromStore((store) => store.findPlans([planId]));
    if (copy === undefined) throw asked.kind === 'missing' ? planNotFound() : readUnavailable();
    return { value: copy, stale: asked.kind !== 'missing' || !isPlanOver(copy.state) };
  }

  const methods: PlanReads['methods'] = {
    getTask,
    getPlan,
    async listTasks(intentId, page) {
      await reads.getIntent(intentId);
      const caughtUp = await tasks.catchUp();
      const value = await fromStore((store) => store.listTasks(intentId, page));
      return { value, stale: !caughtUp };
    },
    async listPlans(intentId, page) {
      await reads.getIntent(intentId);
      const caughtUp = await plans.catchUp();
      const value = await fromStore((store) => store.listPlans(intentId, page));
      return { value, stale: !caughtUp };
    },
  };
  return { tasks, plans, methods };
}

function taskNotFound(): RefusalError {
  return refused('task_not_found', 'No task has this id.');
}

function planNotFound(): RefusalError {
  return refused('plan_not_found', 'No plan has this id.');
}
