import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Task } from '../../../contracts/plan/task.js';
import { RealStack, createIntent } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';
import { lookUntil } from '../../support/looks.js';

const CLOSED = { default_policy: 'closed', entries: [] };
const ANY_VERSION = { 'If-Match': '1' };
/** A version that nothing has, so that the write changes nothing. */
const NO_VERSION = { 'If-Match': '9999' };

interface Made {
  readonly id: string;
  readonly tasks: readonly string[];
}

describe('an access list, in the writes of tasks and plans', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  async function made(path: string, as: KeyName, body: object): Promise<Made> {
    const reply = await stack.post(path, as, body);
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body as Made;
  }

  async function close(intentId: string): Promise<void> {
    const reply = await stack.put(`/api/v1/intents/${intentId}/acl`, 'agent', CLOSED);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
  }

  async function anIntent(): Promise<string> {
    return (await createIntent(stack)).slice('/v1/intents/'.length);
  }

  /** Intents of the first agent and of the second, with a task and a plan each; the first lets nobody else in. */
  async function intents() {
    const intent_id = await anIntent();
    await close(intent_id);
    const task = await made('/v1/tasks', 'agent', { intent_id, name: 'review' });
    const plan = await made('/v1/plans', 'agent', { intent_id, tasks: [{ name: 'a' }] });
    const { id: own } = await made('/v1/intents', 'agent2', { title: 'Another' });
    const ownPlan = await made('/v1/plans', 'agent2', { intent_id: own, tasks: [] });
    return { intent_id, task, plan, own, ownPlan };
  }

  it('keeps agents that it does not name from every write, whatever they know', async () => {
    const { intent_id, task, plan, own, ownPlan } = await intents();
    const cancel = { status: 'cancelled' };
    const writes = {
      claim: () => stack.post(`/v1/tasks/${task.id}/claim`, 'agent2', {}),
      'claim that waits': () =>
        stack.post(`/v1/tasks/${plan.tasks[0] ?? ''}/claim`, 'agent2', { wait: true }),
      cancel: () => stack.patch(`/v1/tasks/${task.id}`, 'agent2', cancel, ANY_VERSION),
      'cancel through OpenIntent': () =>
        stack.patch(`/api/v1/tasks/${task.id}`, 'agent2', cancel, ANY_VERSION),
      'start the plan': () =>
        stack.patch(`/v1/plans/${plan.id}`, 'agent2', { state: 'active' }, ANY_VERSION),
      'pause the plan through OpenIntent': () =>
        stack.patch(`/api/v1/plans/${plan.id}`, 'agent2', { state: 'paused' }, ANY_VERSION),
      'add a task to the plan': () =>
        stack.post('/v1/tasks', 'agent2', { intent_id: own, plan_id: plan.id, name: 'b' }),
      'take the task into a plan of its own': () =>
        stack.post('/v1/plans', 'agent2', { intent_id: own, tasks: [task.id] }),
      'add the task to a plan of its own': () =>
        stack.patch(`/v1/plans/${ownPlan.id}`, 'agent2', { tasks: [task.id] }, ANY_VERSION),
      'plan a task for the intent': () =>
        stack.post('/v1/plans', 'agent2', { intent_id: own, tasks: [{ name: 'b', intent_id }] }),
      'depend on the task': () =>
        stack.post('/v1/tasks', 'agent2', { intent_id: own, name: 'b', depends_on: [task.id] }),
      'put a task below it': () =>
        stack.post('/v1/tasks', 'agent2', { intent_id: own, name: 'b', parent_task_id: task.id }),
    };
    for (const [name, write] of Object.entries(writes)) {
      const { status, body } = await write();
      assert.equal(status, 403, `${name}: ${JSON.stringify(body)}`);
      assert.equal(body.code, 'forbidden', name);
    }
    const { body } = await stack.get(`/v1/tasks/${task.id}`);
    const { status, version } = body as Task;
    assert.deepEqual([status, version], ['ready', 1]);
    for (const name of ['agent', 'admin'] as const) {
      const { status: claimed } = await stack.post(`/v1/tasks/${task.id}/claim`, name, {});
      assert.equal(claimed, name === 'agent' ? 200 : 409);
    }
  });

  it('counts soon after it changes, and takes back no task', async () => {
    const intent_id = await anIntent();
    const names = ['free', 'taken'];
    const [free, taken] = await Promise.all(
      names.map((name) => made('/v1/tasks', 'agent', { intent_id, name })),
    );
    const claimed = await stack.post(`/v1/tasks/${taken?.id ?? ''}/claim`, 'agent2', {});
    assert.equal(claimed.status, 200, JSON.stringify(claimed.body));
    await close(intent_id);
    const refused = async () => {
      const cancel = { status: 'cancelled' };
      const path = `/v1/tasks/${free?.id ?? ''}`;
      return (await stack.patch(path, 'agent2', cancel, NO_VERSION)).status === 403;
    };
    await lookUntil(refused, 'the task does not hear of the list');
    const started = await stack.patch(
      `/v1/tasks/${taken?.id ?? ''}`,
      'agent2',
      { status: 'running' },
      { 'If-Match': '2' },
    );
    assert.equal(started.status, 200, JSON.stringify(started.body));
  });
});
