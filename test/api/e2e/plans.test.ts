import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Plan, PhasedPlanView } from '../../../contracts/plan/plan.js';
import type { Task } from '../../../contracts/plan/task.js';
import { lookUntil } from '../../support/looks.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';

const COMPLIANCE = {
  title: 'Compliance',
  phases: {
    fetch_data: { outputs: { rows: 'array' } },
    compliance_review: {
      depends_on: ['fetch_data'],
      inputs: { rows: 'fetch_data.rows' },
      outputs: { approved: 'boolean' },
    },
    generate_report: {
      depends_on: ['compliance_review'],
      assign: 'agent-2',
      inputs: { verdict: 'compliance_review.approved' },
    },
  },
};

describe('tasks, plans and workflows over HTTP', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  async function once<T>(path: string, isWanted: (body: T) => boolean): Promise<T> {
    let body: T | undefined;
    return lookUntil(
      async () => {
        body = (await stack.get(path)).body as T;
        return isWanted(body) && body;
      },
      () => `${path} never got there: ${JSON.stringify(body)}`,
    );
  }

  async function patch(path: string, body: object, as: KeyName = 'agent') {
    const { version } = (await stack.get(path)).body as Task;
    return stack.patch(path, as, body, { 'If-Match': String(version) });
  }

  async function run(task: string, output: object, as: KeyName = 'agent'): Promise<void> {
    await once<Task>(task, ({ status }) => status === 'ready' || status === 'claimed');
    const claimed = await stack.post(`${task}/claim`, as, {});
    assert.equal(claimed.status, 200, JSON.stringify(claimed.body));
    assert.equal((await patch(task, { status: 'running' }, as)).status, 200);
    const done = await patch(task, { status: 'completed', output }, as);
    assert.equal(done.status, 200, JSON.stringify(done.body));
  }

  it('takes a workflow through a phase that asks [R26-25, R26-26, R26-76, R26-77]', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const made = await stack.post('/v1/workflows', 'agent', COMPLIANCE, key);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const again = await stack.post('/v1/workflows', 'agent', COMPLIANCE, key);
    assert.equal(again.body.id, made.body.id);
    const path = `/v1/workflows/${made.body.id}`;
    const { phases } = made.body as PhasedPlanView;
    const [fetch, review, report] = phases.map(({ task_id }) => `/v1/tasks/${task_id}`);
    assert.ok(fetch && review && report);
    const reviewed = `/v1/intents/${phases[1]?.intent_id}`;
    const early = await stack.post(`${report}/claim`, 'agent', {});
    assert.deepEqual([early.status, early.body.code], [403, 'wrong_agent']);
    await run(fetch, { rows: [1, 2] });
    const fetched = `/v1/intents/${phases[0]?.intent_id}`;
    await stack.post(`${fetched}/status`, 'agent', { status: 'completed' }, { 'If-Match': '1' });
    await once<Task>(review, ({ status }) => status === 'ready');
    const claimed = await stack.post(`${review}/claim`, 'agent', {});
    assert.deepEqual(claimed.body.input, { rows: [1, 2] });
    await once<{ status: string }>(reviewed, ({ status }) => status === 'active');
    const retry_policy = { max_attempts: 3, interval_seconds: 3_600 };
    const { record, id } = await ask(stack, reviewed, { ...REFUND, retry_policy });
    const expires_at = new Date(Date.parse(record.suspended_at) + 10_800_000).toISOString();
    const waiting = await once<PhasedPlanView>(
      path,
      ({ progress }) => progress.suspended_phases.length === 1,
    );
    assert.deepEqual(waiting.progress.suspended_phases, [
      {
        phase_name: 'compliance_review',
        intent_id: phases[1]?.intent_id,
        suspended_since: record.suspended_at,
        expires_at,
      },
    ]);
    const refused = await stack.post(`${report}/claim`, 'agent2', {});
    assert.deepEqual([refused.status, refused.body.code], [409, 'upstream_intent_suspended']);
    const { suspended_intent_id, expected_resume_at } = refused.body.state;
    assert.deepEqual([suspended_intent_id, expected_resume_at], [phases[1]?.intent_id, expires_at]);
    const kept = await stack.post(`${report}/claim`, 'agent2', { wait: true });
    assert.deepEqual([kept.status, kept.body.status], [202, 'pending']);
    await stack.post(`${reviewed}/suspend/respond`, 'operator', {
      suspension_id: id,
      value: 'approve',
    });
    await once<PhasedPlanView>(path, ({ progress }) => progress.suspended_phases.length === 0);
    await once<Task>(review, ({ status }) => status === 'running');
    const missing = await patch(review, { status: 'completed', output: {} });
    assert.deepEqual([missing.status, missing.body.code], [422, 'missing_output']);
    await patch(review, { status: 'completed', output: { approved: true } });
    const granted = await once<Task>(report, ({ status }) => status === 'claimed');
    assert.deepEqual([granted.assigned_agent, granted.input], ['agent-2', { verdict: true }]);
    await run(report, {}, 'agent2');
    const done = await once<PhasedPlanView>(path, ({ state }) => state === 'completed');
    assert.equal(done.progress.by_status.completed, 3);
    const listed = await stack.get(`${reviewed}/tasks`);
    assert.deepEqual(
      (listed.body.tasks as Task[]).map(({ status }) => status),
      ['completed'],
    );
  });

  it('keeps a task without a plan beside its intent [R26-12, R26-13]', async () => {
    const intent = await createIntent(stack);
    const intent_id = intent.slice('/v1/intents/'.length);
    const made = await stack.post('/v1/tasks', 'agent', { intent_id, name: 'refund' });
    assert.deepEqual([made.status, made.body.status], [201, 'ready']);
    const task = `/v1/tasks/${made.body.id}`;
    await stack.post(`${task}/claim`, 'agent', {});
    const { id } = await ask(stack, intent);
    const blocked = await once<Task>(task, ({ status }) => status === 'blocked');
    assert.equal(blocked.suspended_intent_id, intent_id);
    await stack.post(`${intent}/suspend/respond`, 'operator', { suspension_id: id, value: 'deny' });
    await once<Task>(task, ({ status }) => status === 'running');
  });

  it('adopts tasks that exist, and adds tasks to a plan that does', async () => {
    const intent = await createIntent(stack);
    const intent_id = intent.slice('/v1/intents/'.length);
    const first = await stack.post('/v1/tasks', 'agent', { intent_id, name: 'first' });
    const plan = await stack.post('/v1/plans', 'agent', { intent_id, tasks: [first.body.id] });
    assert.deepEqual([plan.status, plan.body.state], [201, 'draft']);
    const path = `/v1/plans/${plan.body.id}`;
    const body = { intent_id, name: 'second', plan_id: plan.body.id, depends_on: [first.body.id] };
    const second = await stack.post('/v1/tasks', 'agent', body);
    assert.deepEqual([second.status, second.body.status], [201, 'pending']);
    assert.equal((await patch(path, { state: 'active' })).status, 200);
    await run(`/v1/tasks/${first.body.id}`, {});
    await run(`/v1/tasks/${second.body.id}`, {});
    await once<{ state: string }>(path, ({ state }) => state === 'completed');
    const { body: listed } = await stack.get(`${intent}/plans`);
    assert.deepEqual([listed.plans.length, listed.plans[0].state], [1, 'completed']);
  });

  it('gives a checkpoint that is added later an id that no other has', async () => {
    const intent_id = (await createIntent(stack)).slice('/v1/intents/'.length);
    const tasks = [{ name: 'review' }, { name: 'report', depends_on: ['review'] }];
    const point = { after_task: 'review', requires_approval: false };
    const checkpoints = [
      { ...point, id: 'cp_1' },
      { ...point, id: 'cp_3' },
    ];
    const body = { intent_id, tasks, checkpoints, state: 'active' };
    const made = (await stack.post('/v1/plans', 'agent', body)).body as unknown as Plan;
    const [review = '', report = ''] = made.tasks;
    await run(`/v1/tasks/${review}`, {});
    const path = `/v1/plans/${made.id}`;
    await once<Plan>(path, (plan) => plan.checkpoints[1]?.status === 'approved');
    const added = await patch(path, { checkpoints: [{ after_task: report }] });
    assert.equal(added.status, 200, JSON.stringify(added.body));
    const points = (added.body as unknown as Plan).checkpoints;
    assert.deepEqual(
      points.map(({ id, status }) => [id, status]),
      [
        ['cp_1', 'approved'],
        ['cp_3', 'approved'],
        ['cp_2', 'pending'],
      ],
    );
  });
});
