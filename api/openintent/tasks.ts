import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import { jsonValueSchema, nameSchema } from '../../contracts/kernel/primitives.js';
import {
  createTaskRequestSchema,
  patchTaskRequestSchema,
  taskStatusSchema,
} from '../../contracts/plan/task.js';
import type { Task } from '../../contracts/plan/task.js';
import type { Binding } from '../http/route.js';
import { createTask } from '../usecases/task/create.js';
import { getTask, listTasks } from '../usecases/task/read.js';
import { patchTask } from '../usecases/task/write.js';
import { openIntentList, openIntentRoute } from './route.js';
import { idSchema, pageQuery } from './schemas.js';
import { withNaiveTimes } from './wire.js';

const TOOLS = 'requires_tools';
const toolSchema = z.union([
  nameSchema.transform((service) => ({ service })),
  z.object({ service: nameSchema }).catchall(jsonValueSchema),
]);
const createSchema = createTaskRequestSchema.extend({
  intent_id: idSchema,
  plan_id: idSchema.nullish(),
  depends_on: z.array(idSchema).max(LIMITS.planTasks).default([]),
  [TOOLS]: z.array(toolSchema).max(LIMITS.listedNames).default([]),
});

/** Returns the request with the names of its tools; their scopes, which the SDK sends, go to the metadata. */
function withTools({ requires_tools: tools, metadata, ...request }: z.output<typeof createSchema>) {
  const requires_tools = tools.map(({ service }) => service);
  const isMore = tools.some((tool) => Object.keys(tool).length > 1);
  return {
    ...request,
    requires_tools,
    metadata: { ...metadata, ...(isMore && { [TOOLS]: tools }) },
  };
}

/** Returns a task as the SDK parses it. */
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
    body: createSchema,
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
