import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { ServerConfig } from '../../../contracts/config.js';
import type { Intent } from '../../../contracts/intent.js';
import type { FieldIssue } from '../../../contracts/parse-fields.js';
import type {
  CheckpointRequest,
  CreatePlanRequest,
  PatchPlanRequest,
  Plan,
} from '../../../contracts/plan.js';
import type { Task, TaskDefinition } from '../../../contracts/task.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { assemblePlan, checkpointsOf, memberOf } from '../../../domain/plan/assembly.js';
import type { PlanDraft } from '../../../domain/plan/assembly.js';
import { judgedCheckpoints } from '../../../domain/plan/checkpoint-people.js';
import type { JudgedCheckpoint } from '../../../domain/plan/checkpoint-people.js';
import { planFaults } from '../../../domain/plan/faults.js';
import type { PlanParts } from '../../../domain/plan/faults.js';
import { checkPlanSize, checkStart } from '../../../domain/plan/sizes.js';
import { planView } from '../../../domain/plan/state.js';
import { guardFor } from '../../../domain/policy/access-list.js';
import { planAttributes } from '../../../workflows/engine/search-attributes.js';
import { patchPlanUpdate, planQuery } from '../../../workflows/plan/messages.js';
import type { PlanInput } from '../../../workflows/plan/messages.js';
import { InvalidInputError, demand, refusalOf } from '../../errors.js';
import { sentBy } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { createLiveWrite } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import { createOnce } from '../calls/once.js';
import type { Creation, CreationOf } from '../calls/once.js';
import type { Access, OwnReach } from '../intent/access.js';
import type { Reads } from '../intent/reads.js';
import type { FromStore } from '../reads/from-store.js';
import { refused } from '../refusals.js';
import type { Who } from '../suspension/who.js';
import type { PlanReads } from './reads.js';
import { demandInputFits, demandOpenIntent } from './tasks.js';

/** What judges whom checkpoints name. */
export interface KnowsApprovers {
  readonly config: Pick<ServerConfig, 'suspension'>;
  readonly people: Who;
}

interface Deps extends KnowsApprovers {
  readonly temporal: Pick<Temporal, 'query' | 'start' | 'update'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly planReads: PlanReads;
  readonly access: Pick<Access, 'demandAccessTo'>;
  readonly ownReach: Pick<OwnReach, 'demandOwn'>;
  readonly fromStore: FromStore;
  readonly creationOf: CreationOf;
}

/** Throws every fault of a plan at once: `task_cycle`, `input_wiring` or `invalid_plan`. */
export function demandPlan(parts: PlanParts): void {
  const faults = planFaults(parts);
  if (faults) throw new InvalidInputError(faults.refusal, faults.issues);
  parts.definitions.forEach((one, index) => {
    demandInputFits(one.input, `${parts.fieldOf(one, index)}.input`);
  });
}

/** How names that nobody knows are taken: the OpenIntent API refuses none. */
export type UnknownNames = 'refused' | 'warned_of';

/** The checkpoints with their warnings. Throws `unknown_principal` and `invalid_decision_rule`. */
export function demandApprovers(
  { config, people }: KnowsApprovers,
  checkpoints: readonly CheckpointRequest[],
  asker: string,
  unknown: UnknownNames,
): readonly JudgedCheckpoint[] {
  const askers = config.suspension.separation_of_duties ? [asker] : [];
  const isLenient = unknown === 'warned_of';
  return demand(judgedCheckpoints(checkpoints, { people: people(), askers, isLenient }));
}

type Draft = Omit<PlanDraft, 'id' | 'created_by' | 'created_at'> & Pick<PlanInput, 'guards'>;

/** Throws `state_too_large` for a plan, or for tasks that come with it, that could not be carried. */
export function demandStart(
  draft: Draft,
  { principal: created_by }: Pick<Caller, 'principal'>,
  fieldOf: (task?: Pick<Task, 'name'>) => string,
): void {
  const assembled = assemblePlan({ ...draft, ...SAMPLE, created_by }, randomUUID);
  demand(checkStart(assembled, fieldOf));
}

/** An id for what has none yet; all are of one length. */
export const SAMPLE_ID = '00000000-0000-4000-8000-000000000000';

/** As long as those that a plan gets. */
const SAMPLE = { id: SAMPLE_ID, created_at: toInstant(0) };

/** Starts a plan once; the same key and body return the first again, whatever `prepare` throws by now. */
export type StartPlan = (
  caller: Caller,
  creation: Creation,
  prepare: () => Promise<Draft>,
) => Promise<Plan>;

/** Throws `idempotency_key_reused`, and `workflow_unavailable`: the plan may then exist all the same. */
export function createStartPlan(deps: Deps): StartPlan {
  const { temporal, clock, planReads } = deps;
  return async ({ principal }, creation, prepare) => {
    const { id, workflowId, creation_hash } = creation;
    const create = async (): Promise<Plan | 'exists'> => {
      const { guards, ...draft } = await prepare();
      const created_at = toInstant(clock.now());
      const assembled = assemblePlan(
        { ...draft, id, created_by: principal, created_at },
        randomUUID,
      );
      const { intent_id, state, workflow } = assembled.plan;
      const outcome = await temporal.start('plan', {
        workflowId,
        input: {
          ...assembled,
          ...(guards && { guards }),
          ...(creation_hash !== undefined && { creation_hash }),
        },
        summary: workflow?.title ?? 'Plan',
        attributes: planAttributes(intent_id, state),
      });
      if (outcome === 'exists') return 'exists';
      planReads.plans.touch(id, 1);
      for (const { task } of assembled.children) planReads.tasks.touch(task.id, 1);
      return planView({ ...assembled, revision: 1 });
    };
    return createOnce(deps, creation, {
      table: 'plans',
      definition: planQuery,
      create,
      viewOf: ({ plan }) => plan,
      read: planReads.methods.getPlan,
    });
  };
}

/** Throws `task_not_found` with every id that is no task's. */
async function existingTasks(
  planReads: PlanReads,
  ids: readonly string[],
  field: string,
): Promise<readonly Task[]> {
  const issues: FieldIssue[] = [];
  const found = await Promise.all(
    ids.map((id, index) =>
      planReads.methods.getTask(id).catch((error: unknown) => {
        if (refusalOf(error)?.code !== 'task_not_found') throw error;
        issues.push({ field: `${field}[${index}]`, detail: `No task has the id ${id}.` });
        return undefined;
      }),
    ),
  );
  const [first] = issues;
  if (first) throw new InvalidInputError({ code: 'task_not_found', ...first }, issues);
  return found.flatMap((one) => (one ? [one.value] : []));
}

/** Throws `state_too_large` for access lists that are more than the start of a plan takes. */
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

/** Creates plans (RFC-0012 §2) of tasks that exist, or of definitions. */
export function createPlans(deps: Deps, startPlan: StartPlan) {
  const { reads, planReads, access, creationOf } = deps;

  async function draftOf(
    caller: Caller,
    request: CreatePlanRequest,
    unknown: UnknownNames,
  ): Promise<Draft> {
    const own = await demandOpenIntent(reads, request.intent_id, 'intent_id');
    const ids = request.tasks.filter((one) => typeof one === 'string');
    const definitions = request.tasks.filter(isDefinition);
    const fieldOf = ({ name }: { readonly name: string }) => `tasks[${indexOfTask(request, name)}]`;
    demandPlan({ ...request, definitions, existing: ids, fieldOf });
    const checkpoints = demandApprovers(deps, request.checkpoints, caller.principal, unknown);
    const existing = await existingTasks(planReads, ids, 'tasks');
    const intents = new Map([[own.id, own]]);
    for (const { intent_id: id, name } of definitions) {
      if (!id || intents.has(id)) continue;
      intents.set(id, await demandOpenIntent(reads, id, `${fieldOf({ name })}.intent_id`));
    }
    const others = [...intents.keys()].map((intent_id) => ({ intent_id }));
    await access.demandAccessTo(caller, 'createTask', [...others, ...existing], own.id);
    const statics = { trigger: {}, initial_state: {} };
    const guards = guardsOf([...intents.values()]);
    const parts = { definitions, existing, checkpoints };
    const draft = { ...request, ...parts, workflow: null, statics, ...guards };
    demandStart(draft, caller, (task) => (task ? fieldOf(task) : 'tasks'));
    return draft;
  }

  return {
    async createPlan(
      caller: Caller,
      request: CreatePlanRequest,
      idempotencyKey?: string,
      unknown: UnknownNames = 'refused',
    ): Promise<Plan> {
      const creation = creationOf('plan', caller, idempotencyKey, request);
      return startPlan(caller, creation, () => draftOf(caller, request, unknown));
    },
  };
}

/** Writes of a plan: its state, tasks to add, its next checkpoints. */
export function createPlanWrites(deps: Deps) {
  const { temporal, planReads, access, ownReach } = deps;
  const write = createLiveWrite(temporal, 'plan', async (id) => {
    const { state } = (await planReads.methods.getPlan(id)).value;
    return refused('invalid_transition', `The plan is ${state}.`, {
      field: 'state',
      accepted: 'nothing: the plan is over',
      state: { plan_state: state },
    });
  });

  return {
    async patchPlan(
      caller: Caller,
      planId: string,
      ifMatch: number,
      { state, tasks = [], checkpoints: wanted }: PatchPlanRequest,
      unknown: UnknownNames = 'refused',
    ): Promise<Plan> {
      const { value: known } = await planReads.methods.getPlan(planId);
      await ownReach.demandOwn(caller, known.intent_id);
      const added = tasks.filter((id) => !known.tasks.includes(id));
      const taken = known.checkpoints.map(({ id }) => id);
      const others = await existingTasks(planReads, added, 'tasks');
      await access.demandAccessTo(caller, 'createTask', others, known.intent_id);
      const checkpoints = wanted && demandApprovers(deps, wanted, known.created_by, unknown);
      const members = others.map(memberOf);
      demand(checkPlanSize({ tasks: members, checkpoints }));
      const plan = await write(planId, patchPlanUpdate, {
        ...sentBy(caller),
        if_match: ifMatch,
        members,
        ...(state && { state }),
        ...(checkpoints && { checkpoints: checkpointsOf(checkpoints, { taken }) }),
      });
      const written = plan ?? (await planReads.methods.getPlan(planId)).value;
      planReads.plans.touch(planId, written.version);
      return written;
    },
  };
}

function isDefinition(one: string | TaskDefinition): one is TaskDefinition {
  return typeof one !== 'string';
}

function indexOfTask({ tasks }: CreatePlanRequest, name: string): number {
  return tasks.findIndex((one) => isDefinition(one) && one.name === name);
}
