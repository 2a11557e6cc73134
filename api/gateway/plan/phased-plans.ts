import type {
  CreatePhasedPlanRequest,
  Phase,
  Plan,
  PhasedPlanView,
} from '../../../contracts/plan.js';
import type { TaskDefinition } from '../../../contracts/task.js';
import { orderOf } from '../../../domain/kernel/graph.js';
import { phasedPlanView } from '../../../domain/plan/state.js';
import { refusalOf } from '../../errors.js';
import { notFound } from '../refusals.js';
import type { Caller, Read } from '../caller.js';
import type { CreationOf } from '../calls/once.js';
import type { CreateIntent } from '../intent/creation.js';
import { SAMPLE_ID, demandApprovers, demandPlan, demandStart } from './plans.js';
import type { KnowsApprovers, StartPlan } from './plans.js';
import type { PlanReads } from './reads.js';

interface Deps extends KnowsApprovers {
  readonly createIntent: CreateIntent;
  readonly startPlan: StartPlan;
  readonly planReads: Pick<PlanReads, 'methods'>;
  readonly creationOf: CreationOf;
}

function definitionsOf({ phases }: CreatePhasedPlanRequest): readonly TaskDefinition[] {
  return Object.entries(phases).map(([name, { assign, title: _title, ...phase }]) => ({
    name,
    ...phase,
    assigned_agent: assign ?? phase.assigned_agent,
  }));
}

/** An intent for each phase, each after those it depends on; ids by the phases' names. */
async function phaseIntents(
  createIntent: CreateIntent,
  caller: Caller,
  request: CreatePhasedPlanRequest,
  keyOf: (part: string) => string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const { name, depends_on } of orderOf(definitionsOf(request)).ordered) {
    const phase = request.phases[name] as Phase;
    const body = {
      title: phase.title ?? name,
      description: phase.description ?? null,
      status: 'active' as const,
      state: {},
      constraints: {},
      depends_on: depends_on.map((one) => ids.get(one) ?? ''),
    };
    ids.set(name, (await createIntent(caller, body, keyOf(name))).id);
  }
  return ids;
}

/**
 * Workflows with phases (RFC-0024): an intent for the whole, one for each phase with the dependencies of its
 * phase, and an active plan whose tasks do the work. The id is the plan's. With an Idempotency-Key a
 * request that failed half-way can be sent again and goes on. Throws what creating intents and plans does.
 */
export function createPhasedPlans(deps: Deps) {
  const { createIntent, startPlan, planReads, creationOf } = deps;

  return {
    async createPhasedPlan(
      caller: Caller,
      request: CreatePhasedPlanRequest,
      idempotencyKey?: string,
    ): Promise<PhasedPlanView> {
      const definitions = definitionsOf(request);
      const fieldOf = ({ name }: { readonly name: string }) => `phases.${name}`;
      demandPlan({ ...request, definitions, existing: [], fieldOf });
      const keyOf = (part: string) =>
        idempotencyKey === undefined ? undefined : `workflow ${part} ${idempotencyKey}`;
      const creation = creationOf('plan', caller, keyOf('plan'), request);
      const { title, description = null, trigger, initial_state } = request;
      const draft = {
        ...request,
        definitions,
        existing: [],
        intent_id: SAMPLE_ID,
        state: 'active' as const,
        workflow: { title, description },
        statics: { trigger, initial_state },
      };
      demandStart(draft, caller, (task) => (task ? fieldOf(task) : 'phases'));
      const plan = await startPlan(caller, creation, async () => {
        const { principal } = caller;
        const checkpoints = demandApprovers(deps, request.checkpoints, principal, 'refused');
        const whole = { title, description, status: 'active' as const, constraints: {} };
        const root = await createIntent(
          caller,
          { ...whole, state: initial_state, depends_on: [] },
          keyOf(''),
        );
        const intents = await phaseIntents(createIntent, caller, request, keyOf);
        const own = definitions.map((one) => ({ ...one, intent_id: intents.get(one.name) }));
        return { ...draft, checkpoints, definitions: own, intent_id: root.id };
      });
      return viewOf(plan);
    },
    async getPhasedPlan(workflowId: string): Promise<Read<PhasedPlanView>> {
      try {
        const { value, stale } = await planReads.methods.getPlan(workflowId);
        return { value: viewOf(value), stale };
      } catch (error) {
        throw refusalOf(error)?.code === 'plan_not_found' ? notFound('workflow') : error;
      }
    },
  };
}

/** A plan without phases is not shown as a workflow. */
function viewOf(plan: Plan): PhasedPlanView {
  const view = phasedPlanView(plan);
  if (view === undefined) throw notFound('workflow');
  return view;
}
