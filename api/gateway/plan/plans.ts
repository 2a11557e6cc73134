import { randomUUID } from 'node:crypto';
import type { FieldIssue } from '../../../contracts/parse-fields.js';
import type { CreatePlanRequest, PatchPlanRequest, Plan } from '../../../contracts/plan.js';
import type { Task, TaskDefinition } from '../../../contracts/task.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { assemblePlan, checkpointsOf, memberOf } from '../../../domain/plan/assembly.js';
import type { PlanDraft } from '../../../domain/plan/assembly.js';
import { planFaults } from '../../../domain/plan/faults.js';
import type { PlanParts } from '../../../domain/plan/faults.js';
import { planView } from '../../../domain/plan/state.js';
import { planAttributes } from '../../../workflows/engine/search-attributes.js';
import { patchPlanUpdate, planQuery } from '../../../workflows/plan/messages.js';
import { InvalidInputError, refusalOf } from '../../errors.js';
import { sentBy } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { createLiveWrite } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import { createOnce } from '../calls/once.js';
import type { Creation, CreationOf } from '../calls/once.js';
import type { Reads } from '../intent/reads.js';
import type { FromStore } from '../reads/from-store.js';
import { refused } from '../refusals.js';
import type { PlanReads } from './reads.js';
import { demandInputFits, demandOpenIntent } from './tasks.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'query' | 'start' | 'update'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly planReads: PlanReads;
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

type Draft = Omit<PlanDraft, 'id' | 'created_by' | 'created_at'>;

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
      const draft = await prepare();
      const created_at = toInstant(clock.now());
      const assembled = assemblePlan(
        { ...draft, id, created_by: principal, created_at },
        randomUUID,
      );
      const { intent_id, state, workflow } = assembled.plan;
      const outcome = await temporal.start('plan', {
        workflowId,
        input: { ...assembled, ...(creation_hash !== undefined && { creation_hash }) },
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

/** Creates plans (RFC-0012 §2) of tasks that exist, or of definitions. */
export function createPlans(deps: Deps, startPlan: StartPlan) {
  const { reads, planReads, creationOf } = deps;

  async function draftOf(request: CreatePlanRequest): Promise<Draft> {
    await demandOpenIntent(reads, request.intent_id, 'intent_id');
    const ids = request.tasks.filter((one) => typeof one === 'string');
    const definitions = request.tasks.filter(isDefinition);
    const fieldOf = ({ name }: { readonly name: string }) => `tasks[${indexOfTask(request, name)}]`;
    demandPlan({ ...request, definitions, existing: ids, fieldOf });
    const existing = await existingTasks(planReads, ids, 'tasks');
    for (const { intent_id, name } of definitions) {
      if (intent_id) await demandOpenIntent(reads, intent_id, `${fieldOf({ name })}.intent_id`);
    }
    const statics = { trigger: {}, initial_state: {} };
    return { ...request, definitions, existing, workflow: null, statics };
  }

  return {
    async createPlan(
      caller: Caller,
      request: CreatePlanRequest,
      idempotencyKey?: string,
    ): Promise<Plan> {
      const creation = creationOf('plan', caller, idempotencyKey, request);
      return startPlan(caller, creation, () => draftOf(request));
    },
  };
}

/** Writes of a plan: its state, tasks to add, its next checkpoints. */
export function createPlanWrites({ temporal, planReads }: Deps) {
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
      { state, tasks = [], checkpoints }: PatchPlanRequest,
    ): Promise<Plan> {
      const { value: known } = await planReads.methods.getPlan(planId);
      const added = tasks.filter((id) => !known.tasks.includes(id));
      const taken = known.checkpoints.map(({ id }) => id);
      const existing = await existingTasks(planReads, added, 'tasks');
      const plan = await write(planId, patchPlanUpdate, {
        ...sentBy(caller),
        if_match: ifMatch,
        members: existing.map(memberOf),
        ...(state && { state }),
        ...(checkpoints && { checkpoints: checkpointsOf(checkpoints, { taken }) }),
      });
      planReads.plans.touch(planId, plan.version);
      return plan;
    },
  };
}

function isDefinition(one: string | TaskDefinition): one is TaskDefinition {
  return typeof one !== 'string';
}

function indexOfTask({ tasks }: CreatePlanRequest, name: string): number {
  return tasks.findIndex((one) => isDefinition(one) && one.name === name);
}
