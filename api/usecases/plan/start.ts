import { defined } from '../../../contracts/constants/defined.js';
import { randomUUID } from 'node:crypto';
import type { CheckpointRequest, Plan } from '../../../contracts/plan/plan.js';
import type { Task } from '../../../contracts/plan/task.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { assemblePlan } from '../../../domain/plan/assembly.js';
import type { PlanDraft } from '../../../domain/plan/assembly.js';
import { judgedCheckpoints } from '../../../domain/plan/checkpoint-people.js';
import type { JudgedCheckpoint } from '../../../domain/plan/checkpoint-people.js';
import { planFaults } from '../../../domain/plan/faults.js';
import type { PlanParts } from '../../../domain/plan/faults.js';
import { checkStart } from '../../../domain/plan/sizes.js';
import { planView } from '../../../domain/plan/state.js';
import { planAttributes } from '../../../workflows/engine/search-attributes.js';
import type { PlanInput } from '../../../workflows/plan/messages.js';
import { InvalidInputError, demand } from '../../errors.js';
import type { Caller } from '../../parts/caller.js';
import type { Creation } from '../../parts/calls/once.js';
import { demandInputFits } from '../task/create.js';
import { START } from '../usecase.js';
import type { Call } from '../usecase.js';

/** The refusals of every creation of a plan. */
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

/** How names that nobody knows are taken: the OpenIntent API refuses none. */
export type UnknownNames = 'refused' | 'warned_of';

/** The checkpoints with their warnings. Throws `unknown_principal` and `invalid_decision_rule`. */
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

/** A plan before it has an id. */
export type Draft = Omit<PlanDraft, 'id' | 'created_by' | 'created_at'> & Pick<PlanInput, 'guards'>;

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

/**
 * Starts a plan once; the same key and body return the first again, whatever `prepare` throws by now. Throws
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
