import {
  claimRequestSchema,
  createTaskRequestSchema,
  patchTaskRequestSchema,
  taskSchema,
  taskSummarySchema,
} from '../../contracts/plan/task.js';
import { jsonOf } from '../http/input.js';
import { taskPageSchema } from '../http/queries.js';
import { reply, versionTag } from '../http/reply.js';
import { createTask } from '../usecases/task/create.js';
import { getTask, listTasks } from '../usecases/task/read.js';
import { claimTask, patchTask } from '../usecases/task/write.js';
import { PAGE, VERSIONED, VERSIONED_CREATED, VERSIONED_READ } from './replies.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

/** Tasks: created, changed, claimed, read, and listed by their intent (RFC-0012 §6). */
export const TASK_ROUTES: readonly Route[] = [
  v1Route(createTask, 'POST /tasks', {
    summary: 'Creates a task of an intent, in a plan or in none',
    headers: ['Idempotency-Key'],
    body: jsonOf(createTaskRequestSchema),
    keyed: true,
    replies: VERSIONED_CREATED.declare('The task.', taskSchema),
    async handle({ run, headers, body }) {
      const task = await run(body, headers['Idempotency-Key']);
      return VERSIONED_CREATED.reply(task, `/v1/tasks/${task.id}`);
    },
  }),
  v1Route(patchTask, 'PATCH /tasks/:taskId', {
    summary: 'Changes the status of a task, and what belongs to it',
    headers: ['If-Match'],
    body: jsonOf(patchTaskRequestSchema),
    keyed: true,
    replies: VERSIONED.declare('The task, one version on.', taskSchema),
    handle: async ({ run, params, headers, body }) =>
      VERSIONED.reply(await run(params.taskId, headers['If-Match'], body)),
  }),
  v1Route(claimTask, 'POST /tasks/:taskId/claim', {
    summary: 'Takes a task that is ready; with `wait`, as soon as its inputs are there',
    body: jsonOf(claimRequestSchema),
    keyed: true,
    replies: {
      200: { description: 'The task, with its input.', body: taskSchema, headers: ['ETag'] },
      202: { description: 'The task; the claim waits.', body: taskSchema, headers: ['ETag'] },
    },
    async handle({ run, params, body }) {
      const { task, waits_for } = await run(params.taskId, body);
      return reply(waits_for === null ? 200 : 202, task, versionTag(task));
    },
  }),
  v1Route(getTask, 'GET /tasks/:taskId', {
    summary: 'Reads a task',
    replies: VERSIONED_READ.declare('The task.', taskSchema),
    handle: async ({ run, params }) => VERSIONED_READ.reply(await run(params.taskId)),
  }),
  v1Route(listTasks, 'GET /intents/:intentId/tasks', {
    summary: 'Lists the tasks of an intent, oldest first',
    query: taskPageSchema,
    replies: PAGE.declare(
      'tasks',
      taskSummarySchema,
      'A page of tasks, without what goes in and comes out.',
    ),
    handle: async ({ run, params, query }) =>
      PAGE.reply('tasks', await run(params.intentId, query), query),
  }),
];
