import {
  createPlanRequestSchema,
  createPhasedPlanRequestSchema,
  patchPlanRequestSchema,
  planSchema,
  planSummarySchema,
  phasedPlanViewSchema,
} from '../../contracts/plan/plan.js';
import { jsonOf } from '../http/input.js';
import { pageSchema, taskPageSchema } from '../http/queries.js';
import { createPlan, getPlan, listPlans, patchPlan } from '../usecases/plan/plans.js';
import { createWorkflow, getWorkflow } from '../usecases/plan/phased.js';
import { CREATED, PAGE, READ, VERSIONED, VERSIONED_CREATED, VERSIONED_READ } from './replies.js';
import { v1Route, type Route } from './route.js';
import {
  claimRequestSchema,
  createTaskRequestSchema,
  patchTaskRequestSchema,
  taskSchema,
  taskSummarySchema,
} from '../../contracts/plan/task.js';
import { reply, versionTag } from '../http/reply.js';
import { claimTask, createTask, getTask, listTasks, patchTask } from '../usecases/task/tasks.js';

/** Plans (RFC-0012 §6), and phased plans, which the paths call workflows (RFC-0024). */
export const PLAN_ROUTES: readonly Route[] = [
  v1Route(createPlan, 'POST /plans', {
    summary:
      'Creates a plan of tasks that exist, or that it defines; all faults are reported at once',
    headers: ['Idempotency-Key'],
    body: jsonOf(createPlanRequestSchema),
    replies: VERSIONED_CREATED.declare('The plan.', planSchema),
    async handle({ run, headers, body }) {
      const plan = await run(body, headers['Idempotency-Key']);
      return VERSIONED_CREATED.reply(plan, `/v1/plans/${plan.id}`);
    },
  }),
  v1Route(patchPlan, 'PATCH /plans/:planId', {
    summary: 'Activates, pauses or cancels a plan, adds tasks, or sets its next checkpoints',
    headers: ['If-Match'],
    body: jsonOf(patchPlanRequestSchema),
    keyed: true,
    replies: VERSIONED.declare('The plan.', planSchema),
    handle: async ({ run, params, headers, body }) =>
      VERSIONED.reply(await run(params.planId, headers['If-Match'], body)),
  }),
  v1Route(getPlan, 'GET /plans/:planId', {
    summary: 'Reads a plan; its progress names the suspended tasks',
    replies: VERSIONED_READ.declare('The plan.', planSchema),
    handle: async ({ run, params }) => VERSIONED_READ.reply(await run(params.planId)),
  }),
  v1Route(listPlans, 'GET /intents/:intentId/plans', {
    summary: 'Lists the plans of an intent, oldest first',
    query: pageSchema,
    replies: PAGE.declare('plans', planSummarySchema, 'A page of plans, in summary.'),
    handle: async ({ run, params, query }) =>
      PAGE.reply('plans', await run(params.intentId, query), query),
  }),
  v1Route(createWorkflow, 'POST /workflows', {
    summary: 'Creates a workflow: an intent and a task for each phase, and the plan of them',
    headers: ['Idempotency-Key'],
    body: jsonOf(createPhasedPlanRequestSchema),
    replies: CREATED.declare('The workflow.', phasedPlanViewSchema),
    async handle({ run, headers, body }) {
      const made = await run(body, headers['Idempotency-Key']);
      return CREATED.reply(made, `/v1/workflows/${made.id}`);
    },
  }),
  v1Route(getWorkflow, 'GET /workflows/:workflowId', {
    summary: 'Reads a workflow; its progress names the suspended phases',
    replies: READ.declare('The workflow.', phasedPlanViewSchema),
    handle: async ({ run, params }) => READ.reply(await run(params.workflowId)),
  }),
];

/** Tasks (RFC-0012 §6). */
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
