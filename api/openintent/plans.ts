import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import { createPlanRequestSchema, patchPlanRequestSchema } from '../../contracts/plan/plan.js';
import type { Plan } from '../../contracts/plan/plan.js';
import type { Binding } from '../http/route.js';
import { createPlan } from '../usecases/plan/create.js';
import { patchPlan } from '../usecases/plan/patch.js';
import { getPlan, listPlans } from '../usecases/plan/read.js';
import { openIntentList, openIntentRoute } from './route.js';
import { idSchema } from './schemas.js';
import { withNaiveTimes } from './wire.js';

const tasks = z.array(idSchema).max(LIMITS.planTasks);
const createSchema = createPlanRequestSchema.omit({ state: true, types: true }).extend({
  intent_id: idSchema,
  tasks: tasks.default([]),
});
const patchSchema = patchPlanRequestSchema.extend({ tasks: tasks.optional() });

/** Returns a plan as the SDK parses it; a checkpoint also has its approver under the name of the SDK. */
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

/** Plans of existing tasks; each begins as a draft. */
export const PLAN_ROUTES: readonly Binding[] = [
  openIntentRoute(createPlan, 'POST /plans', {
    body: createSchema,
    handle: async ({ run, body }) =>
      wirePlan(await run({ ...body, types: {}, state: 'draft' }, undefined, 'warned_of')),
  }),
  openIntentRoute(getPlan, 'GET /plans/:planId', {
    handle: async ({ run, id }) => wirePlan((await run(id('planId'))).value),
  }),
  openIntentList(listPlans, 'plans', wirePlan),
  openIntentRoute(patchPlan, 'PATCH /plans/:planId', {
    body: patchSchema,
    ifMatch: 428,
    handle: async ({ run, id, version, body }) =>
      wirePlan(await run(id('planId'), version, body, 'warned_of')),
  }),
];
