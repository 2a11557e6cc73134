import type { CreatePlanRequest, PatchPlanRequest, Plan } from '../../contracts/plan.js';
import type { UnknownNames } from '../gateway/plan/plans.js';
import type { Page } from '../gateway/caller.js';
import {
  IN_BODY,
  START,
  WRITE,
  asCaller,
  forAnyone,
  operations,
  read,
  readOf,
} from './operation.js';
import { planFor, plansFor, readable } from './visibility.js';

const TASK_WRITE = [
  'wrong_agent',
  'task_claimed',
  'invalid_transition',
  'upstream_intent_suspended',
  'unresolvable_input',
  ...WRITE,
] as const;

/** Tasks, in a plan or in none. */
export const TASKS = operations({
  createTask: {
    resource: 'intent',
    refusals: [
      'intent_not_found',
      'task_not_found',
      'plan_not_found',
      'intent_closed',
      'invalid_plan',
      'invalid_transition',
      'state_too_large',
      ...WRITE,
    ],
    intentIn: IN_BODY,
    run: asCaller('createTask'),
  },
  getTask: read('task', (call, taskId: string) =>
    readable(call, 'getTask', call.gateway.getTask(taskId)),
  ),
  listTasks: readOf(forAnyone('listTasks')),
  patchTask: {
    resource: 'task',
    refusals: [
      'version_conflict',
      'intent_suspended',
      'missing_output',
      'output_type_mismatch',
      'state_too_large',
      ...TASK_WRITE,
    ],
    run: asCaller('patchTask'),
  },
  claimTask: {
    resource: 'task',
    refusals: ['state_too_large', ...TASK_WRITE],
    run: asCaller('claimTask'),
  },
});

const CREATION = [
  'task_cycle',
  'input_wiring',
  'invalid_plan',
  'invalid_decision_rule',
  'unknown_principal',
  'intent_not_found',
  'intent_closed',
  'state_too_large',
  'idempotency_key_reused',
  'removed_by_retention',
  ...START,
] as const;

/** Plans of tasks; a caller reads the ids of what its own plans ask. */
export const PLANS = operations({
  createPlan: {
    resource: 'intent',
    refusals: ['task_not_found', ...CREATION],
    intentIn: IN_BODY,
    run: async (
      { gateway, caller },
      request: CreatePlanRequest,
      key?: string,
      unknown?: UnknownNames,
    ): Promise<Plan> => planFor(caller, await gateway.createPlan(caller, request, key, unknown)),
  },
  getPlan: read('plan', async (call, planId: string) => {
    const { gateway, caller } = call;
    const { value, stale } = await readable(call, 'getPlan', gateway.getPlan(planId));
    return { value: planFor(caller, value), stale };
  }),
  listPlans: readOf(async ({ gateway, caller }, intentId: string, page: Page) =>
    plansFor(caller, await gateway.listPlans(intentId, page)),
  ),
  patchPlan: {
    resource: 'plan',
    refusals: [
      'task_not_found',
      'intent_not_found',
      'version_conflict',
      'invalid_transition',
      'invalid_plan',
      'invalid_decision_rule',
      'unknown_principal',
      'state_too_large',
      ...WRITE,
    ],
    run: async (
      { gateway, caller },
      planId: string,
      version: number,
      request: PatchPlanRequest,
      unknown?: UnknownNames,
    ): Promise<Plan> =>
      planFor(caller, await gateway.patchPlan(caller, planId, version, request, unknown)),
  },
});

/** Phased plans, which RFC-0024 and the paths call workflows: an intent and a task for each phase. */
export const PHASED_PLANS = operations({
  createWorkflow: {
    resource: 'plan',
    refusals: CREATION,
    run: asCaller('createPhasedPlan'),
  },
  getWorkflow: read('plan', (call, workflowId: string) =>
    readable(call, 'getWorkflow', call.gateway.getPhasedPlan(workflowId)),
  ),
});
