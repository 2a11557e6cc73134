import { condition, ParentClosePolicy, startChild } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { WORKFLOW_TYPES } from '../../contracts/constants/names.js';
import type { QuestionFindings, SuspensionDraft } from '../../contracts/suspension/suspension.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { summaryOf } from '../../domain/kernel/text.js';
import { failPlan } from '../../domain/plan/failure.js';
import {
  checkpointAsked,
  checkpointQuestion,
  failureAsked,
  failureQuestion,
  withoutTask,
} from '../../domain/plan/questions.js';
import {
  newsOf,
  openQuestions,
  openTasks,
  questionStarted,
  type Member,
  type PlanDuty,
} from '../../domain/plan/state.js';
import { newsSignal } from '../engine/messages.js';
import { planAttributes, spaceAttribute } from '../engine/search-attributes.js';
import { signalEach, trySignal } from '../engine/sender.js';
import { ownSpace, peerIdOf } from '../engine/space.js';
import { newQuestion, openQuestion } from '../suspension/open-question.js';
import { withdrawSignal } from '../suspension/messages.js';
import { orderSignal, retrySignal, type TaskInput } from '../task/messages.js';
import { WRITERS } from '../engine/row-duty.js';
import type { PlanEntity } from './entity.js';

/** How long the plan waits for its tasks to confirm their cancellation. */
const CANCELLED_WITHIN_MS = 60_000;

/** Starts the tasks, and carries out what a change requires besides rows and Signals. */
export async function doDuties(entity: PlanEntity): Promise<void> {
  if (!entity.hasBegun) await begin(entity);
  for (const duty of entity.takeDuties()) await doDuty(entity, duty);
}

/** Starts dependencies before the tasks that need them. */
async function begin(entity: PlanEntity): Promise<void> {
  for (const wave of startWaves(entity.children)) await Promise.all(wave.map(startTask));
  entity.begin();
}

/** How many tasks are started at once: one workflow task sends them all to Temporal. */
const WAVE = { tasks: 50, bytes: WORKFLOW_LIMITS.journalBatchBytes };

/** Groups tasks, listed after their dependencies, so that each group can start at once. */
function startWaves(children: readonly TaskInput[]): readonly (readonly TaskInput[])[] {
  const waves: TaskInput[][] = [];
  let inWave = new Set<string>();
  let bytes = 0;
  for (const child of children) {
    bytes += jsonBytes(child);
    const isFull = inWave.size === WAVE.tasks || bytes > WAVE.bytes;
    if (waves.length === 0 || isFull || child.task.depends_on.some((id) => inWave.has(id))) {
      waves.push([]);
      inWave = new Set();
      bytes = jsonBytes(child);
    }
    inWave.add(child.task.id);
    waves.at(-1)?.push(child);
  }
  return waves;
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

/** A task that ended with its intent cannot be retried, so the plan fails (RFC-0012 §2.2). */
async function retry(
  entity: PlanEntity,
  { task_id, attempt, granted }: Extract<PlanDuty, { kind: 'retry' }>,
): Promise<void> {
  const taskId = peerIdOf('task', task_id);
  if ((await trySignal(taskId, retrySignal, attempt, granted)) || entity.closed) return;
  const cause = { failed_task_id: task_id, error: 'intent_closed' };
  entity.apply((state) => failPlan(state, entity.at, cause));
}

/** If the task has ended with its intent, the plan sends its news to the dependent tasks. */
async function skip(entity: PlanEntity, taskId: string): Promise<void> {
  const order = { kind: 'skip' } as const;
  const isThere = memberOf(entity, taskId)?.news?.final !== true;
  if (isThere && (await trySignal(peerIdOf('task', taskId), orderSignal, order))) return;
  entity.apply((state) => withoutTask(state, taskId, entity.at));
  const member = memberOf(entity, taskId);
  const news = member && newsOf(member);
  const dependents = entity.state.members.filter(({ depends_on }) => depends_on.includes(taskId));
  if (!news) return;
  const workflowIds = dependents.map(({ task_id }) => peerIdOf('task', task_id));
  await signalEach(workflowIds, newsSignal, news);
}

function memberOf({ state }: PlanEntity, taskId: string): Member | undefined {
  return state.members.find(({ task_id }) => task_id === taskId);
}

/** Cancels the tasks of a plan that was cancelled or has failed, and waits until they confirm it. */
export async function cancelTasks(entity: PlanEntity): Promise<void> {
  const { state, workflow } = entity.state.plan;
  if (state === 'completed') return;
  const phase = workflow !== null && ({ phase: true } as const);
  const order = { kind: 'cancel', reason: `plan_${state}`, ...phase } as const;
  const ordered = openTasks(entity.state).map(async (taskId) => {
    return (await trySignal(peerIdOf('task', taskId), orderSignal, order)) ? [taskId] : [];
  });
  const reached = (await Promise.all(ordered)).flat();
  const isOpen = () => openTasks(entity.state).some((taskId) => reached.includes(taskId));
  if (isOpen()) await condition(() => !isOpen(), CANCELLED_WITHIN_MS);
}

/** Starts a task of the plan, which outlives a run that continues as new, and the plan itself. */
export async function startTask(child: TaskInput): Promise<void> {
  const { id, name, intent_id, status } = child.task;
  await startChild(WORKFLOW_TYPES.task, {
    workflowId: peerIdOf('task', id),
    args: [child],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: summaryOf(name),
    typedSearchAttributes: [spaceAttribute(ownSpace()), ...planAttributes(intent_id, status)],
  });
}

/** Opens the question of a checkpoint (R26-16). */
async function askApproval(entity: PlanEntity, id: string): Promise<void> {
  const { state } = entity;
  const checkpoint = state.plan.checkpoints.find((one) => one.id === id);
  if (checkpoint?.status !== 'reached' || entity.closed) return;
  const { warnings } = checkpoint;
  const asked = (suspensionId: string) => {
    entity.apply((known) => checkpointAsked(known, id, suspensionId));
  };
  await open(entity, checkpointQuestion(state, checkpoint), asked, warnings && { warnings });
}

async function askDecision(entity: PlanEntity, taskId: string): Promise<void> {
  const { state } = entity;
  const escalation = state.plan.escalations.find(({ task_id }) => task_id === taskId);
  const isDue = escalation?.status === 'open' && escalation.suspension_id === null;
  if (!isDue || entity.closed) return;
  await open(entity, failureQuestion(state, escalation), (suspensionId) =>
    entity.apply((known) => failureAsked(known, taskId, suspensionId)),
  );
}

/**
 * Opens a suspension whose subject is the plan. The plan's intent continues, and may wait for a question of its own. The
 * plan reaches the store once the question has started, so that whoever finds it there can answer it.
 */
async function open(
  entity: PlanEntity,
  draft: SuspensionDraft,
  asked: (suspensionId: string) => void,
  findings?: QuestionFindings,
): Promise<void> {
  const { id: planId, created_by: asked_by } = entity.state.plan;
  const question = newQuestion(draft, {
    intent_id: null,
    subject_workflow_id: peerIdOf('plan', planId),
    writers: WRITERS.plan,
    asked_by,
    ...(findings && { findings }),
  });
  await entity.journal.together(async () => {
    asked(question.record.id);
    entity.watch.follow(await openQuestion(question));
    entity.apply((known) => questionStarted(known, entity.at));
  });
}

async function withdraw(
  { state, intentEnd }: PlanEntity,
  reason: string,
  ...suspensionIds: readonly string[]
): Promise<void> {
  const withdrawal = {
    intent_id: null,
    cancelled_by: state.plan.created_by,
    settled_by: reason === intentEnd ? ('intent' as const) : ('agent' as const),
    reason,
  };
  const workflowIds = suspensionIds.map((id) => peerIdOf('suspension', id));
  await signalEach(workflowIds, withdrawSignal, withdrawal);
}

/** Withdraws all open questions of a finished plan, without waiting for the results. */
export async function withdrawQuestions(entity: PlanEntity): Promise<void> {
  await entity.watch.letGo();
  const { state, intentEnd = 'plan_over' } = entity;
  await withdraw(entity, intentEnd, ...openQuestions(state.plan));
}
