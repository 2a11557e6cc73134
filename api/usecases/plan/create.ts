import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import type { CreatePlanRequest, Plan } from '../../../contracts/plan/plan.js';
import type { TaskDefinition } from '../../../contracts/plan/task.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { guardFor } from '../../../domain/policy/access-list.js';
import type { PlanInput } from '../../../workflows/plan/messages.js';
import { refused } from '../../parts/refusals.js';
import { demandOpenIntent } from '../task/create.js';
import { IN_BODY, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { planFor } from '../visibility.js';
import { existingTasks } from './patch.js';
import { CREATION, demandApprovers, demandPlan, demandStart, startPlan } from './start.js';
import type { Draft, UnknownNames } from './start.js';

/** Creates a plan (RFC-0012 §2) of tasks that exist, or of definitions; with an Idempotency-Key once. */
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

function isDefinition(one: string | TaskDefinition): one is TaskDefinition {
  return typeof one !== 'string';
}

function indexOfTask({ tasks }: CreatePlanRequest, name: string): number {
  return tasks.findIndex((one) => isDefinition(one) && one.name === name);
}
