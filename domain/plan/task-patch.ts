import type { Caller } from '../../contracts/people/caller.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { PatchTaskRequest, Task, TaskStatus } from '../../contracts/plan/task.js';
import type { EventDraft } from '../intent/entity.js';
import { jsonBytes } from '../kernel/json.js';
import { checkIfMatch, ok, refuse } from '../kernel/ruling.js';
import { toMillis } from '../kernel/time.js';
import type { AccessLevel } from '../policy/access-list.js';
import { authorize } from '../policy/authorize.js';
import { claim, isSatisfied } from './task-claim.js';
import { isTaskDone } from './task-mirror.js';
import { validateOutput } from './task-output.js';
import {
  INTENT_SUSPENDED,
  UPSTREAM_SUSPENDED,
  evolve,
  isHeldBack,
  isIntentSuspended,
  taskEvent,
  type TaskChange,
  type TaskState,
} from './task-state.js';
import { defined } from '../../contracts/constants/defined.js';

/** Allowed status writes (RFC-0012 §1.2). Only a plan skips tasks. */
const TRANSITIONS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  pending: ['ready', 'cancelled'],
  ready: ['claimed', 'cancelled'],
  claimed: ['running', 'cancelled'],
  running: ['completed', 'failed', 'blocked', 'cancelled'],
  blocked: ['running', 'cancelled'],
  failed: ['ready', 'cancelled'],
  completed: [],
  cancelled: [],
  skipped: [],
};

interface Write {
  readonly request: PatchTaskRequest;
  readonly actor: string;
  readonly at: string;
  readonly maxBytes: number;
}

/** Refuses `version_conflict` unless `ifMatch` is the current version. */
export function checkTaskVersion({ version, status }: Task, ifMatch: number): Ruling<true> {
  return checkIfMatch(version, ifMatch, { task_status: status });
}

/**
 * Refuses `wrong_agent` for somebody else's task, and `forbidden`.
 *
 * @param access - what the access list of its intent allows the writer to do; see `taskAccess`
 */
export function checkTaskWriter(
  { assigned_agent, created_by, status }: Task,
  by: Caller,
  access: AccessLevel,
): Ruling<true> {
  if (assigned_agent === null) return authorize(by, 'patchTask', { access });
  const when = 'ofAnother';
  const related = { assignee: assigned_agent, maker: created_by };
  const allowed = authorize(by, 'patchTask', { when, access, ...related });
  if (allowed.ok || allowed.refusal.code === 'forbidden') return allowed;
  const state = { task_status: status };
  return refuse('wrong_agent', 'The task belongs to another agent.', { state });
}

/** The statuses in which a task, or the work that waits for it, continues. */
const GOES_ON: readonly TaskStatus[] = ['ready', 'claimed', 'running', 'completed', 'skipped'];

/**
 * Refuses to release a task that is held by a question, a checkpoint or a coordinator, unless a person overrides
 * this: `intent_suspended` or `invalid_transition`.
 */
function checkHold(
  state: TaskState,
  to: TaskStatus,
  by: Caller,
  access: AccessLevel,
): Ruling<true> {
  const { task, gate } = state;
  const isSuspended = isIntentSuspended(state);
  const isHeld = isSuspended || isHeldBack(task) || gate.held === 'checkpoint';
  const isStopped = isHeld && GOES_ON.includes(to);
  if (isStopped && authorize(by, 'patchTask', { when: 'overridesHold' }).ok) return ok(true);
  const allowed = authorize(by, 'patchTask', { access });
  if (!isStopped || !allowed.ok) return allowed;
  const code = isSuspended ? 'intent_suspended' : 'invalid_transition';
  return refuse(code, 'The task is held until people or others decide.', {
    field: 'status',
    accepted: 'another status, or a key with the role operator or admin',
    state: { task_status: task.status, current_version: task.version },
  });
}

/**
 * Writes the status of a task and its fields. Refuses `invalid_transition`, `missing_output`, `output_type_mismatch`,
 * and `state_too_large` beyond `maxBytes`. While the intent is suspended, the task can only be cancelled:
 * `intent_suspended`.
 */
export function patchTask(state: TaskState, write: Write): Ruling<TaskChange> {
  const { task } = state;
  const { request } = write;
  const refused = refuseMove(state, request.status) ?? refuseSize(request, write.maxBytes);
  if (refused) return refused;
  const output = request.output ?? task.output ?? {};
  if (request.status === 'claimed') {
    return claim(state, request.assigned_agent ?? write.actor, write.at);
  }
  if (request.status === 'completed') {
    const valid = validateOutput(task, state.rules.types, output);
    if (!valid.ok) return valid;
  }
  return ok(applied(state, write));
}

/**
 * Writes any status, because the OpenIntent API has no status machine. Refuses `forbidden`, `invalid_transition`
 * after the end, and to agents the release of a held task.
 *
 * @param access - what the access list of its intent allows the writer to do; see `taskAccess`
 */
export function forceTask(
  state: TaskState,
  write: Write,
  by: Caller,
  access: AccessLevel = 'admin',
): Ruling<TaskChange> {
  const free = checkHold(state, write.request.status, by, access);
  if (!free.ok) return free;
  if (isTaskDone(state)) {
    const { status } = state.task;
    return refuse('invalid_transition', `The task is ${status}.`, { field: 'status' });
  }
  return refuseSize(write.request, write.maxBytes) ?? ok(applied(state, write));
}

type Refused = ReturnType<typeof refuse> | undefined;

function refuseMove(state: TaskState, to: TaskStatus): Refused {
  const { task, upstream, gate } = state;
  const allowed = TRANSITIONS[task.status];
  const extra = {
    field: 'status',
    accepted: allowed.join(', ') || 'nothing: the task is over',
    state: { task_status: task.status, current_version: task.version },
  };
  if (isIntentSuspended(state) && to !== 'cancelled') {
    return refuse('intent_suspended', 'The intent of the task waits for an operator.', extra);
  }
  if (isHeldBack(task) && to !== 'cancelled') {
    const detail = 'A coordinator holds the task until the phase before it completes.';
    return refuse('invalid_transition', detail, { ...extra, accepted: 'cancelled' });
  }
  const isEarly = !gate.open || !upstream.every(({ status }) => isSatisfied(status));
  const isUsedUp = task.status === 'failed' && task.attempt >= task.max_attempts;
  if (!allowed.includes(to) || (to === 'ready' && (isUsedUp || isEarly || isTaskDone(state)))) {
    const detail = `A task cannot go from ${task.status} to ${to}${isUsedUp ? ': its attempts are used up' : ''}.`;
    return refuse('invalid_transition', detail, extra);
  }
  return undefined;
}

function refuseSize({ output, artifacts }: PatchTaskRequest, maxBytes: number): Refused {
  if (jsonBytes([output, artifacts]) <= maxBytes) return undefined;
  return refuse('state_too_large', 'Output and artifacts are too large.', {
    field: 'output',
    accepted: `at most ${maxBytes} bytes`,
  });
}

function applied(state: TaskState, write: Write): TaskChange {
  const { request, actor } = write;
  const next = { ...state, before: null };
  const { event, ...fields } = MOVES[request.status](state.task, write);
  const payload = event?.payload ?? {};
  const events = event ? [taskEvent(state, event.type, actor, payload)] : [];
  const { status, output, artifacts } = request;
  const results = defined({ output, artifacts });
  const kept = { status, blocked_reason: null, suspended_intent_id: null, ...results };
  return evolve(next, write.at, { ...kept, ...fields }, ...events);
}

const RESERVED_REASONS: readonly string[] = [INTENT_SUSPENDED, UPSTREAM_SUSPENDED];

type Move = Partial<Task> & {
  readonly event?: { readonly type: EventDraft['event_type']; readonly payload: JsonObject };
};

const MOVES: Readonly<Record<TaskStatus, (task: Task, write: Write) => Move>> = {
  pending: () => ({}),
  ready: ({ status, attempt, depends_on }) =>
    status === 'failed'
      ? {
          attempt: attempt + 1,
          assigned_agent: null,
          error: null,
          event: {
            type: 'task.retrying',
            payload: { attempt: attempt + 1, next_attempt_at: null },
          },
        }
      : { event: { type: 'task.ready', payload: { resolved_dependencies: [...depends_on] } } },
  claimed: (task, { request, actor }) => {
    const agent_id = request.assigned_agent ?? task.assigned_agent ?? actor;
    const event = { type: 'task.claimed', payload: { agent_id, lease_id: task.lease_id } };
    return { assigned_agent: agent_id, waiting_claim: null, event };
  },
  running: (task, { at, actor, request }) => {
    const agent_id = request.assigned_agent ?? task.assigned_agent ?? actor;
    const started = { assigned_agent: agent_id, started_at: task.started_at ?? at };
    return task.status === 'blocked'
      ? { ...started, event: { type: 'task.unblocked', payload: { resolution: null } } }
      : { ...started, event: { type: 'task.started', payload: { agent_id } } };
  },
  blocked: (_task, { request }) => {
    const reason = request.blocked_reason ?? 'waiting';
    const blocked_reason = RESERVED_REASONS.includes(reason) ? 'waiting' : reason;
    const event = { type: 'task.blocked', payload: { reason: blocked_reason, blocked_by: null } };
    return { blocked_reason, event };
  },
  completed: (task, { at, request }) => {
    const output = request.output ?? task.output;
    const artifacts = [...(request.artifacts ?? task.artifacts)];
    const duration_ms = task.started_at === null ? null : toMillis(at) - toMillis(task.started_at);
    const event = { type: 'task.completed', payload: { output, artifacts, duration_ms } };
    return { completed_at: at, error: null, waiting_claim: null, event };
  },
  failed: ({ attempt, max_attempts }, { request }) => {
    const error = request.error ?? 'failed';
    const payload = { error, attempt, will_retry: attempt < max_attempts };
    return { error, event: { type: 'task.failed', payload } };
  },
  cancelled: (_task, { request }) => ({
    waiting_claim: null,
    ...defined({ error: request.error }),
    event: { type: 'task.cancelled', payload: { reason: request.error ?? null } },
  }),
  skipped: () => ({ waiting_claim: null }),
};
