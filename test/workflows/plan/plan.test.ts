import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  logOf,
  refusalOf,
  snapshotOf,
  writeStatus,
  type IntentHandle,
} from '../support/intents.js';
import {
  claimTask,
  doTask,
  idOf,
  openPlan,
  patchTask,
  planOnce,
  readTask,
  taskOnce,
} from '../support/plans.js';
import { perSuite, World } from '../support/world.js';
import { caller } from '../../support/callers.js';
import { recordQuery, respondUpdate } from '../../../workflows/suspension/messages.js';

async function close(...intents: readonly IntentHandle[]): Promise<void> {
  for (const intent of intents) await writeStatus(intent, 'completed');
  await Promise.all(intents.map((intent) => intent.result()));
}

describe('a plan', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function answer(suspensionId: string, value: string, by = 'alice'): Promise<void> {
    const handle = world.suspension(suspensionId);
    const view = await handle.query(recordQuery);
    const person = { responded_by: by, by: caller(by, 'operator') };
    const input = { ...(await world.answer(view, value)), ...person };
    await handle.executeUpdate(respondUpdate, { args: [input] });
  }

  it('observes the suspension of a phase, refuses its dependents, and goes on [R26-24, R26-74, R26-78, AM-42]', async () => {
    const intent = await world.openIntent();
    const second = await world.openIntent();
    const tasks = [
      { name: 'review', outputs: { approved: 'boolean' } },
      {
        name: 'report',
        intent_id: idOf(second),
        depends_on: ['review'],
        inputs: { verdict: 'review.approved' },
      },
    ];
    const { handle, task } = await openPlan(world, intent, { tasks });
    const [review, report] = [task('review'), task('report')];
    await taskOnce(review, ({ status }) => status === 'ready');
    await claimTask(review);
    await patchTask(review, { status: 'running' });
    const view = await world.ask(intent, { timeout_seconds: 3_600 });
    const { progress } = await planOnce(
      handle,
      (plan) => plan.progress.suspended_tasks.length === 1,
    );
    assert.deepEqual(progress.suspended_tasks, [
      {
        task_id: idOf(review),
        intent_id: idOf(intent),
        suspended_since: view.record.suspended_at,
        expires_at: view.record.expires_at,
      },
    ]);
    assert.equal(progress.by_status.running, 0, 'R26-15');
    const refused = await refusalOf(claimTask(report));
    assert.equal(refused.code, 'upstream_intent_suspended');
    assert.deepEqual(refused.state, {
      task_id: idOf(report),
      phase_name: 'report',
      suspended_intent_id: idOf(intent),
      expected_resume_at: view.record.expires_at,
    });
    const waiting = await claimTask(report, 'agent-2', true);
    assert.equal(waiting.waits_for?.code, 'upstream_intent_suspended');
    const { status, attempt, error } = waiting.task ?? {};
    assert.deepEqual([status, attempt, error], ['pending', 1, null], 'R26-77');
    assert.equal((await refusalOf(claimTask(report))).code, 'task_claimed');
    await answer(view.id, 'approve');
    await planOnce(handle, (plan) => plan.progress.suspended_tasks.length === 0);
    await taskOnce(review, ({ status }) => status === 'running');
    const resumed = await claimTask(report, 'agent-2', true);
    assert.equal(resumed.waits_for?.code, 'unresolvable_input');
    await refusalOf(patchTask(review, { status: 'completed', output: {} }));
    await patchTask(review, { status: 'completed', output: { approved: true } });
    const claimed = await taskOnce(report, ({ status }) => status === 'claimed');
    assert.deepEqual([claimed.assigned_agent, claimed.input], ['agent-2', { verdict: true }]);
    await patchTask(report, { status: 'running' }, 'agent-2');
    await patchTask(report, { status: 'completed', output: {} }, 'agent-2');
    await handle.result();
    const types = (await logOf(world, intent)).map(({ event_type }) => event_type);
    assert.deepEqual(
      types.filter((type) => type.startsWith('plan.')),
      ['plan.created', 'plan.activated', 'plan.completed'],
    );
    await close(intent, second);
  });

  it('asks at a checkpoint, and goes on when it is approved [R26-16]', async () => {
    const intent = await world.openIntent();
    const { handle, task } = await openPlan(world, intent, {
      tasks: [{ name: 'review' }, { name: 'report', depends_on: ['review'] }],
      checkpoints: [{ after_task: 'review', approvers: ['bob'], timeout_hours: 24 }],
    });
    await doTask(task('review'));
    const asked = await planOnce(
      handle,
      ({ checkpoints }) => checkpoints[0]?.suspension_id !== null,
    );
    assert.equal(asked.state, 'paused');
    const first = asked.checkpoints[0]?.suspension_id ?? assert.fail();
    const { record } = await world.suspension(first).query(recordQuery);
    assert.deepEqual([record.timeout_seconds, record.retry_policy?.max_attempts], [86_400, 2]);
    const refusal = await refusalOf(answer(first, 'approve', 'alice'));
    assert.equal(refusal.code, 'not_eligible');
    assert.equal((await readTask(task('report'))).status, 'pending');
    assert.equal((await snapshotOf(intent)).intent.status, 'active', 'Rule 1');
    await answer(first, 'approve', 'bob');
    await doTask(task('report'));
    await handle.result();
    const types = (await logOf(world, intent)).map(({ event_type }) => event_type);
    assert.deepEqual(
      types.filter((type) => type.startsWith('plan.')),
      [
        'plan.created',
        'plan.activated',
        'plan.checkpoint_reached',
        'plan.paused',
        'plan.checkpoint_approved',
        'plan.resumed',
        'plan.completed',
      ],
    );
    await close(intent);
  });

  it('keeps its state when it continues as new', async () => {
    const intent = await world.openIntent();
    const names = Array.from({ length: 8 }, (_, index) => `step${index}`);
    const tasks = names.map((name, index) => ({
      name,
      depends_on: index === 0 ? [] : [`step${index - 1}`],
    }));
    const { handle, task } = await openPlan(world, intent, { tasks }, { history_limit: 50 });
    const runs = new Set<string>();
    for (const name of names) {
      runs.add((await handle.describe()).runId);
      await doTask(task(name));
    }
    assert.ok(runs.size > 1, 'it stays in its run');
    const done = await planOnce(handle, ({ state }) => state === 'completed');
    assert.equal(done.progress.by_status.completed, 8);
    await handle.result();
    await close(intent);
  });
});
