import type { Plan, PlanSummary } from '../../../contracts/plan/plan.js';
import { listPlans as plansOf } from '../../../store/queries/plan.js';
import type { ListedForm, Page, Read } from '../../parts/caller.js';
import { FIRST, READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { planFor, plansFor, readable } from '../visibility.js';

/** A caller reads the whole ids of what its own plans ask. */
export const getPlan = useCase({
  name: 'getPlan',
  resource: 'plan',
  refusals: READ,
  async run(call: Call, planId: string): Promise<Read<Plan>> {
    const { value, stale } = await readable(call, 'getPlan', call.parts.plans.read(planId));
    return { value: planFor(call.caller, value), stale };
  },
});

export const listPlans = useCase({
  name: 'listPlans',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run(
    { caller, parts }: Call,
    intentId: string,
    page: Page,
  ): Promise<ListedForm<Plan, PlanSummary>> {
    return plansFor(caller, await parts.plans.listOf(plansOf, intentId, page));
  },
});
