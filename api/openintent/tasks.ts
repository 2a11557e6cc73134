import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import { jsonValueSchema, nameSchema } from '../../contracts/primitives.js';
import {
  createTaskRequestSchema,
  patchTaskRequestSchema,
  taskStatusSchema,
} from '../../contracts/task.js';
import type { Task } from '../../contracts/task.js';
import type { Gateway } from '../gateway/index.js';
import { versionOf } from './errors.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { idSchema, pageQuery } from './schemas.js';
import { naiveOrNull, naiveTime } from './wire.js';

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

/** A task's tools are names here; the scopes that the SDK gives with them are kept in its metadata. */
function withTools({ requires_tools: tools, metadata, ...request }: z.output<typeof createSchema>) {
  const requires_tools = tools.map(({ service }) => service);
  const isMore = tools.some((tool) => Object.keys(tool).length > 1);
  return {
    ...request,
    requires_tools,
    metadata: { ...metadata, ...(isMore && { [TOOLS]: tools }) },
  };
}

/** A task as the SDK parses it. */
function wireTask(task: Task) {
  const { created_at, updated_at, started_at, completed_at, waiting_claim } = task;
  const { [TOOLS]: tools, ...metadata } = task.metadata;
  return {
    ...task,
    metadata,
    requires_tools: tools ?? task.requires_tools.map((service) => ({ service })),
    waiting_claim: waiting_claim && { ...waiting_claim, since: naiveTime(waiting_claim.since) },
    created_at: naiveTime(created_at),
    updated_at: naiveTime(updated_at),
    started_at: naiveOrNull(started_at),
    completed_at: naiveOrNull(completed_at),
  };
}

/** Tasks (§10); a write sets any status, for this contract knows no transitions. */
export function taskRoutes(gateway: Gateway): readonly OpenIntentRoute[] {
  const task = '/tasks/:taskId';
  return [
    openIntentRoute({
      method: 'post',
      path: '/tasks',
      access: 'agent',
      body: createSchema,
      handle: async ({ req, body }) =>
        wireTask(await gateway.createTask(openIntentCaller(req), withTools(body))),
    }),
    openIntentRoute({
      method: 'get',
      path: task,
      access: 'any',
      handle: async ({ id }) => wireTask((await gateway.getTask(id('taskId'))).value),
    }),
    openIntentRoute({
      method: 'get',
      path: '/intents/:intentId/tasks',
      access: 'any',
      query: pageQuery.extend({ status: taskStatusSchema.optional() }),
      handle: async ({ id, query }) =>
        (await gateway.listTasks(id('intentId'), query)).value.map(wireTask),
    }),
    openIntentRoute({
      method: 'patch',
      path: task,
      access: 'agent',
      body: patchTaskRequestSchema,
      async handle({ req, id, body }) {
        const version = versionOf(req, 428);
        const options = { anyStatus: true };
        return wireTask(
          await gateway.patchTask(openIntentCaller(req), id('taskId'), version, body, options),
        );
      },
    }),
  ];
}
