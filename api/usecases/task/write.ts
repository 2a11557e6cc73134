import type { Refusal } from '../../../contracts/kernel/problem.js';
import type { ClaimRequest, PatchTaskRequest, Task } from '../../../contracts/plan/task.js';
import { isOwnTask } from '../../../domain/plan/task-access.js';
import { claimTaskUpdate, patchTaskUpdate } from '../../../workflows/task/messages.js';
import type { TaskWritten } from '../../../workflows/task/messages.js';
import { sentBy } from '../../parts/caller.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

const TASK_WRITE = [
  'wrong_agent',
  'task_claimed',
  'invalid_transition',
  'upstream_intent_suspended',
  'unresolvable_input',
  ...WRITE,
] as const;

/** `anyStatus` is for an API without a status machine. */
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

/** A claim; `waits_for` says why one that waits is not granted yet. */
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

/** An agent that reads only its own writes tasks of intents that it may read, and those that it has or that name it. */
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
