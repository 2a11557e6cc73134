import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { createPlanRequestSchema, type Plan } from '../../../contracts/plan/plan.js';
import {
  createTaskRequestSchema,
  taskDefinitionSchema,
  type PatchTaskRequest,
  type Task,
} from '../../../contracts/plan/task.js';
import { assemblePlan, initialNews, type PlanDraft } from '../../../domain/plan/assembly.js';
import { newTask } from '../../../domain/plan/task.js';
import { patchPlanUpdate, planQuery, type PlanInput } from '../../../workflows/plan/messages.js';
import type { plan } from '../../../workflows/plan/workflow.js';
import {
  claimTaskUpdate,
  patchTaskUpdate,
  taskQuery,
  type ClaimReceipt,
  type TaskInput,
} from '../../../workflows/task/messages.js';
import type { task } from '../../../workflows/task/workflow.js';
import type { IntentHandle } from './intents.js';
import type { World } from './world.js';
import { lookUntil } from '../../support/looks.js';
import { sent } from '../../support/callers.js';

export type TaskHandle = WorkflowHandle<typeof task>;
export type PlanHandle = WorkflowHandle<typeof plan>;

/** The entity id in a handle's workflow id. */
export function idOf({ workflowId }: { readonly workflowId: string }): string {
  return workflowId.slice(workflowId.indexOf('-') + 1);
}

/** Starts a task of no plan for an intent. */
export async function openTask(
  world: World,
  intent: { readonly workflowId: string },
  fields: object = {},
  input: Partial<TaskInput> = {},
): Promise<TaskHandle> {
  const request = createTaskRequestSchema.parse({
    intent_id: idOf(intent),
    name: 'review',
    ...fields,
  });
  const created_at = new Date(await world.now()).toISOString();
  const identity = { id: randomUUID(), created_by: 'planner', created_at };
  const upstream = request.depends_on.map((id) => initialNews({ id, name: id }));
  return world.client.start<typeof task>('task', {
    workflowId: workflowIdOf('task', identity.id),
    taskQueue: world.taskQueue,
    args: [{ task: newTask(request, identity), upstream, ...input }],
  });
}

export interface OpenedPlan {
  readonly handle: PlanHandle;
  /** By name. */
  readonly task: (name: string) => TaskHandle;
  /** What starts its tasks. */
  readonly children: readonly TaskInput[];
}

/** Starts a plan with the tasks it defines; active unless told otherwise. */
export async function openPlan(
  world: World,
  intent: IntentHandle,
  {
    workflow = null,
    ...fields
  }: Readonly<Record<string, unknown>> & Partial<Pick<PlanDraft, 'workflow'>>,
  input: Partial<PlanInput> = {},
): Promise<OpenedPlan> {
  const request = createPlanRequestSchema.parse({
    intent_id: idOf(intent),
    state: 'active',
    ...fields,
  });
  const definitions = request.tasks.map((one) => taskDefinitionSchema.parse(one));
  const id = randomUUID();
  const created_at = new Date(await world.now()).toISOString();
  const statics = { trigger: {}, initial_state: {} };
  const made = { id, created_by: 'planner', created_at, workflow, existing: [], statics };
  const assembled = assemblePlan({ ...request, definitions, ...made }, randomUUID);
  const handle = await world.client.start<typeof plan>('plan', {
    workflowId: workflowIdOf('plan', id),
    taskQueue: world.taskQueue,
    args: [{ ...assembled, ...input }],
  });
  const idsByName = new Map(assembled.members.map((one) => [one.name, one.task_id]));
  return {
    handle,
    task: (name) => world.client.getHandle<typeof task>(`task-${idsByName.get(name) ?? ''}`),
    children: assembled.children,
  };
}

/** The task as it is read */
export async function readTask(handle: TaskHandle): Promise<Task> {
  return handle.query(taskQuery);
}

/** The plan as it is read */
export async function readPlan(handle: PlanHandle): Promise<Plan> {
  return (await handle.query(planQuery)).plan;
}

/** The task, once it is as looked for. */
export async function taskOnce(
  handle: TaskHandle,
  isWanted: (task: Task) => boolean,
): Promise<Task> {
  let found: Task | undefined;
  return lookUntil(
    async () => {
      found = await readTask(handle).catch(() => undefined);
      return found && isWanted(found) && found;
    },
    () => `the task never got there: ${JSON.stringify(found)}`,
  );
}

/** The plan, once it is as looked for. */
export async function planOnce(
  handle: PlanHandle,
  isWanted: (plan: Plan) => boolean,
): Promise<Plan> {
  let found: Plan | undefined;
  return lookUntil(
    async () => {
      found = await readPlan(handle);
      return isWanted(found) && found;
    },
    () => `the plan never got there: ${JSON.stringify(found)}`,
  );
}

/** Writes a task under the version it has now. */
export async function patchTask(
  handle: TaskHandle,
  request: PatchTaskRequest,
  actor = 'agent-1',
): Promise<Task> {
  const { version: if_match } = await readTask(handle);
  const input = { ...sent(actor), if_match, request };
  const { task: written } = await handle.executeUpdate(patchTaskUpdate, { args: [input] });
  return written ?? assert.fail('the task is too large');
}

export async function claimTask(
  handle: TaskHandle,
  actor = 'agent-1',
  wait = false,
): Promise<ClaimReceipt> {
  return handle.executeUpdate(claimTaskUpdate, { args: [{ ...sent(actor), wait }] });
}

/** Takes a task that is ready all the way to its completion. */
export async function doTask(handle: TaskHandle, output: Task['input'] = {}): Promise<void> {
  await taskOnce(handle, ({ status }) => status === 'ready');
  await claimTask(handle);
  await patchTask(handle, { status: 'running' });
  await patchTask(handle, { status: 'completed', output });
}

export async function activate(handle: PlanHandle, state: 'active' | 'cancelled' = 'active') {
  const { version: if_match } = await readPlan(handle);
  const input = { ...sent('planner'), if_match, state, members: [] };
  const written = await handle.executeUpdate(patchPlanUpdate, { args: [input] });
  return written ?? assert.fail('the plan is too large');
}

/** A plan that waits for its checkpoint, and the id of that question, which is delivered. */
export async function planAtCheckpoint(world: World, input: Partial<PlanInput> = {}) {
  const two = {
    tasks: [{ name: 'build' }, { name: 'ship', depends_on: ['build'] }],
    checkpoints: [{ after_task: 'build' }],
  };
  const { handle, task } = await openPlan(world, await world.openIntent(), two, input);
  await doTask(task('build'));
  const asked = await planOnce(handle, ({ checkpoints }) => !!checkpoints[0]?.suspension_id);
  const id = asked.checkpoints[0]?.suspension_id ?? '';
  await world.delivered(id);
  return { handle, task, id };
}
