import type { Plan } from '../../contracts/plan.js';
import type { Task, TaskNews, TaskStatus } from '../../contracts/task.js';
import { storedNews } from '../../domain/plan/task-state.js';
import { toJsonText } from '../column-values.js';
import type { Store } from '../schema.js';
import { journalWriter } from './upsert.js';

/** A task, and how many changes it has seen. */
export interface StoredTask {
  readonly task: Task;
  readonly revision: number;
}

/** The tasks with these ids, as far as they are stored. */
export async function findTasks(db: Store, ids: readonly string[]): Promise<readonly StoredTask[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('tasks')
    .select(['record', 'revision'])
    .where('id', 'in', [...ids])
    .execute();
  return rows.map(({ record, revision }) => ({ task: record, revision }));
}

/** The state of tasks, in the form that their followers receive. */
export async function taskNews(db: Store, ids: readonly string[]): Promise<readonly TaskNews[]> {
  const found = await findTasks(db, ids);
  return found.map(({ task, revision }) => storedNews(task, revision));
}

export interface TaskListOptions {
  readonly limit: number;
  readonly offset: number;
  readonly status?: TaskStatus | undefined;
}

/** A page of an intent's tasks, oldest first. */
export async function listTasks(
  db: Store,
  intentId: string,
  { limit, offset, status }: TaskListOptions,
): Promise<readonly Task[]> {
  const all = db.selectFrom('tasks').select('record').where('intent_id', '=', intentId);
  const filtered = status === undefined ? all : all.where('status', '=', status);
  const rows = await filtered
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ record }) => record);
}

/** The plans with these ids, as far as they are stored. */
export async function findPlans(db: Store, ids: readonly string[]): Promise<readonly Plan[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('plans')
    .select('record')
    .where('id', 'in', [...ids])
    .execute();
  return rows.map(({ record }) => record);
}

/** A page of an intent's plans, oldest first. */
export async function listPlans(
  db: Store,
  intentId: string,
  { limit, offset }: Pick<TaskListOptions, 'limit' | 'offset'>,
): Promise<readonly Plan[]> {
  const rows = await db
    .selectFrom('plans')
    .select('record')
    .where('intent_id', '=', intentId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ record }) => record);
}

export const writeTasks = journalWriter({
  kind: 'task',
  table: 'tasks',
  key: ['id'],
  version: ['revision'],
  columns: ({ task, revision }) => ({
    id: task.id,
    intent_id: task.intent_id,
    plan_id: task.plan_id,
    status: task.status,
    revision,
    created_at: task.created_at,
    record: toJsonText(task),
  }),
});

export const writePlans = journalWriter({
  kind: 'plan',
  table: 'plans',
  key: ['id'],
  version: ['revision'],
  columns: ({ plan, revision }) => ({
    id: plan.id,
    intent_id: plan.intent_id,
    state: plan.state,
    revision,
    created_at: plan.created_at,
    record: toJsonText(plan),
  }),
});
