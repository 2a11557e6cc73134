import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Intent } from '../../../contracts/intent.js';
import type { Plan } from '../../../contracts/plan.js';
import type { Refusal } from '../../../contracts/problem.js';
import type {
  ClaimRequest,
  CreateTaskRequest,
  PatchTaskRequest,
  Task,
} from '../../../contracts/task.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { memberOf } from '../../../domain/plan/assembly.js';
import { isClosed } from '../../../domain/intent/entity.js';
import { checkTaskSize } from '../../../domain/plan/sizes.js';
import { guardFor } from '../../../domain/policy/access-list.js';
import { storedNews } from '../../../domain/plan/task-state.js';
import { isOwnTask } from '../../../domain/plan/task-access.js';
import { newTask } from '../../../domain/plan/task.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { addTaskUpdate } from '../../../workflows/plan/messages.js';
import {
  claimTaskUpdate,
  patchTaskUpdate,
  type TaskInput,
  type TaskWritten,
} from '../../../workflows/task/messages.js';
import { creationQuery } from '../../../workflows/engine/messages.js';
import { planAttributes } from '../../../workflows/engine/search-attributes.js';
import { demand } from '../../errors.js';
import { proven, sentBy } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import type { PlanReads } from './reads.js';
import type { Access, OwnReach } from '../intent/access.js';
import type { Reads } from '../intent/reads.js';
import type { FromStore } from '../reads/from-store.js';
import { referenced, refused } from '../refusals.js';
import { createLiveWrite } from '../calls/live.js';
import { createOnce } from '../calls/once.js';
import type { Creation, CreationOf } from '../calls/once.js';
import type { Temporal } from '../calls/temporal.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'start' | 'update' | 'query'>;
  readonly fromStore: FromStore;
  readonly creationOf: CreationOf;
  readonly clock: Pick<Clock, 'now'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly planReads: PlanReads;
  readonly access: Pick<Access, 'demandAccessTo'>;
  readonly ownReach: Pick<OwnReach, 'readsOnlyOwn' | 'demandOwn'>;
}

/**
 * Returns the intent of a task. Throws `intent_not_found` or `intent_closed` at a field for an intent that can have no
 * task.
 */
export async function demandOpenIntent(
  reads: Pick<Reads, 'getIntent'>,
  intentId: string,
  field: string,
): Promise<Intent> {
  const { value: intent } = await referenced(field, reads.getIntent(intentId));
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

/** What a request for a task names: its plan and its parent, and the tasks on which it depends. */
async function namedIn(
  { methods }: Pick<PlanReads, 'methods'>,
  { plan_id, parent_task_id: parent, depends_on: ids }: CreateTaskRequest,
): Promise<{ readonly around: readonly (Plan | Task)[]; readonly upstream: readonly Task[] }> {
  const around: (Plan | Task)[] = [];
  if (plan_id) around.push((await referenced('plan_id', methods.getPlan(plan_id))).value);
  if (parent) around.push((await referenced('parent_task_id', methods.getTask(parent))).value);
  const upstream = await Promise.all(
    ids.map((id, index) => referenced(`depends_on[${index}]`, methods.getTask(id))),
  );
  return { around, upstream: upstream.map(({ value }) => value) };
}

/** Starts a task, by the workflow of its plan if it is in one: a plan adds a task once under a key. */
function createStart({ temporal, planReads }: Pick<Deps, 'temporal' | 'planReads'>) {
  const writeToPlan = createLiveWrite(temporal, 'plan', async (id) => {
    const { state } = (await planReads.methods.getPlan(id)).value;
    return refused('invalid_transition', `The plan is ${state}.`, { field: 'plan_id' });
  });

  function startAlone(input: TaskInput): Promise<'started' | 'exists'> {
    const { id, name, intent_id, status } = input.task;
    return temporal.start('task', {
      workflowId: workflowIdOf('task', id),
      input,
      summary: name,
      attributes: planAttributes(intent_id, status),
    });
  }

  async function startInPlan(caller: Caller, planId: string, child: TaskInput): Promise<void> {
    const by = proven(caller);
    await writeToPlan(planId, addTaskUpdate, { by, child, member: memberOf(child.task) });
  }

  return async (caller: Caller, input: TaskInput): Promise<'started' | 'exists'> => {
    const { plan_id } = input.task;
    if (plan_id === null) return startAlone(input);
    await startInPlan(caller, plan_id, input);
    return 'started';
  };
}

/**
 * Creates tasks (RFC-0012 §1). Throws `intent_not_found`, `intent_closed`, `task_not_found` and
 * `plan_not_found` at the field that names it, `invalid_transition` if the plan is over, and `forbidden` if the access
 * list of another intent keeps the tasks that it names from the caller.
 */
export function createTaskCreation(deps: Deps) {
  const { clock, reads, planReads, access, creationOf } = deps;
  const start = createStart(deps);

  async function create(
    caller: Caller,
    request: CreateTaskRequest,
    creation: Creation,
  ): Promise<Task | 'exists'> {
    const { intent_id } = request;
    demandInputFits(request.input, 'input');
    const guard = guardFor(await demandOpenIntent(reads, intent_id, 'intent_id'));
    const { around, upstream } = await namedIn(planReads, request);
    await access.demandAccessTo(caller, 'getTask', [...around, ...upstream], intent_id);
    const created_at = toInstant(clock.now());
    const task = newTask(request, { id: creation.id, created_by: caller.principal, created_at });
    // Revision 0: what the task itself reports counts more. Nothing refers to an output of theirs, or to an error.
    const news = upstream.map((one) => {
      const { output: _output, ...rest } = storedNews(one, 0);
      return { ...rest, error: null };
    });
    const { creation_hash } = creation;
    const input = {
      task,
      upstream: news,
      ...(guard && { guard }),
      ...(creation_hash !== undefined && { creation_hash }),
    };
    demand(checkTaskSize(input));
    if ((await start(caller, input)) === 'exists') return 'exists';
    planReads.tasks.touch(task.id, 1);
    return task;
  }

  return {
    /** With an Idempotency-Key it is created once; see `createOnce`. */
    async createTask(
      caller: Caller,
      request: CreateTaskRequest,
      idempotencyKey?: string,
    ): Promise<Task> {
      const creation = creationOf('task', caller, idempotencyKey, request);
      return createOnce(deps, creation, {
        table: 'tasks',
        definition: creationQuery,
        create: () => create(caller, request, creation),
        viewOf: async () => (await planReads.methods.getTask(creation.id)).value,
        read: planReads.methods.getTask,
      });
    },
  };
}

/**
 * Writes of tasks: each throws what the task refuses with, `task_not_found`, `invalid_transition` where
 * its workflow has ended, and `forbidden` where an agent that reads only its own may not read the task.
 */
export function createTaskWrites({
  temporal,
  clock,
  planReads,
  ownReach,
}: Pick<Deps, 'temporal' | 'clock' | 'planReads' | 'ownReach'>) {
  const write = createLiveWrite(temporal, 'task', async (id) => {
    const { status } = (await planReads.methods.getTask(id)).value;
    return refused('invalid_transition', `The task is ${status}.`, {
      field: 'status',
      accepted: 'nothing: the task is over',
      state: { task_status: status },
    });
  });

  /** An agent that reads only its own writes tasks of intents that it may read, and those that it has or that name it. */
  async function demandReach(caller: Caller, taskId: string): Promise<void> {
    if (!ownReach.readsOnlyOwn(caller)) return;
    const { value: task } = await planReads.methods.getTask(taskId);
    if (isOwnTask(task, caller.principal, clock.now())) return;
    await ownReach.demandOwn(caller, task.intent_id);
  }

  async function written(taskId: string, result: TaskWritten): Promise<Task> {
    planReads.tasks.touch(taskId, result.version);
    return result.task ?? (await planReads.methods.getTask(taskId)).value;
  }

  return {
    /** `anyStatus` is for an API without a status machine. */
    async patchTask(
      caller: Caller,
      taskId: string,
      ifMatch: number,
      request: PatchTaskRequest,
      { anyStatus = false }: { readonly anyStatus?: boolean } = {},
    ): Promise<Task> {
      await demandReach(caller, taskId);
      const result = await write(taskId, patchTaskUpdate, {
        ...sentBy(caller),
        if_match: ifMatch,
        request,
        ...(anyStatus && { any_status: true }),
      });
      return written(taskId, result);
    },
    /** `waits_for` says why a claim that waits is not granted yet. */
    async claimTask(
      caller: Caller,
      taskId: string,
      { wait }: ClaimRequest,
    ): Promise<{ task: Task; waits_for: Refusal | null }> {
      await demandReach(caller, taskId);
      const result = await write(taskId, claimTaskUpdate, { ...sentBy(caller), wait });
      return { task: await written(taskId, result), waits_for: result.waits_for };
    },
  };
}
