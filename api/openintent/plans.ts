import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import {
  createPlanRequestSchema,
  patchPlanRequestSchema,
  type Plan,
} from '../../contracts/plan/plan.js';
import type { Binding } from '../http/route.js';
import { createPlan, getPlan, listPlans, patchPlan } from '../usecases/plan/plans.js';
import { openIntentList, openIntentRoute } from './route.js';
import { idSchema, pageQuery } from './schemas.js';
import { withNaiveTimes } from './wire.js';
import { jsonValueSchema, nameSchema } from '../../contracts/kernel/primitives.js';
import {
  createTaskRequestSchema,
  patchTaskRequestSchema,
  taskStatusSchema,
  type Task,
} from '../../contracts/plan/task.js';
import { createTask, getTask, listTasks, patchTask } from '../usecases/task/tasks.js';

const tasks = z.array(idSchema).max(LIMITS.planTasks);
const createSchema = createPlanRequestSchema.omit({ state: true, types: true }).extend({
  intent_id: idSchema,
  tasks: tasks.default([]),
});
const patchSchema = patchPlanRequestSchema.extend({ tasks: tasks.optional() });

/** Returns a plan as the SDK parses it; a checkpoint also has its approver under the name of the SDK. */
function wirePlan(plan: Plan) {
  const { progress, checkpoints } = plan;
  const suspended_tasks = progress.suspended_tasks.map((one) =>
    withNaiveTimes(one, ['suspended_since', 'expires_at']),
  );
  return {
    ...withNaiveTimes(plan, ['created_at', 'updated_at']),
    checkpoints: checkpoints.map((one) => ({ ...one, approved_by: one.decided_by })),
    progress: { ...progress, suspended_tasks },
  };
}

/** Plans of existing tasks; each begins as a draft. */
export const PLAN_ROUTES: readonly Binding[] = [
  openIntentRoute(createPlan, 'POST /plans', {
    body: createSchema,
    handle: async ({ run, body }) =>
      wirePlan(await run({ ...body, types: {}, state: 'draft' }, undefined, 'warned_of')),
  }),
  openIntentRoute(getPlan, 'GET /plans/:planId', {
    handle: async ({ run, id }) => wirePlan((await run(id('planId'))).value),
  }),
  openIntentList(listPlans, 'plans', wirePlan),
  openIntentRoute(patchPlan, 'PATCH /plans/:planId', {
    body: patchSchema,
    ifMatch: 428,
    handle: async ({ run, id, version, body }) =>
      wirePlan(await run(id('planId'), version, body, 'warned_of')),
  }),
];

const TOOLS = 'requires_tools';
const toolSchema = z.union([
  nameSchema.transform((service) => ({ service })),
  z.object({ service: nameSchema }).catchall(jsonValueSchema),
]);
const taskSchema = createTaskRequestSchema.extend({
  intent_id: idSchema,
  plan_id: idSchema.nullish(),
  depends_on: z.array(idSchema).max(LIMITS.planTasks).default([]),
  [TOOLS]: z.array(toolSchema).max(LIMITS.listedNames).default([]),
});

/** Returns the request with the names of its tools; their scopes, which the SDK sends, go to the metadata. */
function withTools({ requires_tools: tools, metadata, ...request }: z.output<typeof taskSchema>) {
  const requires_tools = tools.map(({ service }) => service);
  const isMore = tools.some((tool) => Object.keys(tool).length > 1);
  return {
    ...request,
    requires_tools,
    metadata: { ...metadata, ...(isMore && { [TOOLS]: tools }) },
  };
}

function wireTask(task: Task) {
  const { waiting_claim } = task;
  const { [TOOLS]: tools, ...metadata } = task.metadata;
  return {
    ...withNaiveTimes(task, ['created_at', 'updated_at', 'started_at', 'completed_at']),
    metadata,
    requires_tools: tools ?? task.requires_tools.map((service) => ({ service })),
    waiting_claim: waiting_claim && withNaiveTimes(waiting_claim, ['since']),
  };
}

const taskQuery = pageQuery.extend({ status: taskStatusSchema.optional() });

/** Tasks. A write sets any status, for the OpenIntent protocol has no transitions. */
export const TASK_ROUTES: readonly Binding[] = [
  openIntentRoute(createTask, 'POST /tasks', {
    body: taskSchema,
    handle: async ({ run, body }) => wireTask(await run(withTools(body))),
  }),
  openIntentRoute(getTask, 'GET /tasks/:taskId', {
    handle: async ({ run, id }) => wireTask((await run(id('taskId'))).value),
  }),
  openIntentList(listTasks, 'tasks', wireTask, taskQuery),
  openIntentRoute(patchTask, 'PATCH /tasks/:taskId', {
    body: patchTaskRequestSchema,
    ifMatch: 428,
    handle: async ({ run, id, version, body }) =>
      wireTask(await run(id('taskId'), version, body, { anyStatus: true })),
  }),
];
