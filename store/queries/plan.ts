import type { Plan, PlanSummary } from '../../contracts/plan/plan.js';
import type { Task, TaskNews, TaskStatus, TaskSummary } from '../../contracts/plan/task.js';
import { storedNews } from '../../domain/plan/task-state.js';
import { toJsonText } from '../column-values.js';
import type { Store } from '../schema.js';
import type { Form, Page } from './bounded.js';
import { listLarge } from './records.js';
import { journalWriter } from './upsert.js';

interface StoredTask {
  readonly task: Task;
  readonly revision: number;
}

export async function findTasks(db: Store, ids: readonly string[]): Promise<readonly StoredTask[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('tasks')
    .select(['record', 'revision'])
    .where('id', 'in', [...ids])
    .execute();
  return rows.map(({ record, revision }) => ({ task: record, revision }));
}

/** Returns the state of tasks in the form that their followers receive. */
export async function taskNews(db: Store, ids: readonly string[]): Promise<readonly TaskNews[]> {
  const found = await findTasks(db, ids);
  return found.map(({ task, revision }) => storedNews(task, revision));
}

export interface TaskListOptions extends Page {
  readonly status?: TaskStatus | undefined;
}

/** Returns a page of an intent's tasks, oldest first. */
export function listTasks(
  db: Store,
  intent_id: string,
  { status, ...page }: TaskListOptions,
): Promise<Form<Task, TaskSummary>> {
  return listLarge(db, 'tasks', { ...page, first: 'oldest', where: { intent_id, status } });
}

export async function findPlans(db: Store, ids: readonly string[]): Promise<readonly Plan[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('plans')
    .select('record')
    .where('id', 'in', [...ids])
    .execute();
  return rows.map(({ record }) => record);
}

/** Returns a page of an intent's plans, oldest first. */
export function listPlans(
  db: Store,
  intent_id: string,
  page: Page,
): Promise<Form<Plan, PlanSummary>> {
  return listLarge(db, 'plans', { ...page, first: 'oldest', where: { intent_id } });
}

export const writeTasks = journalWriter({
  kind: 'task',
  table: 'tasks',
  version: ['revision'],
  columns: ({ task, revision, creation_hash }) => ({
    id: task.id,
    intent_id: task.intent_id,
    plan_id: task.plan_id,
    status: task.status,
    revision,
    created_at: task.created_at,
    creation_hash: creation_hash ?? null,
    record: toJsonText(task),
  }),
});

export const writePlans = journalWriter({
  kind: 'plan',
  table: 'plans',
  version: ['revision'],
  columns: ({ plan, revision, creation_hash }) => ({
    id: plan.id,
    intent_id: plan.intent_id,
    state: plan.state,
    revision,
    created_at: plan.created_at,
    creation_hash: creation_hash ?? null,
    record: toJsonText(plan),
  }),
});
