import { defined } from '../../../contracts/constants/defined.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import type { Plan } from '../../../contracts/plan/plan.js';
import type {
  ClaimRequest,
  CreateTaskRequest,
  PatchTaskRequest,
  Task,
  TaskSummary,
} from '../../../contracts/plan/task.js';
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
import { demand } from '../../errors.js';
import { proven, sentBy, type ListedForm, type Read } from '../../parts/caller.js';
import type { Creation } from '../../parts/calls/once.js';
import { referenced, refused } from '../../parts/refusals.js';
import { FIRST, IN_BODY, READ, WRITE, useCase, type Call } from '../usecase.js';
import { listTasks as tasksOf, type TaskListOptions } from '../../../store/queries/plan.js';
import { readable } from '../visibility.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import { isOwnTask } from '../../../domain/plan/task-claim.js';
import {
  claimTaskUpdate,
  patchTaskUpdate,
  type TaskInput,
  type TaskWritten,
} from '../../../workflows/task/messages.js';

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
  // Revision 0: reports of the task itself take precedence. Nothing refers to outputs or errors of these tasks.
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

/** Returns the intent of a task. Throws `intent_not_found` or `intent_closed` at a field if it can have no task. */
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

/** Throws `state_too_large` if the input of a task is too large. */
export function demandInputFits(input: Task['input'], field: string): void {
  if (jsonBytes(input) <= LIMITS.taskInputBytes) return;
  throw refused('state_too_large', 'The input of the task is too large.', {
    field,
    accepted: `at most ${LIMITS.taskInputBytes} bytes of JSON`,
  });
}

/** Returns all that a request for a task names: its plan, its parent, and the tasks on which it depends. */
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

export const getTask = useCase({
  name: 'getTask',
  resource: 'task',
  refusals: READ,
  async run(call: Call, taskId: string): Promise<Read<Task>> {
    return readable(call, 'getTask', call.parts.tasks.read(taskId));
  },
});

export const listTasks = useCase({
  name: 'listTasks',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run(
    { parts }: Call,
    intentId: string,
    page: TaskListOptions,
  ): Promise<ListedForm<Task, TaskSummary>> {
    return parts.tasks.listOf(tasksOf, intentId, page);
  },
});

const TASK_WRITE = [
  'wrong_agent',
  'task_claimed',
  'invalid_transition',
  'upstream_intent_suspended',
  'unresolvable_input',
  ...WRITE,
] as const;

/** Changes a task; `anyStatus` is for an API without a status machine. */
export const patchTask = useCase({
  name: 'patchTask',
  resource: 'task',
  refusals: [
    'version_conflict',
    'intent_suspended',
    'missing_output',
    'output_type_mismatch',
    'state_too_large',
    ...TASK_WRITE,
  ],
  async run(
    call: Call,
    taskId: string,
    if_match: number,
    request: PatchTaskRequest,
    { anyStatus = false }: { readonly anyStatus?: boolean } = {},
  ): Promise<Task> {
    const { caller, parts } = call;
    await demandReach(call, taskId);
    const any_status = anyStatus && { any_status: true };
    const input = { ...sentBy(caller), if_match, request, ...any_status };
    return written(call, taskId, await parts.tasks.write(taskId, patchTaskUpdate, input));
  },
});

/** A claim; `waits_for` says why a waiting one is not granted yet. */
export interface Claimed {
  readonly task: Task;
  readonly waits_for: Refusal | null;
}

export const claimTask = useCase({
  name: 'claimTask',
  resource: 'task',
  refusals: ['state_too_large', ...TASK_WRITE],
  async run(call: Call, taskId: string, { wait }: ClaimRequest): Promise<Claimed> {
    const { caller, parts } = call;
    await demandReach(call, taskId);
    const input = { ...sentBy(caller), wait };
    const result = await parts.tasks.write(taskId, claimTaskUpdate, input);
    return { task: await written(call, taskId, result), waits_for: result.waits_for };
  },
});

/**
 * Demands that the caller may write the task: an agent that reads only its own writes tasks of intents that it may
 * read, and those that it has or that name it.
 */
async function demandReach({ caller, parts }: Call, taskId: string): Promise<void> {
  const { ownReach, tasks, clock } = parts;
  if (!ownReach.readsOnlyOwn(caller)) return;
  const { value: task } = await tasks.known(taskId);
  if (isOwnTask(task, caller.principal, clock.now())) return;
  await ownReach.demandOwn(caller, task.intent_id);
}

async function written({ parts }: Call, taskId: string, result: TaskWritten): Promise<Task> {
  parts.tasks.touch(taskId, result.version);
  return result.task ?? (await parts.tasks.known(taskId)).value;
}
