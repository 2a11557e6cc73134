import { z } from 'zod';
import {
  createPlanRequestSchema,
  createPhasedPlanRequestSchema,
  patchPlanRequestSchema,
  planSchema,
  phasedPlanViewSchema,
} from '../../contracts/plan.js';
import { jsonOf } from '../http/input.js';
import { pageSchema } from '../http/queries.js';
import { reply, staleness, versionTag } from '../http/reply.js';
import { PHASED_PLANS, PLANS } from '../operations/plan.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const planListSchema = z.object({ plans: z.array(planSchema).readonly() });

/** Plans (RFC-0012 §6), and phased plans, which the paths call workflows (RFC-0024). */
export const PLAN_ROUTES: readonly Route[] = [
  v1Route(PLANS.createPlan, {
    method: 'post',
    path: '/plans',
    summary: 'Creates a plan of tasks that exist, or that it defines; all faults are told',
    headers: ['Idempotency-Key'],
    body: jsonOf(createPlanRequestSchema),
    replies: {
      201: { description: 'The plan.', body: planSchema, headers: ['ETag', 'Location'] },
    },
    async handle({ run, headers, body }) {
      const plan = await run(body, headers['Idempotency-Key']);
      return reply(201, plan, { ...versionTag(plan), Location: `/v1/plans/${plan.id}` });
    },
  }),
  v1Route(PLANS.patchPlan, {
    method: 'patch',
    path: '/plans/:planId',
    summary: 'Activates, pauses or cancels a plan, adds tasks, or sets its next checkpoints',
    headers: ['If-Match'],
    body: jsonOf(patchPlanRequestSchema),
    replies: { 200: { description: 'The plan.', body: planSchema, headers: ['ETag'] } },
    async handle({ run, params, headers, body }) {
      const plan = await run(params.planId, headers['If-Match'], body);
      return reply(200, plan, versionTag(plan));
    },
  }),
  v1Route(PLANS.getPlan, {
    method: 'get',
    path: '/plans/:planId',
    summary: 'Reads a plan; its progress names the suspended tasks',
    replies: {
      200: { description: 'The plan.', body: planSchema, headers: ['ETag', 'Holdpoint-Stale'] },
    },
    async handle({ run, params }) {
      const read = await run(params.planId);
      return reply(200, read.value, { ...versionTag(read.value), ...staleness(read) });
    },
  }),
  v1Route(PLANS.listPlans, {
    method: 'get',
    path: '/intents/:intentId/plans',
    summary: 'Lists the plans of an intent, oldest first',
    query: pageSchema,
    replies: {
      200: {
        description: 'A page of plans.',
        body: planListSchema,
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, params, query }) {
      const read = await run(params.intentId, query);
      return reply(200, { plans: read.value }, staleness(read));
    },
  }),
  v1Route(PHASED_PLANS.createWorkflow, {
    method: 'post',
    path: '/workflows',
    summary: 'Creates a workflow: an intent and a task for each phase, and the plan of them',
    headers: ['Idempotency-Key'],
    body: jsonOf(createPhasedPlanRequestSchema),
    replies: {
      201: { description: 'The workflow.', body: phasedPlanViewSchema, headers: ['Location'] },
    },
    async handle({ run, headers, body }) {
      const made = await run(body, headers['Idempotency-Key']);
      return reply(201, made, { Location: `/v1/workflows/${made.id}` });
    },
  }),
  v1Route(PHASED_PLANS.getWorkflow, {
    method: 'get',
    path: '/workflows/:workflowId',
    summary: 'Reads a workflow; its progress names the suspended phases',
    replies: {
      200: {
        description: 'The workflow.',
        body: phasedPlanViewSchema,
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, params }) {
      const read = await run(params.workflowId);
      return reply(200, read.value, staleness(read));
    },
  }),
];
