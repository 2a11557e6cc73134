import { defined } from '../../../contracts/constants/defined.js';
import { randomUUID } from 'node:crypto';
import type {
  CheckpointRequest,
  CreatePlanRequest,
  PatchPlanRequest,
  Plan,
  PlanSummary,
} from '../../../contracts/plan/plan.js';
import type { Task, TaskDefinition } from '../../../contracts/plan/task.js';
import { toInstant } from '../../../domain/kernel/time.js';
import {
  assemblePlan,
  checkpointsOf,
  memberOf,
  type PlanDraft,
} from '../../../domain/plan/assembly.js';
import { judgedCheckpoints, type JudgedCheckpoint } from '../../../domain/plan/checkpoints.js';
import { planFaults, type PlanParts } from '../../../domain/plan/faults.js';
import { checkPlanSize, checkStart } from '../../../domain/plan/sizes.js';
import { planView } from '../../../domain/plan/state.js';
import { planAttributes } from '../../../workflows/engine/search-attributes.js';
import { InvalidInputError, demand, refusalOf } from '../../errors.js';
import type { Creation } from '../../parts/calls/once.js';
import { demandInputFits, demandOpenIntent } from '../task/tasks.js';
import { FIRST, IN_BODY, READ, START, WRITE, useCase, type Call } from '../usecase.js';
import type { FieldIssue } from '../../../contracts/kernel/parse-fields.js';
import { patchPlanUpdate, type PlanInput } from '../../../workflows/plan/messages.js';
import { sentBy, type Caller, type ListedForm, type Page, type Read } from '../../parts/caller.js';
import { planFor, plansFor, readable } from '../visibility.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { guardFor } from '../../../domain/policy/access-list.js';
import { refused } from '../../parts/refusals.js';
import { listPlans as plansOf } from '../../../store/queries/plan.js';

export const CREATION = [
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

/** Throws every fault of a plan at once: `task_cycle`, `input_wiring` or `invalid_plan`. */
export function demandPlan(parts: PlanParts): void {
  const faults = planFaults(parts);
  if (faults) throw new InvalidInputError(faults.refusal, faults.issues);
  parts.definitions.forEach((one, index) => {
    demandInputFits(one.input, `${parts.fieldOf(one, index)}.input`);
  });
}

/** What happens with unknown names: the OpenIntent API refuses none. */
type UnknownNames = 'refused' | 'warned_of';

/** Returns the checkpoints with their warnings. Throws `unknown_principal` and `invalid_decision_rule`. */
export function demandApprovers(
  { parts: { config, people, telling } }: Call,
  checkpoints: readonly CheckpointRequest[],
  asker: string,
  unknown: UnknownNames,
): readonly JudgedCheckpoint[] {
  const askers = config.suspension.separation_of_duties ? [asker] : [];
  const isLenient = unknown === 'warned_of';
  const judging = { people: people(), telling: telling(), askers, isLenient };
  return demand(judgedCheckpoints(checkpoints, judging));
}

export type Draft = Omit<PlanDraft, 'id' | 'created_by' | 'created_at'> & Pick<PlanInput, 'guards'>;

/** Throws `state_too_large` for a plan, or its tasks, that workflows could not carry. */
export function demandStart(
  draft: Draft,
  { principal: created_by }: Pick<Caller, 'principal'>,
  fieldOf: (task?: Pick<Task, 'name'>) => string,
): void {
  const assembled = assemblePlan({ ...draft, ...SAMPLE, created_by }, randomUUID);
  demand(checkStart(assembled, fieldOf));
}

/** A stand-in for ids that do not exist yet; all ids have the same length. */
export const SAMPLE_ID = '00000000-0000-4000-8000-000000000000';

/** Fields as long as those of a real plan. */
const SAMPLE = { id: SAMPLE_ID, created_at: toInstant(0) };

/**
 * Starts a plan once; the same key and body return the first again, whatever `prepare` throws by then. Throws
 * `idempotency_key_reused`, and `workflow_unavailable`: the plan may then exist all the same.
 */
export async function startPlan(
  call: Call,
  creation: Creation,
  prepare: () => Promise<Draft>,
): Promise<Plan> {
  return call.parts.plans.createOnce(creation, async () => begin(call, creation, await prepare()));
}

async function begin(
  { caller, parts: { temporal, clock, plans, tasks } }: Call,
  { id, workflowId, creation_hash }: Creation,
  { guards, ...draft }: Draft,
): Promise<Plan | 'exists'> {
  const identity = { id, created_by: caller.principal, created_at: toInstant(clock.now()) };
  const assembled = assemblePlan({ ...draft, ...identity }, randomUUID);
  const { intent_id, state, workflow } = assembled.plan;
  const outcome = await temporal.start('plan', {
    workflowId,
    input: {
      ...assembled,
      ...defined({ guards, creation_hash }),
    },
    summary: workflow?.title ?? 'Plan',
    attributes: planAttributes(intent_id, state),
  });
  if (outcome === 'exists') return 'exists';
  plans.touch(id, 1);
  for (const { task } of assembled.children) tasks.touch(task.id, 1);
  return planView({ ...assembled, revision: 1 });
}

/** Changes the state of a plan, adds tasks, or sets its next checkpoints. */
export const patchPlan = useCase({
  name: 'patchPlan',
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
  async run(
    call: Call,
    planId: string,
    if_match: number,
    { state, tasks = [], checkpoints: wanted }: PatchPlanRequest,
    unknown: UnknownNames = 'refused',
  ): Promise<Plan> {
    const { caller, parts } = call;
    const { value: known } = await parts.plans.known(planId);
    await parts.ownReach.demandOwn(caller, known.intent_id);
    const added = tasks.filter((id) => !known.tasks.includes(id));
    const taken = known.checkpoints.map(({ id }) => id);
    const others = await existingTasks(call, added);
    await parts.access.demandAccessTo(caller, 'createTask', others, known.intent_id);
    const checkpoints = wanted && demandApprovers(call, wanted, known.created_by, unknown);
    const members = others.map(memberOf);
    demand(checkPlanSize({ tasks: members, checkpoints }));
    const plan = await parts.plans.write(planId, patchPlanUpdate, {
      ...sentBy(caller),
      if_match,
      members,
      ...defined({ state }),
      ...(checkpoints && { checkpoints: checkpointsOf(checkpoints, { taken }) }),
    });
    const written = plan ?? (await parts.plans.known(planId)).value;
    parts.plans.touch(planId, written.version);
    return planFor(caller, written);
  },
});

/** Throws `task_not_found` with every id in `tasks` that belongs to no task. */
async function existingTasks({ parts }: Call, ids: readonly string[]): Promise<readonly Task[]> {
  const issues: FieldIssue[] = [];
  const found = await Promise.all(
    ids.map((id, index) =>
      parts.tasks.known(id).catch((error: unknown) => {
        if (refusalOf(error)?.code !== 'task_not_found') throw error;
        issues.push({ field: `tasks[${index}]`, detail: `No task has the id ${id}.` });
        return undefined;
      }),
    ),
  );
  const [first] = issues;
  if (first) throw new InvalidInputError({ code: 'task_not_found', ...first }, issues);
  return found.flatMap((one) => (one ? [one.value] : []));
}

/** Creates a plan (RFC-0012 §2) of existing tasks, or of definitions; with an Idempotency-Key once. */
export const createPlan = useCase({
  name: 'createPlan',
  resource: 'intent',
  refusals: ['task_not_found', ...CREATION],
  intentIn: IN_BODY,
  async run(
    call: Call,
    request: CreatePlanRequest,
    key?: string,
    unknown: UnknownNames = 'refused',
  ): Promise<Plan> {
    const creation = call.parts.creationOf('plan', call.caller, key, request);
    const plan = await startPlan(call, creation, () => draftOf(call, request, unknown));
    return planFor(call.caller, plan);
  },
});

async function draftOf(
  call: Call,
  request: CreatePlanRequest,
  unknown: UnknownNames,
): Promise<Draft> {
  const { caller, parts } = call;
  const own = await demandOpenIntent(call, request.intent_id, 'intent_id');
  const ids = request.tasks.filter((one) => typeof one === 'string');
  const definitions = request.tasks.filter(isDefinition);
  const fieldOf = ({ name }: { readonly name: string }) => `tasks[${indexOfTask(request, name)}]`;
  demandPlan({ ...request, definitions, existing: ids, fieldOf });
  const checkpoints = demandApprovers(call, request.checkpoints, caller.principal, unknown);
  const existing = await existingTasks(call, ids);
  const intents = new Map([[own.id, own]]);
  for (const { intent_id: id, name } of definitions) {
    if (!id || intents.has(id)) continue;
    intents.set(id, await demandOpenIntent(call, id, `${fieldOf({ name })}.intent_id`));
  }
  const others = [...intents.keys()].map((intent_id) => ({ intent_id }));
  await parts.access.demandAccessTo(caller, 'createTask', [...others, ...existing], own.id);
  const statics = { trigger: {}, initial_state: {} };
  const tasks = { definitions, existing, checkpoints };
  const guards = guardsOf([...intents.values()]);
  const draft = { ...request, ...tasks, workflow: null, statics, ...guards };
  demandStart(draft, caller, (task) => (task ? fieldOf(task) : 'tasks'));
  return draft;
}

/** Returns the access lists for the start of a plan. Throws `state_too_large` if they do not fit. */
function guardsOf(intents: readonly Intent[]): Pick<PlanInput, 'guards'> {
  const guards = intents.flatMap((intent) => {
    const guard = guardFor(intent);
    return guard ? [{ intent_id: intent.id, guard }] : [];
  });
  if (guards.length === 0) return {};
  if (jsonBytes(guards) <= LIMITS.planAccessBytes) return { guards };
  throw refused('state_too_large', 'The intents of the tasks have too many entries of access.', {
    field: 'tasks',
    accepted: `access lists of at most ${LIMITS.planAccessBytes} bytes together`,
  });
}

function isDefinition(one: string | TaskDefinition): one is TaskDefinition {
  return typeof one !== 'string';
}

function indexOfTask({ tasks }: CreatePlanRequest, name: string): number {
  return tasks.findIndex((one) => isDefinition(one) && one.name === name);
}

/** Reads a plan, with whole ids of questions for the principal that made it. */
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
