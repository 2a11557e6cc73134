import type { Checkpoint, PatchPlanRequest, PlanStateName } from '../../contracts/plan/plan.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { TaskNews } from '../../contracts/plan/task.js';
import { CLOCK_ACTOR } from '../suspension/record/events.js';
import {
  evolvePlan,
  isWaiting,
  newsOf,
  planEvent,
  planThen,
  planUnchanged,
  statusOf,
  type KeptNews,
  type Member,
  type PlanChange,
  type PlanRecord,
  type PlanState,
} from './state.js';
import { onFailure, withdrawAll, withdrawMoot } from './failure.js';
import { checkIfMatch, ok, refuse } from '../kernel/ruling.js';
import { cutTo } from '../kernel/text.js';
import { isSatisfied } from './task-claim.js';

const OVER: readonly PlanStateName[] = ['completed', 'failed', 'cancelled'];

/** Allowed changes of the state (RFC-0012 §2.2). */
const TRANSITIONS: Readonly<Record<PlanStateName, readonly PlanStateName[]>> = {
  draft: ['active', 'cancelled'],
  active: ['paused', 'failed', 'cancelled'],
  paused: ['active', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

export function isPlanOver(state: PlanStateName): boolean {
  return OVER.includes(state);
}

/** Whether the plan allows a task to become ready: it is active, and all checkpoints before the task are approved. */
export function isOpenTo(state: PlanState, member: Member): boolean {
  return state.plan.state === 'active' && !isBehindCheckpoint(state, member);
}

export function isBehindCheckpoint({ plan }: PlanState, { depends_on }: Member): boolean {
  return plan.checkpoints.some(
    ({ after_task, requires_approval, status }) =>
      requires_approval && status !== 'approved' && depends_on.includes(after_task),
  );
}

/** Refuses `version_conflict` unless `ifMatch` is the current version. */
export function checkPlanVersion({ version, state }: PlanRecord, ifMatch: number): Ruling<true> {
  return checkIfMatch(version, ifMatch, { plan_state: state });
}

/** Writes the state of a plan. Refuses `invalid_transition`. */
export function changePlanState(
  state: PlanState,
  to: NonNullable<PatchPlanRequest['state']>,
  actor: string,
  at: string,
): Ruling<PlanChange> {
  const from = state.plan.state;
  const allowed = TRANSITIONS[from];
  if (!allowed.includes(to)) {
    return refuse('invalid_transition', `A plan cannot go from ${from} to ${to}.`, {
      field: 'state',
      accepted: allowed.join(', ') || 'nothing: the plan is over',
      state: { plan_state: from },
    });
  }
  const type = from === 'paused' && to === 'active' ? 'plan.resumed' : EVENTS[to];
  const event = planEvent(state, type, actor, { reason: 'requested' });
  const moved = evolvePlan({ ...state, paused_by_hand: to === 'paused' }, at, { state: to }, event);
  if (to !== 'active') return ok(moved);
  const opened =
    from === 'draft'
      ? planThen(moved, (next) => failuresSoFar(next, at))
      : planThen(moved, (next) => withdrawAll(next, at));
  return ok(planThen(opened, (next) => follow(next, at)));
}

/** Handles tasks that failed before their plan began; their errors are stored with the plan's reaction. */
function failuresSoFar(state: PlanState, at: string): PlanChange {
  const members = state.members.map((one) =>
    one.news ? { ...one, news: { ...one.news, error: null } } : one,
  );
  return state.members.reduce(
    (change, member) => {
      const news = newsOf(member);
      return news?.status === 'failed' && !isPlanOver(change.state.plan.state)
        ? planThen(change, (next) => onFailure(next, news, at))
        : change;
    },
    planUnchanged({ ...state, members }),
  );
}

/** Whether a plan waits for people although its intent has ended. */
export function asksInVain({ plan }: PlanState): boolean {
  return !isPlanOver(plan.state) && isWaiting(plan);
}

/** Cancels a plan whose intent has ended, because nobody is asked any more. */
export function cancelWithIntent(state: PlanState, reason: string, at: string): PlanChange {
  const event = planEvent(state, 'plan.cancelled', CLOCK_ACTOR, { reason });
  return evolvePlan(state, at, { state: 'cancelled' }, event);
}

const EVENTS = {
  draft: 'plan.created',
  active: 'plan.activated',
  paused: 'plan.paused',
  completed: 'plan.completed',
  failed: 'plan.failed',
  cancelled: 'plan.cancelled',
} as const;

/** Applies the news of a task and its consequences. Ignores older revisions. */
export function takeNews(state: PlanState, news: TaskNews, at: string): PlanChange {
  const known = state.members.find(({ task_id }) => task_id === news.task_id);
  if (known === undefined) return planUnchanged(state);
  if (known.news !== null && news.revision <= known.news.revision) return planUnchanged(state);
  const kept = keptNews(news, state.plan);
  const members = state.members.map((one) => (one === known ? { ...one, news: kept } : one));
  const taken = planUnchanged({ ...state, members, revision: state.revision + 1 });
  if (state.plan.state !== 'active' && state.plan.state !== 'paused') return taken;
  const isFailure = failsAnew(news, known.news);
  return planThen(taken, (next) => {
    const decided = withdrawMoot(next, news, isFailure, at);
    const failed = (open: PlanState) => onFailure(open, news, at);
    return planThen(isFailure ? planThen(decided, failed) : decided, (last) => follow(last, at));
  });
}

/** Stores an error once: in a draft plan with the news, later with the plan's reaction. */
function keptNews(
  { task_id: _id, name: _name, output: _output, error, ...news }: TaskNews,
  { state }: PlanRecord,
): KeptNews {
  const { keptErrorBytes } = WORKFLOW_LIMITS;
  const isKept = state === 'draft' && error !== null;
  return { ...news, error: isKept ? cutTo(error, keptErrorBytes) : null };
}

/** Whether the task has failed, has failed again, or can no longer be retried. */
function failsAnew({ status, attempt, final }: TaskNews, last: KeptNews | null): boolean {
  if (status !== 'failed') return false;
  if (last?.status !== 'failed' || last.attempt !== attempt) return true;
  return final === true && last.final !== true;
}

/** Takes the steps that need no person: reaches checkpoints and completes the plan. */
export function follow(state: PlanState, at: string): PlanChange {
  const { plan, members } = state;
  if (plan.state !== 'active' && plan.state !== 'paused') return planUnchanged(state);
  const next = plan.checkpoints.find(
    ({ status, after_task }) =>
      status === 'pending' &&
      members.some((one) => one.task_id === after_task && isSatisfied(statusOf(one))),
  );
  if (next) return planThen(reach(state, next, at), (reached) => follow(reached, at));
  const isComplete = members.length > 0 && members.every((one) => isSatisfied(statusOf(one)));
  if (!isComplete || isWaiting(plan) || plan.state !== 'active') return planUnchanged(state);
  const done = (status: string) => members.filter((one) => statusOf(one) === status).length;
  const counts = { tasks_completed: done('completed'), tasks_skipped: done('skipped') };
  const event = planEvent(state, 'plan.completed', CLOCK_ACTOR, counts);
  return evolvePlan(state, at, { state: 'completed' }, event);
}

/** Reaches a checkpoint. If it requires approval, the plan is paused and asks (R26-16). */
function reach(state: PlanState, { id, requires_approval }: Checkpoint, at: string): PlanChange {
  const payload = { checkpoint_id: id, requires_approval };
  const reached = planEvent(state, 'plan.checkpoint_reached', CLOCK_ACTOR, payload);
  if (!requires_approval) {
    const checkpoints = withCheckpoint(state.plan, id, { status: 'approved' });
    return evolvePlan(state, at, { checkpoints }, reached);
  }
  const checkpoints = withCheckpoint(state.plan, id, { status: 'reached' });
  const paused = planEvent(state, 'plan.paused', CLOCK_ACTOR, { reason: 'checkpoint' });
  const events = state.plan.state === 'active' ? [reached, paused] : [reached];
  const change = evolvePlan(state, at, { checkpoints, state: 'paused' }, ...events);
  return { ...change, duties: [{ kind: 'ask_approval', checkpoint_id: id }] };
}

export function withCheckpoint(
  { checkpoints }: PlanRecord,
  id: string,
  fields: Partial<Checkpoint>,
): Checkpoint[] {
  return checkpoints.map((one) => (one.id === id ? { ...one, ...fields } : one));
}
