import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import { createPlanRequestSchema, patchPlanRequestSchema } from '../../contracts/plan.js';
import type { Plan } from '../../contracts/plan.js';
import type { Caller } from '../gateway/caller.js';
import type { Gateway } from '../gateway/index.js';
import { maskedPlan } from '../http/visibility.js';
import { versionOf } from './errors.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { idSchema, pageQuery } from './schemas.js';
import { naiveOrNull, naiveTime, seesAll } from './wire.js';

const tasks = z.array(idSchema).max(LIMITS.planTasks);
const createSchema = createPlanRequestSchema.omit({ state: true, types: true }).extend({
  intent_id: idSchema,
  tasks: tasks.default([]),
});
const patchSchema = patchPlanRequestSchema.extend({ tasks: tasks.optional() });

/** A plan as the SDK parses it, for a caller (AM-45); who approved a checkpoint goes under the SDK's name as well. */
function wirePlan(caller: Caller, plan: Plan) {
  const shown = seesAll(caller, plan) ? plan : maskedPlan(plan);
  const { progress, checkpoints, created_at, updated_at } = shown;
  return {
    ...shown,
    checkpoints: checkpoints.map((one) => ({ ...one, approved_by: one.decided_by })),
    progress: {
      ...progress,
      suspended_tasks: progress.suspended_tasks.map((one) => ({
        ...one,
        suspended_since: naiveTime(one.suspended_since),
        expires_at: naiveOrNull(one.expires_at),
      })),
    },
    created_at: naiveTime(created_at),
    updated_at: naiveTime(updated_at),
  };
}

/** Plans (§10): of tasks that exist, by their ids; each begins as a draft. */
export function planRoutes(gateway: Gateway): readonly OpenIntentRoute[] {
  const plan = '/plans/:planId';
  return [
    openIntentRoute({
      method: 'post',
      path: '/plans',
      access: 'agent',
      body: createSchema,
      async handle({ req, body }) {
        const draft = { ...body, types: {}, state: 'draft' } as const;
        const caller = openIntentCaller(req);
        return wirePlan(caller, await gateway.createPlan(caller, draft));
      },
    }),
    openIntentRoute({
      method: 'get',
      path: plan,
      access: 'any',
      handle: async ({ req, id }) =>
        wirePlan(openIntentCaller(req), (await gateway.getPlan(id('planId'))).value),
    }),
    openIntentRoute({
      method: 'get',
      path: '/intents/:intentId/plans',
      access: 'any',
      query: pageQuery,
      async handle({ req, id, query }) {
        const { value } = await gateway.listPlans(id('intentId'), query);
        return value.map((plan) => wirePlan(openIntentCaller(req), plan));
      },
    }),
    openIntentRoute({
      method: 'patch',
      path: plan,
      access: 'agent',
      body: patchSchema,
      async handle({ req, id, body }) {
        const version = versionOf(req, 428);
        const caller = openIntentCaller(req);
        return wirePlan(caller, await gateway.patchPlan(caller, id('planId'), version, body));
      },
    }),
  ];
}
