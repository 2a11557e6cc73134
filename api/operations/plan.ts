import type { CreatePlanRequest, PatchPlanRequest, Plan } from '../../contracts/plan.js';
import type { Page } from '../gateway/caller.js';
import { READ, WRITE, asCaller, forAnyone, operations } from './operation.js';
import { planFor } from './visibility.js';

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
    access: 'agent',
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
    run: asCaller('createTask'),
  },
  getTask: { resource: 'task', access: 'any', refusals: READ, run: forAnyone('getTask') },
  listTasks: { resource: 'intent', access: 'any', refusals: READ, run: forAnyone('listTasks') },
  patchTask: {
    resource: 'task',
    access: 'agent',
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
    access: 'agent',
    refusals: TASK_WRITE,
    run: asCaller('claimTask'),
  },
});

const CREATION = [
  'task_cycle',
  'input_wiring',
  'invalid_plan',
  'intent_not_found',
  'intent_closed',
  'state_too_large',
  'idempotency_key_reused',
  ...READ,
] as const;

/** Plans of tasks; a caller reads the ids of what its own plans ask. */
export const PLANS = operations({
  createPlan: {
    resource: 'intent',
    access: 'agent',
    refusals: ['task_not_found', ...CREATION],
    run: async ({ gateway, caller }, request: CreatePlanRequest, key?: string): Promise<Plan> =>
      planFor(caller, await gateway.createPlan(caller, request, key)),
  },
  getPlan: {
    resource: 'plan',
    access: 'any',
    refusals: READ,
    async run({ gateway, caller }, planId: string) {
      const { value, stale } = await gateway.getPlan(planId);
      return { value: planFor(caller, value), stale };
    },
  },
  listPlans: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    async run({ gateway, caller }, intentId: string, page: Page) {
      const { value, stale } = await gateway.listPlans(intentId, page);
      return { value: value.map((plan) => planFor(caller, plan)), stale };
    },
  },
  patchPlan: {
    resource: 'plan',
    access: 'agent',
    refusals: [
      'task_not_found',
      'version_conflict',
      'invalid_transition',
      'invalid_plan',
      ...WRITE,
    ],
    run: async (
      { gateway, caller },
      planId: string,
      version: number,
      request: PatchPlanRequest,
    ): Promise<Plan> => planFor(caller, await gateway.patchPlan(caller, planId, version, request)),
  },
});

/** Phased plans, which RFC-0024 and the paths call workflows: an intent and a task for each phase. */
export const PHASED_PLANS = operations({
  createWorkflow: {
    resource: 'plan',
    access: 'agent',
    refusals: CREATION,
    run: asCaller('createPhasedPlan'),
  },
  getWorkflow: {
    resource: 'plan',
    access: 'any',
    refusals: READ,
    run: forAnyone('getPhasedPlan'),
  },
});
