import { z } from 'zod';
import {
  claimRequestSchema,
  createTaskRequestSchema,
  patchTaskRequestSchema,
  taskSchema,
} from '../../contracts/task.js';
import type { Gateway } from '../gateway/index.js';
import { jsonOf } from '../http/input.js';
import { callerOf } from '../http/keys-and-roles.js';
import { taskPageSchema } from '../http/queries.js';
import { reply, staleness, versionTag } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { PLAN_EXAMPLES } from '../openapi/plan-examples.js';

const taskListSchema = z.object({ tasks: z.array(taskSchema).readonly() });
const TASK = '/tasks/:taskId';
const READ_ERRORS = ['workflow_unavailable', 'store_unavailable'] as const;
const WRITE_ERRORS = [
  'wrong_agent',
  'task_claimed',
  'invalid_transition',
  'moving',
  'upstream_intent_suspended',
  'unresolvable_input',
  ...READ_ERRORS,
] as const;
const BODY = { body: taskSchema, example: PLAN_EXAMPLES.task } as const;

function readRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: TASK,
      id: 'getTask',
      access: 'any',
      summary: 'Reads a task',
      replies: {
        200: { description: 'The task.', ...BODY, headers: ['ETag', 'Holdpoint-Stale'] },
      },
      errors: READ_ERRORS,
      async handle({ params }) {
        const read = await gateway.getTask(params.taskId);
        return reply(200, read.value, { ...versionTag(read.value), ...staleness(read) });
      },
    }),
    defineRoute({
      method: 'get',
      path: '/intents/:intentId/tasks',
      id: 'listTasks',
      access: 'any',
      summary: 'Lists the tasks of an intent, oldest first',
      query: taskPageSchema,
      replies: {
        200: {
          description: 'A page of tasks.',
          body: taskListSchema,
          example: { tasks: [PLAN_EXAMPLES.task] },
          headers: ['Holdpoint-Stale'],
        },
      },
      errors: READ_ERRORS,
      async handle({ params, query }) {
        const read = await gateway.listTasks(params.intentId, query);
        return reply(200, { tasks: read.value }, staleness(read));
      },
    }),
  ];
}

function writeRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/tasks',
      id: 'createTask',
      access: 'agent',
      summary: 'Creates a task of an intent, in a plan or in none',
      body: jsonOf(createTaskRequestSchema, PLAN_EXAMPLES.newTask),
      replies: { 201: { description: 'The task.', ...BODY, headers: ['ETag', 'Location'] } },
      errors: [
        'intent_not_found',
        'task_not_found',
        'plan_not_found',
        'intent_closed',
        'invalid_plan',
        'invalid_transition',
        'state_too_large',
        'moving',
        ...READ_ERRORS,
      ],
      async handle({ req, body }) {
        const task = await gateway.createTask(callerOf(req), body);
        return reply(201, task, { ...versionTag(task), Location: `/v1/tasks/${task.id}` });
      },
    }),
    defineRoute({
      method: 'patch',
      path: TASK,
      id: 'patchTask',
      access: 'agent',
      summary: 'Changes the status of a task, and what belongs to it',
      headers: ['If-Match'],
      body: jsonOf(patchTaskRequestSchema, { status: 'completed', output: { approved: true } }),
      replies: { 200: { description: 'The task, one version on.', ...BODY, headers: ['ETag'] } },
      errors: [
        'version_conflict',
        'intent_suspended',
        'missing_output',
        'output_type_mismatch',
        'state_too_large',
        ...WRITE_ERRORS,
      ],
      async handle({ req, params, headers, body }) {
        const version = headers['If-Match'];
        const task = await gateway.patchTask(callerOf(req), params.taskId, version, body);
        return reply(200, task, versionTag(task));
      },
    }),
    defineRoute({
      method: 'post',
      path: `${TASK}/claim`,
      id: 'claimTask',
      access: 'agent',
      summary: 'Takes a task that is ready; with `wait`, as soon as its inputs are there',
      body: jsonOf(claimRequestSchema, { wait: false }),
      replies: {
        200: { description: 'The task, with its input.', ...BODY, headers: ['ETag'] },
        202: { description: 'The task; the claim waits.', ...BODY, headers: ['ETag'] },
      },
      errors: WRITE_ERRORS,
      async handle({ req, params, body }) {
        const { task, waits_for } = await gateway.claimTask(callerOf(req), params.taskId, body);
        return reply(waits_for === null ? 200 : 202, task, versionTag(task));
      },
    }),
  ];
}

/** `POST /tasks`, `GET` and `PATCH /tasks/{id}`, `…/claim` (RFC-0012 §6) and `GET /intents/{id}/tasks`. */
export function taskRoutes(gateway: Gateway): readonly Route[] {
  return [...writeRoutes(gateway), ...readRoutes(gateway)];
}
