import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PhasedPlanView } from '../../../contracts/plan/plan.js';
import type { Task } from '../../../contracts/plan/task.js';
import { lookUntil } from '../../support/looks.js';
import { REFUND, RealStack, ask, createIntent, type KeyName } from '../../support/real-stack.js';
import { readFresh } from '../../support/fresh-reads.js';

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

  async function anIntent(): Promise<{ readonly intent: string; readonly intent_id: string }> {
    const intent = await createIntent(stack);
    return { intent, intent_id: intent.slice('/v1/intents/'.length) };
  }

  /** All that can be read of an intent and what belongs to it, and how many intents there are. */
  async function everything(intent: string): Promise<unknown> {
    const paths = ['', '/tasks', '/plans', '/events', '/dependencies'].map((end) => intent + end);
    return Promise.all([...paths, '/v1/intents'].map((path) => readFresh(stack, path)));
  }

  async function refuses(
    request: () => Promise<{ status: number; body: { code?: string } }>,
    expected: readonly [number, string],
    intent: string,
  ) {
    const known = await everything(intent);
    const { status, body } = await request();
    assert.deepEqual([status, body.code], expected, JSON.stringify(body));
    assert.deepEqual(await everything(intent), known);
    return body;
  }

  it('lists all that is wrong with a plan at once, and makes none of it', async () => {
    const { intent, intent_id } = await anIntent();
    const body = {
      intent_id,
      tasks: [
        { name: 'a', depends_on: ['b'], outputs: { x: 'string' } },
        { name: 'b', depends_on: ['a'], inputs: { y: 'a.nothing', z: 'nobody.x' } },
        { name: 'c', depends_on: ['nobody'], outputs: { x: 'Unheard' } },
      ],
      checkpoints: [{ after_task: 'd' }],
      conditions: [{ task_id: 'c', when: 'perhaps' }],
    };
    const refused = await refuses(
      async () => stack.post('/v1/plans', 'agent', body),
      [400, 'task_cycle'],
      intent,
    );
    const { state, errors } = refused as unknown as {
      state: { cycles: unknown };
      errors: readonly { field: string }[];
    };
    assert.deepEqual(state.cycles, [['a', 'b', 'a']]);
    assert.deepEqual(
      errors.map(({ field }) => field),
      [
        'tasks[0].depends_on',
        'tasks[1].inputs.y',
        'tasks[1].inputs.z',
        'tasks[2].depends_on[0]',
        'tasks[2].outputs.x',
        'checkpoints[0].after_task',
        'conditions[0].when',
      ],
    );
  });

  it('makes no plan of tasks that together are larger than what starts a plan', async () => {
    const { intent, intent_id } = await anIntent();
    const names = Array.from({ length: 138 }, (_, number) => `t${number}`);
    const description = 'x'.repeat(1_250);
    const tasks = names.map((name, index) => ({
      name,
      description,
      depends_on: names.slice(0, index),
    }));
    const send = async () => stack.post('/v1/plans', 'agent', { intent_id, tasks });
    await refuses(send, [422, 'state_too_large'], intent);
    const { body } = await send();
    assert.equal(body.field, 'tasks');
    assert.match(String(body.accepted), /^at most 1179648 bytes of JSON/);
  });
});
