import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import { createPlanRequestSchema, patchPlanRequestSchema } from '../../contracts/plan.js';
import type { Plan } from '../../contracts/plan.js';
import type { Binding } from '../http/route.js';
import { PLANS } from '../operations/plan.js';
import { openIntentRoute } from './route.js';
import { idSchema, pageQuery } from './schemas.js';
import { naiveOrNull, naiveTime } from './wire.js';

const tasks = z.array(idSchema).max(LIMITS.planTasks);
const createSchema = createPlanRequestSchema.omit({ state: true, types: true }).extend({
  intent_id: idSchema,
  tasks: tasks.default([]),
});
const patchSchema = patchPlanRequestSchema.extend({ tasks: tasks.optional() });

/** A plan as the SDK parses it; who approved a checkpoint goes under the SDK's name as well. */
function wirePlan(plan: Plan) {
  const { progress, checkpoints, created_at, updated_at } = plan;
  return {
    ...plan,
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

const PLAN = '/plans/:planId';

/** Plans of tasks that exist, by their ids; each begins as a draft. */
export const PLAN_ROUTES: readonly Binding[] = [
  openIntentRoute(PLANS.createPlan, {
    method: 'post',
    path: '/plans',
    body: createSchema,
    handle: async ({ run, body }) => wirePlan(await run({ ...body, types: {}, state: 'draft' })),
  }),
  openIntentRoute(PLANS.getPlan, {
    method: 'get',
    path: PLAN,
    handle: async ({ run, id }) => wirePlan((await run(id('planId'))).value),
  }),
  openIntentRoute(PLANS.listPlans, {
    method: 'get',
    path: '/intents/:intentId/plans',
    query: pageQuery,
    handle: async ({ run, id, query }) => (await run(id('intentId'), query)).value.map(wirePlan),
  }),
  openIntentRoute(PLANS.patchPlan, {
    method: 'patch',
    path: PLAN,
    body: patchSchema,
    ifMatch: 428,
    handle: async ({ run, id, version, body }) => wirePlan(await run(id('planId'), version, body)),
  }),
];
