import type { Checkpoint, PlanEscalation } from '../../../contracts/plan/plan.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import type { TaskNews, TaskStatus } from '../../../contracts/plan/task.js';
import type { PlanRecord, PlanState } from '../../../domain/plan/state.js';
import { AT, INTENT_ID, LATER, news, OPEN, UPSTREAM_INTENT } from './task-samples.js';

export const FIRST = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
export const SECOND = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb';

/** A checkpoint after the first task that needs an approval. */
export const A_CHECKPOINT: Checkpoint = {
  id: 'cp',
  name: 'compliance',
  after_task: FIRST,
  requires_approval: true,
  approvers: [],
  timeout_hours: null,
  on_timeout: 'escalate',
  status: 'pending',
  suspension_id: null,
  decided_by: null,
};

/** An open question about the first task, which failed. */
export const AN_ESCALATION: PlanEscalation = {
  task_id: FIRST,
  attempt: 1,
  error: 'broken',
  status: 'open',
  suspension_id: OPEN.suspension_id,
  decision: null,
  decided_by: null,
};

export function aPlan(changes: Partial<PlanRecord> = {}): PlanState {
  const plan: PlanRecord = {
    id: UPSTREAM_INTENT,
    intent_id: INTENT_ID,
    version: 1,
    state: 'active',
    tasks: [FIRST, SECOND],
    checkpoints: [],
    conditions: [],
    escalations: [],
    on_failure: 'pause_and_escalate',
    on_complete: 'notify',
    metadata: {},
    created_by: 'planner',
    created_at: AT,
    updated_at: AT,
    workflow: null,
    ...changes,
  };
  const member = (task_id: string, name: string, depends_on: readonly string[]) => ({
    task_id,
    name,
    depends_on,
    intent_id: INTENT_ID,
    news: null,
  });
  const members = [member(FIRST, 'review', []), member(SECOND, 'report', [FIRST])];
  return { plan, members, revision: 1 };
}

export function newsFrom(
  task_id: string,
  revision: number,
  status: TaskStatus,
  more: Partial<TaskNews> = {},
) {
  return news(revision, { task_id, status, ...more });
}

export const types = (change: { events: readonly { event_type: string }[] }) =>
  change.events.map(({ event_type }) => event_type);

export function settled(changes: Partial<SettledRecord>): SettledRecord {
  return {
    id: OPEN.suspension_id,
    question: '?',
    response_type: 'choice',
    suspended_at: AT,
    fallback_policy: 'fail',
    settled_by: 'operator',
    settled_at: LATER,
    resolution: 'responded',
    response: 'approve',
    responded_by: 'alice',
    ...changes,
  };
}
