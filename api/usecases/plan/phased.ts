import type {
  CreatePhasedPlanRequest,
  Phase,
  PhasedPlanView,
  Plan,
} from '../../../contracts/plan/plan.js';
import type { TaskDefinition } from '../../../contracts/plan/task.js';
import { orderOf } from '../../../domain/kernel/graph.js';
import { phasedPlanView } from '../../../domain/plan/state.js';
import { refusalOf } from '../../errors.js';
import type { Read } from '../../parts/caller.js';
import { notFound } from '../../parts/refusals.js';
import { startIntent } from '../intent/create.js';
import { READ, useCase, type Call } from '../usecase.js';
import { readable } from '../visibility.js';
import {
  CREATION,
  SAMPLE_ID,
  demandApprovers,
  demandPlan,
  demandStart,
  startPlan,
  type Draft,
} from './plans.js';

type KeyOf = (part: string) => string | undefined;

/**
 * Creates a workflow with phases (RFC-0024): an intent for the whole, one for each phase with the dependencies of its
 * phase, and an active plan whose tasks do the work. The id is the plan's. With an Idempotency-Key a request that
 * failed half-way goes on when it is sent again. Throws what creating intents and plans does.
 */
export const createWorkflow = useCase({
  name: 'createWorkflow',
  resource: 'plan',
  refusals: CREATION,
  async run(call: Call, request: CreatePhasedPlanRequest, key?: string): Promise<PhasedPlanView> {
    const { caller, parts } = call;
    const definitions = definitionsOf(request);
    const fieldOf = ({ name }: { readonly name: string }) => `phases.${name}`;
    demandPlan({ ...request, definitions, existing: [], fieldOf });
    const keyOf = (part: string) => (key === undefined ? undefined : `workflow ${part} ${key}`);
    const creation = parts.creationOf('plan', caller, keyOf('plan'), request);
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
    const plan = await startPlan(call, creation, () => withIntents(call, request, draft, keyOf));
    return viewOf(plan);
  },
});

/** Creates the same, with an intent for the whole and one for each phase. */
async function withIntents(
  call: Call,
  request: CreatePhasedPlanRequest,
  draft: Omit<Draft, 'checkpoints'> & { readonly definitions: readonly TaskDefinition[] },
  keyOf: KeyOf,
): Promise<Draft> {
  const { principal } = call.caller;
  const checkpoints = demandApprovers(call, request.checkpoints, principal, 'refused');
  const { title, description = null, initial_state: state } = request;
  const whole = { title, description, status: 'active' as const, constraints: {} };
  const root = await startIntent(call, { ...whole, state, depends_on: [] }, keyOf(''));
  const intents = await phaseIntents(call, request, keyOf);
  const own = draft.definitions.map((one) => ({ ...one, intent_id: intents.get(one.name) }));
  return { ...draft, checkpoints, definitions: own, intent_id: root.id };
}

function definitionsOf({ phases }: CreatePhasedPlanRequest): readonly TaskDefinition[] {
  return Object.entries(phases).map(([name, { assign, title: _title, ...phase }]) => ({
    name,
    ...phase,
    assigned_agent: assign ?? phase.assigned_agent,
  }));
}

/** Creates an intent for each phase, after those it depends on; returns their ids by the phases' names. */
async function phaseIntents(
  call: Call,
  request: CreatePhasedPlanRequest,
  keyOf: KeyOf,
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
    ids.set(name, (await startIntent(call, body, keyOf(name))).id);
  }
  return ids;
}

export const getWorkflow = useCase({
  name: 'getWorkflow',
  resource: 'plan',
  refusals: READ,
  async run(call: Call, workflowId: string): Promise<Read<PhasedPlanView>> {
    return readable(call, 'getWorkflow', readWorkflow(call, workflowId));
  },
});

async function readWorkflow({ parts }: Call, workflowId: string): Promise<Read<PhasedPlanView>> {
  try {
    const { value, stale } = await parts.plans.read(workflowId);
    return { value: viewOf(value), stale };
  } catch (error) {
    throw refusalOf(error)?.code === 'plan_not_found' ? notFound('workflow') : error;
  }
}

/** A plan without phases is not shown as a workflow. */
function viewOf(plan: Plan): PhasedPlanView {
  const view = phasedPlanView(plan);
  if (view === undefined) throw notFound('workflow');
  return view;
}
