import type { Reader } from '../../contracts/intent/access.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { Task, TaskNews } from '../../contracts/plan/task.js';
import { isInstant, isObject } from '../kernel/message-form.js';
import { toMillis } from '../kernel/time.js';
import { accessOf, type AccessLevel } from '../policy/access-list.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { jsonBytes } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import {
  evolve,
  isHeldBack,
  taskEvent,
  unchanged,
  type TaskChange,
  type TaskState,
} from './task-state.js';

/**
 * Returns a reader's rights to a task by its intent's access list, as far as the task knows it. The agent that has
 * the task (RFC-0011, "private") and those on the task's own list (RFC-0012 §4.1) are not restricted.
 *
 * @param at - ISO-8601; entries that have expired by then do not count
 */
export function taskAccess(
  { task, intent, guard }: Pick<TaskState, 'task' | 'intent' | 'guard'>,
  reader: Reader | undefined,
  at: string,
): AccessLevel {
  const now = toMillis(at);
  if (reader !== undefined && isOwnTask(task, reader.principal, now)) return 'admin';
  return accessOf(reader, (intent === null ? guard : intent.guard) ?? {}, now);
}

/** Whether an agent has the task, or may write it by the task's own `permissions` at `now` (ms). */
export function isOwnTask(
  { assigned_agent, permissions }: Task,
  principal: string,
  now: number,
): boolean {
  if (assigned_agent === principal) return true;
  const listed = listedAgents(permissions)?.filter(({ agent }) => agent === principal);
  const isOver = (expires: unknown) => isInstant(expires) && toMillis(expires) <= now;
  return listed?.some(({ level, expires }) => level !== 'read' && !isOver(expires)) ?? false;
}

interface ListedAgent {
  readonly agent: unknown;
  readonly level?: unknown;
  readonly expires?: unknown;
}

/**
 * Returns the entries of a task's `permissions.allow` (RFC-0012 §4.1): names of agents, or objects with the name as
 * `agent`. Undefined without a list, which restricts nobody.
 */
function listedAgents(permissions: JsonValue): readonly ListedAgent[] | undefined {
  const allow: unknown = isObject(permissions) ? permissions['allow'] : undefined;
  if (!Array.isArray(allow)) return undefined;
  return allow.map((one: unknown) =>
    isObject(one) ? { agent: undefined, ...one } : { agent: one },
  );
}

/** The inputs that a phase declares, and the known values of their sources. */
interface ClaimInputs {
  readonly task: Pick<Task, 'id' | 'name' | 'inputs' | 'input'>;
  readonly static_values: JsonObject;
  readonly upstream: readonly TaskNews[];
}

/**
 * Returns the values of the declared inputs (RFC-0024 §3.1). Refuses `upstream_intent_suspended` if a phase of an
 * input is suspended, with `task_id`, `phase_name`, `suspended_intent_id` and `expected_resume_at` (R26-74, R26-75);
 * `unresolvable_input` with `unresolvable_refs` if a dependency has not ended or lacks the output; and
 * `state_too_large`.
 */
export function validateClaimInputs(claim: ClaimInputs): Ruling<JsonObject> {
  const { task, upstream } = claim;
  const subject = { task_id: task.id, phase_name: task.name };
  const refs = Object.values(task.inputs);
  const suspended = upstream.find(
    ({ name, suspension }) => suspension !== null && refs.some((ref) => phaseOf(ref) === name),
  );
  if (suspended?.suspension) {
    const { intent_id, expires_at } = suspended.suspension;
    return refuse('upstream_intent_suspended', `Phase ${suspended.name} waits for an operator.`, {
      state: { ...subject, suspended_intent_id: intent_id, expected_resume_at: expires_at },
    });
  }
  const unmet = upstream.filter(({ status }) => !isSatisfied(status)).map(({ name }) => name);
  const leftOut = upstream.filter(({ output_left_out }) => output_left_out).map(({ name }) => name);
  const unresolved = refs.filter(
    (ref) => !leftOut.includes(phaseOf(ref)) && valueOf(ref, claim) === undefined,
  );
  const unresolvable_refs = [
    ...unresolved,
    ...unmet.filter((name) => !unresolved.some((ref) => phaseOf(ref) === name)),
  ];
  if (unresolvable_refs.length > 0) {
    const detail = `Not there yet: ${unresolvable_refs.join(', ')}.`;
    return refuse('unresolvable_input', detail, { state: { ...subject, unresolvable_refs } });
  }
  if (refs.length === 0) return ok(task.input);
  if (leftOut.length > 0) return refuseInputs(subject);
  const values = new Map(refs.map((ref) => [ref, valueOf(ref, claim) ?? null]));
  if (resolvedBytes(task.inputs, values) > WORKFLOW_LIMITS.upstreamBytes) {
    return refuseInputs(subject);
  }
  const entries = Object.entries(task.inputs).map(([key, ref]) => [key, values.get(ref)]);
  return ok(Object.fromEntries(entries) as JsonObject);
}

/** Thousands of inputs may refer to one large output, so each is measured once. */
function resolvedBytes(inputs: Task['inputs'], values: ReadonlyMap<string, JsonValue>): number {
  const bytesOf = new Map([...values].map(([ref, value]) => [ref, jsonBytes(value)]));
  return Object.entries(inputs).reduce(
    (bytes, [key, ref]) => bytes + jsonBytes(key) + (bytesOf.get(ref) ?? 0) + ':,'.length,
    '{}'.length,
  );
}

function refuseInputs(subject: JsonObject): Ruling<never> {
  return refuse('state_too_large', 'The inputs of the task are too large together.', {
    field: 'inputs',
    accepted: `inputs of at most ${WORKFLOW_LIMITS.upstreamBytes} bytes of JSON`,
    state: subject,
  });
}

/** Whether a dependency with this status allows its dependents to continue. */
export function isSatisfied(status: Task['status']): boolean {
  return status === 'completed' || status === 'skipped';
}

/** A static value that is null counts as missing (RFC-0024 §3.1). */
function valueOf(ref: string, { static_values, upstream }: ClaimInputs): JsonValue | undefined {
  if (ref.startsWith('$')) {
    return Object.hasOwn(static_values, ref) ? (static_values[ref] ?? undefined) : undefined;
  }
  const { status, output } = upstream.find(({ name }) => name === phaseOf(ref)) ?? {};
  const key = keyOf(ref);
  if (status !== 'completed' || !output || !Object.hasOwn(output, key)) return undefined;
  return output[key];
}

export function phaseOf(ref: string): string {
  return ref.slice(0, ref.indexOf('.'));
}

export function keyOf(ref: string): string {
  return ref.slice(ref.indexOf('.') + 1);
}

/**
 * Returns the input of a task if an agent may claim it. Refuses `wrong_agent`, `task_claimed`, `invalid_transition`,
 * and as `validateClaimInputs` does.
 */
export function checkClaim(state: TaskState, agent: string): Ruling<JsonObject> {
  const { task } = state;
  const wrongAgent = refuseAgent(task, agent);
  if (wrongAgent) return wrongAgent;
  if (hasIt(task, agent)) return ok(task.input);
  const { rules, upstream } = state;
  if (isWaiting(task) || isClaimable(task)) {
    const inputs = validateClaimInputs({ task, static_values: rules.static_values, upstream });
    if (!inputs.ok || isClaimable(task)) return inputs;
  }
  return refuse('invalid_transition', `The task is ${task.status}.`, {
    field: 'status',
    accepted: 'a task that is ready',
    state: { task_status: task.status },
  });
}

/** Whether a refused claim can be granted later, because only the inputs or the plan prevent it. */
export function mayWaitForClaim(state: TaskState, agent: string): boolean {
  const { task } = state;
  return !refuseAgent(task, agent) && (isWaiting(task) || isClaimable(task));
}

/** Assigns the task to the agent. Refuses as `checkClaim` does. */
export function claim(state: TaskState, agent: string, at: string): Ruling<TaskChange> {
  const inputs = checkClaim(state, agent);
  if (!inputs.ok) return inputs;
  if (hasIt(state.task, agent)) return ok(unchanged(state));
  const fields = {
    ...(state.task.status === 'ready' && { status: 'claimed' as const }),
    assigned_agent: agent,
    input: inputs.value,
    waiting_claim: null,
  };
  const payload = { agent_id: agent, lease_id: null };
  return ok(evolve(state, at, fields, taskEvent(state, 'task.claimed', agent, payload)));
}

/** Refuses an agent that may not have the task. Returns undefined for others. */
function refuseAgent(
  { assigned_agent, status, waiting_claim, permissions }: Task,
  agent: string,
): ReturnType<typeof refuse> | undefined {
  const allowed = listedAgents(permissions);
  if (allowed !== undefined && !allowed.some((one) => one.agent === agent)) {
    return refuse('wrong_agent', 'The permissions of the task do not name this agent.', {
      state: { task_status: status },
    });
  }
  if (assigned_agent !== null && assigned_agent !== agent) {
    const held = status === 'claimed' || status === 'running';
    const code = held ? 'task_claimed' : 'wrong_agent';
    return refuse(code, 'The task belongs to another agent.', { state: { task_status: status } });
  }
  if (waiting_claim !== null && waiting_claim.agent_id !== agent) {
    return refuse('task_claimed', 'Another agent waits for the task.', {
      state: { task_status: status },
    });
  }
  return undefined;
}

function hasIt({ status, assigned_agent }: Task, agent: string): boolean {
  return assigned_agent === agent && (status === 'claimed' || status === 'running');
}

function isWaiting(task: Task): boolean {
  return task.status === 'pending' || isHeldBack(task);
}

/** Whether the task can be claimed: it is ready, or running without an agent after a question of its intent. */
function isClaimable({ status, assigned_agent }: Task): boolean {
  return status === 'ready' || (status === 'running' && assigned_agent === null);
}
