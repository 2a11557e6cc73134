import { LAST_REVISION } from '../../contracts/constants/limits.js';
import { WORKFLOW_LOST } from '../../contracts/constants/statuses.js';
import type { Coordinator } from '../../contracts/coordinator/coordinator.js';
import type { Intent, IntentNote } from '../../contracts/intent/intent.js';
import type { Plan } from '../../contracts/plan/plan.js';
import type { Task, TaskNews } from '../../contracts/plan/task.js';
import type { Portfolio } from '../../contracts/portfolio/portfolio.js';
import { movedTo, type EventDraft } from '../intent/entity.js';
import { storedNews } from '../plan/task-state.js';
import { CLOCK_ACTOR } from '../suspension/record/events.js';

/**
 * The end of an entity whose workflow was terminated or failed: by the system, with the reason `workflow_lost`. The
 * workflow can no longer be asked, so everything is derived from the store.
 */
export interface Lost<T> {
  readonly value: T;
  readonly event: EventDraft;
}

/** Abandons an intent at an instant (ISO-8601). */
export function lostIntent(intent: Intent, at: string): Lost<Intent> {
  const { intent: value, events } = movedTo(intent, 'abandoned', CLOCK_ACTOR, at, WORKFLOW_LOST);
  const [event] = events;
  if (event === undefined) throw new TypeError('a change of status has an event');
  return { value, event };
}

/** Abandons a portfolio. Its members continue. */
export function lostPortfolio(portfolio: Portfolio, at: string): Lost<Portfolio> {
  const version = portfolio.version + 1;
  const payload = { status: 'abandoned', version, reason: WORKFLOW_LOST };
  return {
    value: { ...portfolio, status: 'abandoned', version, updated_at: at },
    event: { event_type: 'portfolio.status_changed', actor: CLOCK_ACTOR, payload },
  };
}

/** Cancels a plan. The caller ends its tasks and questions. */
export function lostPlan(plan: Plan, at: string): Lost<Plan> {
  const payload = { plan_id: plan.id, reason: WORKFLOW_LOST };
  return {
    value: { ...plan, state: 'cancelled', version: plan.version + 1, updated_at: at },
    event: { event_type: 'plan.cancelled', actor: CLOCK_ACTOR, payload },
  };
}

/**
 * Fails a task, so that its plan does what `on_failure` says, and returns the news for its observers: it cannot be
 * retried.
 */
export function lostTask(task: Task, at: string): Lost<Task> & { readonly news: TaskNews } {
  const { id: task_id, attempt } = task;
  const payload = { task_id, error: WORKFLOW_LOST, attempt, will_retry: false };
  const value: Task = {
    ...task,
    status: 'failed',
    error: WORKFLOW_LOST,
    waiting_claim: null,
    blocked_reason: null,
    suspended_intent_id: null,
    version: task.version + 1,
    updated_at: at,
  };
  return {
    value,
    event: { event_type: 'task.failed', actor: CLOCK_ACTOR, payload },
    news: { ...storedNews(value, LAST_REVISION), final: true },
  };
}

/** Ends the lease of a coordinator, as silence would. */
export function lostCoordinator(coordinator: Coordinator): Lost<Coordinator> {
  const { id, agent_id, last_heartbeat } = coordinator;
  const payload = { coordinator_id: id, agent_id, last_heartbeat, reason: WORKFLOW_LOST };
  return {
    value: { ...coordinator, status: 'failed_over', version: coordinator.version + 1 },
    event: { event_type: 'coordinator.failed_over', actor: CLOCK_ACTOR, payload },
  };
}

/** Informs an intent that a lost coordinator no longer holds the phases wired to it. */
export function releasedByLoss(coordinatorId: string, intentId: string): IntentNote {
  return {
    key: `lost:${coordinatorId}:${intentId}`,
    intent_id: intentId,
    actor: CLOCK_ACTOR,
    event_type: 'coordinator.dependents_released',
    payload: { coordinator_id: coordinatorId, intent_id: intentId, reason: 'lease_over' },
    hold: { coordinator_id: coordinatorId, held: false },
  };
}
