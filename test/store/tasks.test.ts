import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { Plan } from '../../contracts/plan/plan.js';
import type { Task } from '../../contracts/plan/task.js';
import { planProgress } from '../../domain/plan/state.js';
import { writeRows } from '../../store/journal-writer.js';
import { findPlans, findTasks, listPlans, listTasks, taskNews } from '../../store/queries/plan.js';
import { aTask } from '../domain/plan/task-samples.js';
import { useStore } from '../support/store.js';
import { instant } from './rows.js';

function taskRow(task: Task, revision: number): JournalRow {
  return { kind: 'task', task, revision };
}

function aPlan(changes: Partial<Plan> = {}): Plan {
  return {
    id: randomUUID(),
    intent_id: randomUUID(),
    version: 1,
    state: 'draft',
    tasks: [],
    checkpoints: [],
    conditions: [],
    escalations: [],
    on_failure: 'notify',
    on_complete: 'notify',
    metadata: {},
    created_by: 'planner',
    created_at: instant(0),
    updated_at: instant(0),
    members: [],
    progress: planProgress([]),
    workflow: null,
    ...changes,
  };
}

describe('tasks and plans in the store', () => {
  const store = useStore();
  const write = (...rows: JournalRow[]): Promise<unknown> => writeRows(store.db, rows);

  it('keep the newest of each, in whatever order they come', async () => {
    const old = aTask({ id: randomUUID() });
    const newer = { ...old, status: 'completed', output: { done: true } } as const;
    await write(taskRow(newer, 3), taskRow(old, 1));
    await write(taskRow(old, 2));
    assert.deepEqual(await findTasks(store.db, [old.id, randomUUID()]), [
      { task: newer, revision: 3 },
    ]);
    const [news] = await taskNews(store.db, [old.id]);
    assert.deepEqual(
      [news?.revision, news?.status, news?.output],
      [3, 'completed', { done: true }],
    );
    assert.deepEqual(await taskNews(store.db, []), []);
    const plan = aPlan();
    const active: Plan = { ...plan, state: 'active', version: 2 };
    await write({ kind: 'plan', plan: active, revision: 2 }, { kind: 'plan', plan, revision: 1 });
    assert.deepEqual(await findPlans(store.db, [plan.id, randomUUID()]), [active]);
    assert.deepEqual(await findPlans(store.db, []), []);
  });

  it('are listed by their intent, oldest first', async () => {
    const intent_id = randomUUID();
    const tasks = [0, 1, 2].map((n) =>
      aTask({
        id: randomUUID(),
        intent_id,
        created_at: instant(n),
        status: n === 1 ? 'blocked' : 'ready',
      }),
    );
    await write(...tasks.map((task) => taskRow(task, 1)), taskRow(aTask({ id: randomUUID() }), 1));
    const page = { limit: 10, offset: 0, whole: true };
    assert.deepEqual((await listTasks(store.db, intent_id, page)).rows, tasks);
    const { rows: blocked } = await listTasks(store.db, intent_id, { ...page, status: 'blocked' });
    assert.deepEqual(blocked, [tasks[1]]);
    const third = await listTasks(store.db, intent_id, { ...page, limit: 1, offset: 2 });
    assert.deepEqual(third.rows, [tasks[2]]);
    const plan = aPlan({ intent_id });
    await write({ kind: 'plan', plan, revision: 1 });
    assert.deepEqual((await listPlans(store.db, intent_id, page)).rows, [plan]);
  });
});
