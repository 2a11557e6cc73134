import type { AnnouncedSuspension, Announcement } from '../../../contracts/graph/announcement.js';
import {
  createTaskRequestSchema,
  taskDefinitionSchema,
  type CreateTaskRequest,
  type Task,
  type TaskDefinition,
  type TaskNews,
} from '../../../contracts/plan/task.js';
import { newTask, newTaskState, NO_RULES } from '../../../domain/plan/task.js';
import type { TaskRules, TaskState } from '../../../domain/plan/task-state.js';

export const AT = '2026-03-24T10:00:00.000Z';
export const LATER = '2026-03-24T11:30:00.000Z';
export const EXPIRES = '2026-03-24T13:00:00.000Z';
export const INTENT_ID = '11111111-1111-4111-8111-111111111111';
export const TASK_ID = '22222222-2222-4222-8222-222222222222';
export const UPSTREAM_ID = '33333333-3333-4333-8333-333333333333';
export const UPSTREAM_INTENT = '44444444-4444-4444-8444-444444444444';

export function aTask(changes: Partial<Task> = {}, request: Partial<CreateTaskRequest> = {}): Task {
  const parsed = createTaskRequestSchema.parse({
    intent_id: INTENT_ID,
    name: 'review',
    ...request,
  });
  const identity = { id: TASK_ID, created_by: 'planner', created_at: AT };
  return { ...newTask(parsed, identity), ...changes };
}

export function aState(
  changes: Partial<Task> = {},
  upstream: readonly TaskNews[] = [],
  rules: TaskRules = NO_RULES,
): TaskState {
  return newTaskState(aTask(changes), upstream, rules);
}

export function aDefinition(fields: object): TaskDefinition {
  return taskDefinitionSchema.parse(fields);
}

/** An open question, as its intent announces it. */
export const OPEN: AnnouncedSuspension = {
  suspension_id: '55555555-5555-4555-8555-555555555555',
  suspended_at: AT,
  expires_at: EXPIRES,
  attempt: 1,
  resolution: null,
  settled_at: null,
};

export function announced(version: number, changes: Partial<Announcement> = {}): Announcement {
  const status = changes.status ?? 'active';
  return {
    intent_id: INTENT_ID,
    version,
    last_sequence: version,
    status,
    held: status === 'suspended_awaiting_input',
    holds: 0,
    suspension: status === 'suspended_awaiting_input' ? OPEN : null,
    ...changes,
  };
}

export function suspended(version: number): Announcement {
  return announced(version, { status: 'suspended_awaiting_input' });
}

export function news(revision: number, changes: Partial<TaskNews> = {}): TaskNews {
  return {
    task_id: UPSTREAM_ID,
    revision,
    name: 'research',
    status: 'running',
    attempt: 1,
    max_attempts: 1,
    error: null,
    suspension: null,
    ...changes,
  };
}
