import { ParentClosePolicy, condition, startChild } from '@temporalio/workflow';
import { WORKFLOW_TYPES, workflowIdOf } from '../../contracts/constants/names.js';
import type { TaskNews } from '../../contracts/task.js';
import { summaryOf } from '../../domain/kernel/text.js';
import { withoutTask } from '../../domain/plan/questions.js';
import { failPlan } from '../../domain/plan/failure.js';
import { openTasks } from '../../domain/plan/state.js';
import type { PlanDuty } from '../../domain/plan/state.js';
import { newsSignal } from '../engine/messages.js';
import { planAttributes } from '../engine/search-attributes.js';
import { signalEach, trySignal } from '../engine/sender.js';
import { orderSignal, retrySignal } from '../task/messages.js';
import type { TaskInput } from '../task/messages.js';
import type { PlanEntity } from './entity.js';
import { askApproval, askDecision, withdraw } from './questions.js';

/** How long the plan waits until its tasks say that they are cancelled. */
const CANCELLED_WITHIN_MS = 60_000;

/** Starts the tasks, and does what followed from changes and takes more than telling. */
export async function doDuties(entity: PlanEntity): Promise<void> {
  if (!entity.hasBegun) await begin(entity);
  for (const duty of entity.takeDuties()) await doDuty(entity, duty);
}

/** One task after the other, so that each finds those that it depends on. */
async function begin(entity: PlanEntity): Promise<void> {
  for (const child of entity.children) await startTask(child);
  entity.begin();
}

async function doDuty(entity: PlanEntity, duty: PlanDuty): Promise<void> {
  switch (duty.kind) {
    case 'ask_approval':
      return askApproval(entity, duty.checkpoint_id);
    case 'ask_decision':
      return askDecision(entity, duty.task_id);
    case 'withdraw':
      return withdraw(entity, 'decided_otherwise', duty.suspension_id);
    case 'retry':
      return retry(entity, duty);
    case 'skip':
      return skip(entity, duty.task_id);
  }
}

/** A task that ended with its intent cannot be tried again: nothing is left to the plan (RFC-0012 §2.2). */
async function retry(
  entity: PlanEntity,
  { task_id, attempt, granted }: Extract<PlanDuty, { kind: 'retry' }>,
): Promise<void> {
  const taskId = workflowIdOf('task', task_id);
  if ((await trySignal(taskId, retrySignal, attempt, granted)) || entity.closed) return;
  const cause = { failed_task_id: task_id, error: 'intent_closed' };
  entity.apply((state) => failPlan(state, entity.at, cause));
}

/** Where the task ends with its intent, the plan sends its news to those that depend on it. */
async function skip(entity: PlanEntity, taskId: string): Promise<void> {
  const order = { kind: 'skip' } as const;
  const isThere = newsOf(entity, taskId)?.final !== true;
  if (isThere && (await trySignal(workflowIdOf('task', taskId), orderSignal, order))) return;
  entity.apply((state) => withoutTask(state, taskId, entity.at));
  const news = newsOf(entity, taskId);
  const dependents = entity.state.members.filter(({ depends_on }) => depends_on.includes(taskId));
  if (!news) return;
  const workflowIds = dependents.map(({ task_id }) => workflowIdOf('task', task_id));
  await signalEach(workflowIds, newsSignal, news);
}

function newsOf({ state }: PlanEntity, taskId: string): TaskNews | null {
  return state.members.find(({ task_id }) => task_id === taskId)?.news ?? null;
}

/** Cancels the tasks of a plan that was cancelled or has failed, and waits until they say so. */
export async function cancelTasks(entity: PlanEntity): Promise<void> {
  const { state } = entity.state.plan;
  if (state === 'completed') return;
  const order = { kind: 'cancel', reason: `plan_${state}` } as const;
  const ordered = openTasks(entity.state).map(async (taskId) => {
    return (await trySignal(workflowIdOf('task', taskId), orderSignal, order)) ? [taskId] : [];
  });
  const reached = (await Promise.all(ordered)).flat();
  const isOpen = () => openTasks(entity.state).some((taskId) => reached.includes(taskId));
  if (isOpen()) await condition(() => !isOpen(), CANCELLED_WITHIN_MS);
}

/** Starts a task of the plan, which outlives a run that continues as new, and the plan itself. */
export async function startTask(child: TaskInput): Promise<void> {
  const { id, name, intent_id, status } = child.task;
  await startChild(WORKFLOW_TYPES.task, {
    workflowId: workflowIdOf('task', id),
    args: [child],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: summaryOf(name),
    typedSearchAttributes: planAttributes(intent_id, status),
  });
}
