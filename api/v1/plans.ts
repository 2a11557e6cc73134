import { z } from 'zod';
import {
  createPlanRequestSchema,
  createPhasedPlanRequestSchema,
  patchPlanRequestSchema,
  planSchema,
  phasedPlanViewSchema,
} from '../../contracts/plan.js';
import type { Gateway } from '../gateway/index.js';
import { jsonOf } from '../http/input.js';
import { callerOf } from '../http/keys-and-roles.js';
import { pageSchema } from '../http/queries.js';
import { reply, staleness, versionTag } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { planFor } from '../http/visibility.js';
import { PLAN_EXAMPLES } from '../openapi/plan-examples.js';

const planListSchema = z.object({ plans: z.array(planSchema).readonly() });
const READ_ERRORS = ['workflow_unavailable', 'store_unavailable'] as const;
const MADE_ERRORS = [
  'task_cycle',
  'input_wiring',
  'invalid_plan',
  'intent_not_found',
  'intent_closed',
  'state_too_large',
  'idempotency_key_reused',
  ...READ_ERRORS,
] as const;
const BODY = { body: planSchema, example: PLAN_EXAMPLES.plan } as const;

function planReads(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/plans/:planId',
      id: 'getPlan',
      access: 'any',
      summary: 'Reads a plan; its progress names the suspended tasks',
      replies: {
        200: { description: 'The plan.', ...BODY, headers: ['ETag', 'Holdpoint-Stale'] },
      },
      errors: READ_ERRORS,
      async handle({ req, params }) {
        const read = await gateway.getPlan(params.planId);
        return reply(200, planFor(callerOf(req), read.value), {
          ...versionTag(read.value),
          ...staleness(read),
        });
      },
    }),
    defineRoute({
      method: 'get',
      path: '/intents/:intentId/plans',
      id: 'listPlans',
      access: 'any',
      summary: 'Lists the plans of an intent, oldest first',
      query: pageSchema,
      replies: {
        200: {
          description: 'A page of plans.',
          body: planListSchema,
          example: { plans: [PLAN_EXAMPLES.plan] },
          headers: ['Holdpoint-Stale'],
        },
      },
      errors: READ_ERRORS,
      async handle({ req, params, query }) {
        const read = await gateway.listPlans(params.intentId, query);
        const plans = read.value.map((plan) => planFor(callerOf(req), plan));
        return reply(200, { plans }, staleness(read));
      },
    }),
  ];
}

/** `POST /plans`, `GET` and `PATCH /plans/{id}` (RFC-0012 §6) and `GET /intents/{id}/plans`. */
export function planRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/plans',
      id: 'createPlan',
      access: 'agent',
      summary: 'Creates a plan of tasks that exist, or that it defines; all faults are told',
      headers: ['Idempotency-Key'],
      body: jsonOf(createPlanRequestSchema, PLAN_EXAMPLES.newPlan),
      replies: { 201: { description: 'The plan.', ...BODY, headers: ['ETag', 'Location'] } },
      errors: ['task_not_found', ...MADE_ERRORS],
      async handle({ req, headers, body }) {
        const plan = await gateway.createPlan(callerOf(req), body, headers['Idempotency-Key']);
        return reply(201, plan, { ...versionTag(plan), Location: `/v1/plans/${plan.id}` });
      },
    }),
    defineRoute({
      method: 'patch',
      path: '/plans/:planId',
      id: 'patchPlan',
      access: 'agent',
      summary: 'Activates, pauses or cancels a plan, adds tasks, or sets its next checkpoints',
      headers: ['If-Match'],
      body: jsonOf(patchPlanRequestSchema, { state: 'active' }),
      replies: { 200: { description: 'The plan.', ...BODY, headers: ['ETag'] } },
      errors: [
        'task_not_found',
        'version_conflict',
        'invalid_transition',
        'invalid_plan',
        'moving',
        ...READ_ERRORS,
      ],
      async handle({ req, params, headers, body }) {
        const version = headers['If-Match'];
        const plan = await gateway.patchPlan(callerOf(req), params.planId, version, body);
        return reply(200, planFor(callerOf(req), plan), versionTag(plan));
      },
    }),
    ...planReads(gateway),
  ];
}

/** `POST /workflows` and `GET /workflows/{id}`: phases with inputs and outputs (RFC-0024). */
export function phasedPlanRoutes(gateway: Gateway): readonly Route[] {
  const whole = { body: phasedPlanViewSchema, example: PLAN_EXAMPLES.workflow } as const;
  return [
    defineRoute({
      method: 'post',
      path: '/workflows',
      id: 'createWorkflow',
      access: 'agent',
      summary: 'Creates a workflow: an intent and a task for each phase, and the plan of them',
      headers: ['Idempotency-Key'],
      body: jsonOf(createPhasedPlanRequestSchema, PLAN_EXAMPLES.newWorkflow),
      replies: { 201: { description: 'The workflow.', ...whole, headers: ['Location'] } },
      errors: MADE_ERRORS,
      async handle({ req, headers, body }) {
        const key = headers['Idempotency-Key'];
        const made = await gateway.createPhasedPlan(callerOf(req), body, key);
        return reply(201, made, { Location: `/v1/workflows/${made.id}` });
      },
    }),
    defineRoute({
      method: 'get',
      path: '/workflows/:workflowId',
      id: 'getWorkflow',
      access: 'any',
      summary: 'Reads a workflow; its progress names the suspended phases',
      replies: {
        200: { description: 'The workflow.', ...whole, headers: ['Holdpoint-Stale'] },
      },
      errors: READ_ERRORS,
      async handle({ params }) {
        const read = await gateway.getPhasedPlan(params.workflowId);
        return reply(200, read.value, staleness(read));
      },
    }),
  ];
}
