import { defined } from '../../../contracts/constants/defined.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import type { Plan } from '../../../contracts/plan/plan.js';
import type { CreateTaskRequest, Task } from '../../../contracts/plan/task.js';
import { isClosed } from '../../../domain/intent/entity.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { memberOf } from '../../../domain/plan/assembly.js';
import { checkTaskSize } from '../../../domain/plan/sizes.js';
import { storedNews } from '../../../domain/plan/task-state.js';
import { newTask } from '../../../domain/plan/task.js';
import { guardFor } from '../../../domain/policy/access-list.js';
import { planAttributes } from '../../../workflows/engine/search-attributes.js';
import { addTaskUpdate } from '../../../workflows/plan/messages.js';
import type { TaskInput } from '../../../workflows/task/messages.js';
import { demand } from '../../errors.js';
import { proven } from '../../parts/caller.js';
import type { Creation } from '../../parts/calls/once.js';
import { referenced, refused } from '../../parts/refusals.js';
import { IN_BODY, WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/** Creates a task (RFC-0012 §1), in a plan or in none; with an Idempotency-Key once. */
export const createTask = useCase({
  name: 'createTask',
  resource: 'intent',
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
  intentIn: IN_BODY,
  async run(call: Call, request: CreateTaskRequest, key?: string): Promise<Task> {
    const { caller, parts } = call;
    const creation = parts.creationOf('task', caller, key, request);
    return parts.tasks.createOnce(creation, () => create(call, request, creation));
  },
});

async function create(
  call: Call,
  request: CreateTaskRequest,
  { id, creation_hash }: Creation,
): Promise<Task | 'exists'> {
  const { caller, parts } = call;
  const { intent_id } = request;
  demandInputFits(request.input, 'input');
  const guard = guardFor(await demandOpenIntent(call, intent_id, 'intent_id'));
  const { around, upstream } = await namedIn(call, request);
  await parts.access.demandAccessTo(caller, 'getTask', [...around, ...upstream], intent_id);
  const created_at = toInstant(parts.clock.now());
  const task = newTask(request, { id, created_by: caller.principal, created_at });
  // Revision 0: what the task itself reports counts more. Nothing refers to an output of theirs, or to an error.
  const news = upstream.map((one) => {
    const { output: _output, ...rest } = storedNews(one, 0);
    return { ...rest, error: null };
  });
  const input = {
    task,
    upstream: news,
    ...defined({ guard, creation_hash }),
  };
  demand(checkTaskSize(input));
  if ((await start(call, input)) === 'exists') return 'exists';
  parts.tasks.touch(task.id, 1);
  return task;
}

/**
 * Returns the intent of a task. Throws `intent_not_found` or `intent_closed` at a field for an intent that can have no
 * task.
 */
export async function demandOpenIntent(
  { parts }: Call,
  intentId: string,
  field: string,
): Promise<Intent> {
  const { value: intent } = await referenced(field, parts.patientReads.getIntent(intentId));
  const { status } = intent;
  if (!isClosed(status)) return intent;
  const state = { intent_status: status };
  throw refused('intent_closed', `The intent is ${status}.`, { field, state });
}

/** Throws `state_too_large` if the input of a task is more than a task takes. */
export function demandInputFits(input: Task['input'], field: string): void {
  if (jsonBytes(input) <= LIMITS.taskInputBytes) return;
  throw refused('state_too_large', 'The input of the task is too large.', {
    field,
    accepted: `at most ${LIMITS.taskInputBytes} bytes of JSON`,
  });
}

/** Everything that a request for a task names: its plan and its parent, and the tasks on which it depends. */
async function namedIn(
  { parts: { plans, tasks } }: Call,
  { plan_id, parent_task_id: parent, depends_on: ids }: CreateTaskRequest,
): Promise<{ readonly around: readonly (Plan | Task)[]; readonly upstream: readonly Task[] }> {
  const around: (Plan | Task)[] = [];
  if (plan_id) around.push((await referenced('plan_id', plans.known(plan_id))).value);
  if (parent) around.push((await referenced('parent_task_id', tasks.known(parent))).value);
  const upstream = await Promise.all(
    ids.map((id, index) => referenced(`depends_on[${index}]`, tasks.known(id))),
  );
  return { around, upstream: upstream.map(({ value }) => value) };
}

/** Starts a task, by the workflow of its plan if it is in one: a plan adds a task once under a key. */
async function start({ caller, parts }: Call, input: TaskInput): Promise<'started' | 'exists'> {
  const { id, name, intent_id, status, plan_id } = input.task;
  if (plan_id === null) {
    return parts.temporal.start('task', {
      workflowId: workflowIdOf('task', id),
      input,
      summary: name,
      attributes: planAttributes(intent_id, status),
    });
  }
  const added = { by: proven(caller), child: input, member: memberOf(input.task) };
  await parts.plans.write(plan_id, addTaskUpdate, added, ({ state }) =>
    refused('invalid_transition', `The plan is ${state}.`, { field: 'plan_id' }),
  );
  return 'started';
}
