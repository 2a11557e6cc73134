import { parseExact } from '../../contracts/constants/exact-json.js';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import { compare, type Operator } from '../kernel/comparison.js';
import { jsonBytes, valueAt } from '../kernel/json.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { Guarded } from '../../contracts/intent/access.js';
import type {
  CreateTaskRequest,
  DeclaredInputs,
  DeclaredOutputs,
  Task,
  TaskNews,
} from '../../contracts/plan/task.js';
import { asMarkdown } from '../kernel/text.js';
import { CLOCK_ACTOR } from '../suspension/record/events.js';
import { includes } from '../policy/access-list.js';
import { claim, isSatisfied, taskAccess } from './task-claim.js';
import { blockAgain, followHolds, isTaskDone } from './task-mirror.js';
import {
  UNUSED,
  andThen,
  evolve,
  isTaskOver,
  taskEvent,
  timeoutOf,
  unchanged,
  type Gate,
  type TaskChange,
  type TaskRules,
  type TaskState,
} from './task-state.js';
import { defined } from '../../contracts/constants/defined.js';

/** `tasks['name'].output.path.to.key`, optionally compared with a JSON literal. */
const FORM = /^tasks\[(['"])([\w-]+)\1\]\.output((?:\.\w+)+)\s*(?:(==|!=|>=|<=|>|<)(.+))?$/;

/** The match of `FORM`: the whole text, a quote, the task, the path, and the comparison if there is one. */
type Found = readonly [
  string,
  string,
  string,
  string,
  ...([Operator, string] | [undefined, undefined]),
];

/** A parsed condition (RFC-0012 §2.4, in the form of its examples). */
interface Condition {
  /** Name or id of a task. */
  readonly task: string;
  readonly path: readonly string[];
  /** A condition without a comparison holds for every value except false, 0, "" and null. */
  readonly comparison?: { readonly operator: Operator; readonly literal: JsonValue };
}

export const CONDITION_FORM =
  "tasks['<name>'].output.<key>, alone or compared by ==, !=, >, >=, < or <= with a JSON literal that a double holds exactly";

/** Parses a condition. Returns undefined for any other text. */
export function parseCondition(when: string): Condition | undefined {
  const match = FORM.exec(when.trim());
  if (match === null) return undefined;
  const [, , task, path, operator, text] = match as unknown as Found;
  const base = { task, path: path.slice(1).split('.') };
  if (operator === undefined) return base;
  const literal = literalOf(text.trim());
  return literal === undefined ? undefined : { ...base, comparison: { operator, literal } };
}

/** Whether a condition holds for an output. Missing values count as null; different types never compare. */
export function holds(condition: Condition, output: JsonValue): boolean {
  const value = valueAt(output, condition.path) ?? null;
  const { comparison } = condition;
  if (comparison === undefined) return Boolean(value);
  return compare(value, comparison.operator, comparison.literal) ?? false;
}

/** Parses a JSON literal, except one that parsing would change. A text may also be in single quotes. */
function literalOf(text: string): JsonValue | undefined {
  const quoted = /^'([^'\\]*)'$/.exec(text)?.[1];
  try {
    return quoted ?? (parseExact(text) as JsonValue);
  } catch {
    return undefined;
  }
}

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

/** Creates the first record of a task (RFC-0012 §1.1), with version 1; ready unless it has dependencies or a plan. */
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
    output: null,
    artifacts: [],
    lease_id: null,
    waiting_claim: null,
    error: null,
    blocked_reason: null,
    suspended_intent_id: null,
    retry_policy: 'default',
    attempt: 1,
    created_by,
    created_at,
    updated_at: created_at,
    started_at: null,
    completed_at: null,
  };
}

export const NO_RULES: TaskRules = { types: {}, static_values: {}, condition: null };

export function newTaskState(
  task: Task,
  upstream: readonly TaskNews[],
  rules: TaskRules = NO_RULES,
  guard?: Guarded,
): TaskState {
  const gate = { revision: 0, open: task.plan_id === null };
  const state = { task, upstream, rules, gate, clock: UNUSED, revision: 1, before: null };
  return { ...state, intent: null, ...defined({ guard }) };
}

/** Applies the news of a dependency. Ignores older revisions and other tasks. */
export function takeUpstream(state: TaskState, news: TaskNews, at: string): TaskChange {
  const known = state.upstream.find(({ task_id }) => task_id === news.task_id);
  if (known === undefined || news.revision <= known.revision) return unchanged(state);
  const kept = neededOf(state, news);
  const upstream = state.upstream.map((one) => (one === known ? kept : one));
  return proceed({ ...state, upstream }, at);
}

/**
 * Keeps only the outputs that are used, and no error. If they are too large, keeps only those for the condition, and
 * grants no claim.
 */
function neededOf({ task, rules, upstream }: TaskState, { error: _error, ...rest }: TaskNews) {
  const news: TaskNews = { ...rest, error: null };
  if (!news.output) return news;
  const condition = rules.condition && parseCondition(rules.condition.when);
  const isNamed = condition?.task === news.name || condition?.task === news.task_id;
  const refs = new Set(Object.values(task.inputs));
  const isJudged = (key: string) => isNamed && condition.path[0] === key;
  const isInput = (key: string) => refs.has(`${news.name}.${key}`);
  const outputs = Object.entries(news.output);
  const output = outputs.filter(([key]) => isInput(key) || isJudged(key));
  const others = upstream.filter(({ task_id }) => task_id !== news.task_id);
  const all = [...others.map((one) => one.output ?? {}), Object.fromEntries(output)];
  if (jsonBytes(all) <= WORKFLOW_LIMITS.upstreamBytes) {
    return { ...news, output: Object.fromEntries(output) };
  }
  const judged = Object.fromEntries(outputs.filter(([key]) => isJudged(key)));
  return { ...news, output: judged, output_left_out: true as const };
}

/** Applies whether the plan allows the task to become ready. Ignores older revisions. */
export function takeGate(state: TaskState, gate: Gate, at: string): TaskChange {
  if (gate.revision <= state.gate.revision) return unchanged(state);
  return proceed({ ...state, gate }, at);
}

/**
 * Takes the steps that need no person: a coordinator's hold, becoming ready (RFC-0024 §3.4) or skipped, and a waiting
 * claim (R26-78).
 */
export function proceed(state: TaskState, at: string): TaskChange {
  const free = andThen(followHolds(state, at), (next) => release(next, at));
  return andThen(free, (released) => grant(released, at));
}

function release(state: TaskState, at: string): TaskChange {
  const { task, gate, upstream } = state;
  if (task.status !== 'pending' || !gate.open) return unchanged(state);
  if (!upstream.every(({ status }) => isSatisfied(status))) return unchanged(state);
  const unmet = unmetCondition(state);
  if (unmet !== null) {
    const payload = { condition_id: unmet.id, reason: 'condition is false' };
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

function unmetCondition({ rules: { condition }, upstream }: TaskState): TaskRules['condition'] {
  const parsed = condition && parseCondition(condition.when);
  if (!parsed) return null;
  const source = upstream.find(
    ({ name, task_id }) => name === parsed.task || task_id === parsed.task,
  );
  return holds(parsed, source?.output ?? null) ? null : condition;
}

/** Drops a waiting claim if the access list excludes its maker. */
function grant(state: TaskState, at: string): TaskChange {
  const { waiting_claim } = state.task;
  if (waiting_claim === null) return unchanged(state);
  if (!includes(taskAccess(state, state.claimant, at), 'write')) {
    return evolve({ ...state, claimant: undefined }, at, { waiting_claim: null });
  }
  const granted = claim(state, waiting_claim.agent_id, at);
  return granted.ok ? granted.value : unchanged(state);
}

/** Fails a task after `timeout_seconds` of work (RFC-0012 §1.2). Blocked time does not count (R26-79). */
export function expireTask(state: TaskState, at: string): TaskChange {
  const { task, clock } = state;
  const due = timeoutOf(task, clock);
  if (due === undefined || at < due) return unchanged(state);
  const { attempt, max_attempts } = task;
  const payload = { error: 'timeout', attempt, will_retry: attempt < max_attempts };
  const event = taskEvent(state, 'task.failed', CLOCK_ACTOR, payload);
  return evolve(state, at, { status: 'failed', error: 'timeout' }, event);
}

export type TaskOrder =
  /** `skip` continues without a failed task. */
  | { readonly kind: 'skip' }
  | {
      readonly kind: 'cancel';
      readonly reason: string;
      /** The task is a phase: its intent belongs to it alone, and asks nobody any more. */
      readonly phase?: true;
    };

const CLOSED = { waiting_claim: null, blocked_reason: null, suspended_intent_id: null } as const;

/** Carries out an order. A task that has ended, or that has continued meanwhile, is not changed. */
export function obey(state: TaskState, order: TaskOrder, at: string): TaskChange {
  const { status } = state.task;
  if (order.kind === 'skip') return status === 'failed' ? skip(state, at) : unchanged(state);
  if (isTaskOver(status) || status === 'failed') return unchanged(state);
  const { reason, phase } = order;
  const event = taskEvent(state, 'task.cancelled', CLOCK_ACTOR, { reason });
  const fields = { ...CLOSED, status: 'cancelled', error: reason } as const;
  const called_off = phase && { called_off: reason };
  return evolve({ ...state, before: null, ...called_off }, at, fields, event);
}

function skip(state: TaskState, at: string): TaskChange {
  const payload = { condition_id: null, reason: 'task_failed' };
  const event = taskEvent(state, 'task.skipped', CLOCK_ACTOR, payload);
  return evolve(state, at, { ...CLOSED, status: 'skipped', completed_at: at }, event);
}

/**
 * Retries a failed task, once for each failure. An attempt that an operator granted does not count against the task's
 * own (R26-79). A suspended intent blocks the task at once (R26-12); after an abandoned one the failure is final.
 */
export function retryTask(
  state: TaskState,
  failed: number,
  at: string,
  granted = false,
): TaskChange {
  const { task } = state;
  const max_attempts = granted ? task.max_attempts + 1 : task.max_attempts;
  const isDue = task.status === 'failed' && task.attempt === failed && !isTaskDone(state);
  if (!isDue || failed >= max_attempts) return unchanged(state);
  const attempt = failed + 1;
  const event = taskEvent(state, 'task.retrying', CLOCK_ACTOR, { attempt, next_attempt_at: null });
  const anew = { status: 'ready', assigned_agent: null, error: null } as const;
  const ready = evolve(state, at, { ...anew, attempt, max_attempts }, event);
  return andThen(ready, (next) => blockAgain(next, at));
}

export function describeTask(task: Task): string {
  const { name, status, version, assigned_agent, blocked_reason, error, attempt } = task;
  return [
    `**${asMarkdown(name)}**`,
    '',
    `- Status: \`${status}\`, version ${version}, attempt ${attempt}`,
    ...(blocked_reason === null ? [] : [`- Blocked: ${asMarkdown(blocked_reason)}`]),
    ...(assigned_agent === null ? [] : [`- Agent: ${asMarkdown(assigned_agent)}`]),
    ...(error === null ? [] : [`- Error: ${asMarkdown(error)}`]),
  ].join('\n');
}
