import { defined } from '../../../contracts/constants/defined.js';
import type { FieldIssue } from '../../../contracts/kernel/parse-fields.js';
import type { PatchPlanRequest, Plan } from '../../../contracts/plan/plan.js';
import type { Task } from '../../../contracts/plan/task.js';
import { checkpointsOf, memberOf } from '../../../domain/plan/assembly.js';
import { checkPlanSize } from '../../../domain/plan/sizes.js';
import { patchPlanUpdate } from '../../../workflows/plan/messages.js';
import { InvalidInputError, demand, refusalOf } from '../../errors.js';
import { sentBy } from '../../parts/caller.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { planFor } from '../visibility.js';
import { demandApprovers } from './start.js';
import type { UnknownNames } from './start.js';

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

/** Throws `task_not_found` with every id of the field `tasks` that is no task's. */
export async function existingTasks(
  { parts }: Call,
  ids: readonly string[],
): Promise<readonly Task[]> {
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
