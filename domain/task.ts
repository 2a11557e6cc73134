import type { CreateTaskRequest, Task, TaskNews } from '../contracts/task.js';
import type { DeclaredInputs, DeclaredOutputs } from '../contracts/phase-io.js';
import { holds, parseCondition } from './condition.js';
import { CLOCK_ACTOR } from './suspension-events.js';
import { claim, isSatisfied } from './task-claim.js';
import { UNUSED } from './task-clock.js';
import { followHolds } from './task-hold.js';
import {
  andThen,
  evolve,
  taskEvent,
  unchanged,
  type Gate,
  type TaskChange,
  type TaskRules,
  type TaskState,
} from './task-state.js';

interface Identity {
  readonly id: string;
  readonly created_by: string;
  readonly created_at: string;
}

interface Wiring {
  readonly inputs: DeclaredInputs;
  readonly outputs: DeclaredOutputs;
  readonly blocks: readonly string[];
}

/** The first record of a task (RFC-0012 §1.1): version 1; ready where it waits for no task and no plan. */
export function newTask(
  request: CreateTaskRequest,
  { id, created_by, created_at }: Identity,
  { inputs, outputs, blocks }: Wiring = { inputs: {}, outputs: {}, blocks: [] },
): Task {
  const { description, plan_id, parent_task_id, timeout_seconds, assigned_agent } = request;
  const waits = request.depends_on.length > 0 || (plan_id ?? null) !== null;
  return {
    ...request,
    id,
    version: 1,
    status: waits ? 'pending' : 'ready',
    description: description ?? null,
    plan_id: plan_id ?? null,
    parent_task_id: parent_task_id ?? null,
    timeout_seconds: timeout_seconds ?? null,
    assigned_agent: assigned_agent ?? null,
    inputs,
    outputs,
    blocks: [...blocks],
    ...{ output: null, artifacts: [], lease_id: null, waiting_claim: null, error: null },
    ...{ blocked_reason: null, suspended_intent_id: null, retry_policy: 'default', attempt: 1 },
    ...{ created_by, created_at, updated_at: created_at, started_at: null, completed_at: null },
  };
}

/** A task of no plan: nothing was declared, and no gate holds it. */
export const NO_RULES: TaskRules = { types: {}, static_values: {}, condition: null };

/** The state of a task that has just been created. */
export function newTaskState(
  task: Task,
  upstream: readonly TaskNews[],
  rules: TaskRules = NO_RULES,
): TaskState {
  const gate = { revision: 0, open: task.plan_id === null };
  return { task, upstream, rules, gate, clock: UNUSED, revision: 1, before: null, intent: null };
}

/** Keeps the newest of each task that this one depends on; others change nothing. */
export function takeUpstream(state: TaskState, news: TaskNews, at: string): TaskChange {
  const known = state.upstream.find(({ task_id }) => task_id === news.task_id);
  if (known === undefined || news.revision <= known.revision) return unchanged(state);
  const kept = neededOf(state, news);
  const upstream = state.upstream.map((one) => (one === known ? kept : one));
  return proceed({ ...state, upstream }, at);
}

/** Of an output only what an input or the condition names. */
function neededOf({ task, rules }: TaskState, news: TaskNews): TaskNews {
  if (!news.output) return news;
  const condition = rules.condition && parseCondition(rules.condition.when);
  const isNamed = condition?.task === news.name || condition?.task === news.task_id;
  const refs = Object.values(task.inputs);
  const output = Object.entries(news.output).filter(
    ([key]) => refs.includes(`${news.name}.${key}`) || (isNamed && condition.path[0] === key),
  );
  return { ...news, output: Object.fromEntries(output) };
}

/** The plan opens or closes; an older revision changes nothing. */
export function takeGate(state: TaskState, gate: Gate, at: string): TaskChange {
  if (gate.revision <= state.gate.revision) return unchanged(state);
  return proceed({ ...state, gate }, at);
}

/**
 * What follows by itself: a coordinator's hold begins or ends; a pending task becomes ready once every dependency is over and its plan lets it
 * (RFC-0024 §3.4), or is skipped where its condition does not hold; a claim that waits is looked at again,
 * on resume and on completion of what it waits for (AM-42).
 */
export function proceed(state: TaskState, at: string): TaskChange {
  const free = andThen(followHolds(state, at), (next) => release(next, at));
  return andThen(free, (released) => grant(released, at));
}

function release(state: TaskState, at: string): TaskChange {
  const { task, gate, upstream, rules } = state;
  if (task.status !== 'pending' || !gate.open) return unchanged(state);
  if (!upstream.every(({ status }) => isSatisfied(status))) return unchanged(state);
  if (!conditionHolds(state)) {
    const payload = { condition_id: rules.condition?.id ?? null, reason: 'condition is false' };
    const event = taskEvent(state, 'task.skipped', CLOCK_ACTOR, payload);
    return evolve(state, at, { status: 'skipped', waiting_claim: null, completed_at: at }, event);
  }
  const payload = { resolved_dependencies: [...task.depends_on] };
  return evolve(
    state,
    at,
    { status: 'ready' },
    taskEvent(state, 'task.ready', CLOCK_ACTOR, payload),
  );
}

function conditionHolds({ rules, upstream }: TaskState): boolean {
  const condition = rules.condition && parseCondition(rules.condition.when);
  if (!condition) return true;
  const named = upstream.find(
    ({ name, task_id }) => name === condition.task || task_id === condition.task,
  );
  return holds(condition, named?.output ?? null);
}

function grant(state: TaskState, at: string): TaskChange {
  const { waiting_claim } = state.task;
  if (waiting_claim === null) return unchanged(state);
  const granted = claim(state, waiting_claim.agent_id, at);
  return granted.ok ? granted.value : unchanged(state);
}
