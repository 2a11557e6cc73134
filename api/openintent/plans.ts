import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import { createPlanRequestSchema, patchPlanRequestSchema } from '../../contracts/plan.js';
import type { Plan } from '../../contracts/plan.js';
import type { Binding } from '../http/route.js';
import { PLANS } from '../operations/plan.js';
import { openIntentList, openIntentRoute } from './route.js';
import { idSchema } from './schemas.js';
import { withNaiveTimes } from './wire.js';

const tasks = z.array(idSchema).max(LIMITS.planTasks);
const createSchema = createPlanRequestSchema.omit({ state: true, types: true }).extend({
  intent_id: idSchema,
  tasks: tasks.default([]),
});
const patchSchema = patchPlanRequestSchema.extend({ tasks: tasks.optional() });

/** A plan as the SDK parses it; who approved a checkpoint goes under the SDK's name as well. */
function wirePlan(plan: Plan) {
  const { progress, checkpoints } = plan;
  const suspended_tasks = progress.suspended_tasks.map((one) =>
    withNaiveTimes(one, ['suspended_since', 'expires_at']),
  );
  return {
    ...withNaiveTimes(plan, ['created_at', 'updated_at']),
    checkpoints: checkpoints.map((one) => ({ ...one, approved_by: one.decided_by })),
    progress: { ...progress, suspended_tasks },
  };
}

const PLAN = '/plans/:planId';

/** Plans of tasks that exist, by their ids; each begins as a draft. */
export const PLAN_ROUTES: readonly Binding[] = [
  openIntentRoute(PLANS.createPlan, {
    method: 'post',
    path: '/plans',
    body: createSchema,
    handle: async ({ run, body }) =>
      wirePlan(await run({ ...body, types: {}, state: 'draft' }, undefined, 'warned_of')),
  }),
  openIntentRoute(PLANS.getPlan, {
    method: 'get',
    path: PLAN,
    handle: async ({ run, id }) => wirePlan((await run(id('planId'))).value),
  }),
  openIntentList(PLANS.listPlans, 'plans', wirePlan),
  openIntentRoute(PLANS.patchPlan, {
    method: 'patch',
    path: PLAN,
    body: patchSchema,
    ifMatch: 428,
    handle: async ({ run, id, version, body }) =>
      wirePlan(await run(id('planId'), version, body, 'warned_of')),
  }),
];
