import { z } from 'zod';
import {
  claimRequestSchema,
  createTaskRequestSchema,
  patchTaskRequestSchema,
  taskSchema,
} from '../../contracts/task.js';
import { jsonOf } from '../http/input.js';
import { taskPageSchema } from '../http/queries.js';
import { reply, staleness, versionTag } from '../http/reply.js';
import { TASKS } from '../operations/plan.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const taskListSchema = z.object({ tasks: z.array(taskSchema).readonly() });

/** Tasks: created, changed, claimed, read, and listed by their intent (RFC-0012 §6). */
export const TASK_ROUTES: readonly Route[] = [
  v1Route(TASKS.createTask, {
    method: 'post',
    path: '/tasks',
    summary: 'Creates a task of an intent, in a plan or in none',
    body: jsonOf(createTaskRequestSchema),
    replies: {
      201: { description: 'The task.', body: taskSchema, headers: ['ETag', 'Location'] },
    },
    async handle({ run, body }) {
      const task = await run(body);
      return reply(201, task, { ...versionTag(task), Location: `/v1/tasks/${task.id}` });
    },
  }),
  v1Route(TASKS.patchTask, {
    method: 'patch',
    path: '/tasks/:taskId',
    summary: 'Changes the status of a task, and what belongs to it',
    headers: ['If-Match'],
    body: jsonOf(patchTaskRequestSchema),
    replies: {
      200: { description: 'The task, one version on.', body: taskSchema, headers: ['ETag'] },
    },
    async handle({ run, params, headers, body }) {
      const task = await run(params.taskId, headers['If-Match'], body);
      return reply(200, task, versionTag(task));
    },
  }),
  v1Route(TASKS.claimTask, {
    method: 'post',
    path: '/tasks/:taskId/claim',
    summary: 'Takes a task that is ready; with `wait`, as soon as its inputs are there',
    body: jsonOf(claimRequestSchema),
    replies: {
      200: { description: 'The task, with its input.', body: taskSchema, headers: ['ETag'] },
      202: { description: 'The task; the claim waits.', body: taskSchema, headers: ['ETag'] },
    },
    async handle({ run, params, body }) {
      const { task, waits_for } = await run(params.taskId, body);
      return reply(waits_for === null ? 200 : 202, task, versionTag(task));
    },
  }),
  v1Route(TASKS.getTask, {
    method: 'get',
    path: '/tasks/:taskId',
    summary: 'Reads a task',
    replies: {
      200: { description: 'The task.', body: taskSchema, headers: ['ETag', 'Holdpoint-Stale'] },
    },
    async handle({ run, params }) {
      const read = await run(params.taskId);
      return reply(200, read.value, { ...versionTag(read.value), ...staleness(read) });
    },
  }),
  v1Route(TASKS.listTasks, {
    method: 'get',
    path: '/intents/:intentId/tasks',
    summary: 'Lists the tasks of an intent, oldest first',
    query: taskPageSchema,
    replies: {
      200: {
        description: 'A page of tasks.',
        body: taskListSchema,
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, params, query }) {
      const read = await run(params.intentId, query);
      return reply(200, { tasks: read.value }, staleness(read));
    },
  }),
];
