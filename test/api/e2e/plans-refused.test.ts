import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack, createIntent } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';

const TWO_PHASES = [
  { name: 'review', outputs: { approved: 'boolean' } },
  { name: 'report', depends_on: ['review'], inputs: { verdict: 'review.approved' } },
];

/** Phases each of which gets the value of a reference. */
const phasesOf = (ref: string) =>
  Object.fromEntries(
    Array.from({ length: 200 }, (_, number) => [`phase${number}`, { inputs: { large: ref } }]),
  );

describe('tasks, plans and workflows that are refused', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  async function anIntent(): Promise<{ readonly intent: string; readonly intent_id: string }> {
    const intent = await createIntent(stack);
    return { intent, intent_id: intent.slice('/v1/intents/'.length) };
  }

  /** All that can be read of an intent and what belongs to it, and how many intents there are. */
  async function everything(intent: string): Promise<unknown> {
    const paths = ['', '/tasks', '/plans', '/events', '/dependencies'].map((end) => intent + end);
    return Promise.all([...paths, '/v1/intents'].map((path) => readFresh(stack, path)));
  }

  /** Waits until so many events of tasks and plans, and so many of these, can be read. */
  async function readable(intent: string, events: number, tasks: number): Promise<void> {
    await lookUntil(async () => {
      const { body: log } = await stack.get(`${intent}/events`);
      const shown = (log.events as readonly { event_type: string }[]).filter(({ event_type }) =>
        /^(task|plan)\./.test(event_type),
      );
      const { body: listed } = await stack.get(`${intent}/tasks`);
      return shown.length === events && listed.tasks.length === tasks;
    }, `${intent} never recorded ${events} events and ${tasks} tasks`);
  }

  /** Waits until a list shows one of its items in this version. */
  async function readableVersion(
    intent: string,
    list: 'tasks' | 'plans',
    path: string,
    version: number,
  ) {
    await lookUntil(async () => {
      const { body } = await stack.get(`${intent}/${list}`);
      const items = body[list] as readonly { id: string; version: number }[];
      return items.find(({ id }) => path.endsWith(id))?.version === version;
    }, `${path} never came to version ${version} in ${list}`);
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

  it('makes no plan of a checkpoint or a task that is there twice', async () => {
    const { intent, intent_id } = await anIntent();
    const { body: task } = await stack.post('/v1/tasks', 'agent', { intent_id, name: 'one' });
    await readable(intent, 1, 1);
    const point = { id: 'cp', after_task: task.id };
    const CASES = [
      ['checkpoints[1].id', { tasks: [task.id], checkpoints: [point, point] }],
      ['tasks', { tasks: [task.id, task.id] }],
    ] as const;
    for (const [field, parts] of CASES) {
      const make = async () => stack.post('/v1/plans', 'agent', { intent_id, ...parts });
      const refused = await refuses(make, [422, 'invalid_plan'], intent);
      assert.equal((refused as { field?: string }).field, field);
    }
  });

  it('makes no intent of a workflow whose phases do not fit', async () => {
    const { intent } = await anIntent();
    const cyclic = { a: { depends_on: ['b'] }, b: { depends_on: ['a'] } };
    const unknown = {
      a: { outputs: { x: 'string' } },
      b: { depends_on: ['a'], inputs: { y: 'a.z' } },
    };
    for (const [phases, expected] of [
      [cyclic, [400, 'task_cycle']],
      [unknown, [422, 'input_wiring']],
      [{}, [422, 'invalid_request']],
      [phasesOf('$trigger.large'), [422, 'state_too_large']],
    ] as const) {
      const trigger = { large: 'x'.repeat(50_000) };
      const body = { title: 'Compliance', phases, trigger };
      await refuses(async () => stack.post('/v1/workflows', 'agent', body), expected, intent);
    }
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

  it('knows no ids but its own', async () => {
    const { intent, intent_id } = await anIntent();
    const nobody = randomUUID();
    const CASES: readonly (readonly [string, object, number, string])[] = [
      ['/v1/plans', { intent_id: nobody }, 404, 'intent_not_found'],
      ['/v1/plans', { intent_id, tasks: [nobody] }, 404, 'task_not_found'],
      ['/v1/plans', { intent_id, tasks: [intent_id] }, 404, 'task_not_found'],
      ['/v1/tasks', { intent_id: nobody, name: 'x' }, 404, 'intent_not_found'],
      ['/v1/tasks', { intent_id, name: 'x', plan_id: nobody }, 404, 'plan_not_found'],
      ['/v1/tasks', { intent_id, name: 'x', depends_on: [nobody] }, 404, 'task_not_found'],
      ['/v1/tasks', { intent_id, name: 'x', parent_task_id: nobody }, 404, 'task_not_found'],
      ['/v1/tasks', { intent_id, name: '' }, 422, 'invalid_request'],
      [`/v1/tasks/${intent_id}/claim`, {}, 404, 'task_not_found'],
    ];
    for (const [path, body, status, code] of CASES) {
      await refuses(async () => stack.post(path, 'agent', body), [status, code], intent);
    }
    for (const path of [`/v1/plans/${intent_id}`, `/v1/workflows/${intent_id}`]) {
      assert.equal((await stack.get(path)).status, 404);
    }
  });

  async function aTask(fields: object) {
    const { intent, intent_id } = await anIntent();
    const body = { intent_id, name: 'one', ...fields };
    const { body: task } = await stack.post('/v1/tasks', 'agent', body);
    await readable(intent, 1, 1);
    return { intent, path: `/v1/tasks/${task.id}` };
  }

  it('refuses a claim by an agent that the task is not for', async () => {
    const assigned = await aTask({ assigned_agent: 'agent-2' });
    const allowed = await aTask({ permissions: { allow: ['agent-2'] } });
    for (const { intent, path } of [assigned, allowed]) {
      const claim = async () => stack.post(`${path}/claim`, 'agent', {});
      await refuses(claim, [403, 'wrong_agent'], intent);
      assert.equal((await stack.post(`${path}/claim`, 'agent2', {})).status, 200);
    }
  });

  it('refuses writes under another version, and states there are not', async () => {
    const { intent, intent_id } = await anIntent();
    const { body: plan } = await stack.post('/v1/plans', 'agent', {
      intent_id,
      tasks: TWO_PHASES,
    });
    await readable(intent, 3, 2);
    const task = await aTask({});
    const write = (path: string, version: string, body: object, as: KeyName = 'agent') => {
      const headers = version === '' ? {} : { 'If-Match': version };
      return async () => stack.patch(path, as, body, headers);
    };
    const CASES = [
      ['', { status: 'claimed' }, 428, 'precondition_required'],
      ['9', { status: 'claimed' }, 409, 'version_conflict'],
      ['1', { status: 'unheard_of' }, 422, 'invalid_request'],
      ['1', { status: 'completed' }, 409, 'invalid_transition'],
    ] as const;
    for (const [version, body, status, code] of CASES) {
      await refuses(write(task.path, version, body), [status, code], task.intent);
    }
    const path = `/v1/plans/${plan.id}`;
    const PLAN_CASES = [
      ['', { state: 'active' }, 428, 'precondition_required'],
      ['9', { state: 'active' }, 409, 'version_conflict'],
      ['1', { state: 'unheard_of' }, 422, 'invalid_request'],
      ['1', { state: 'completed' }, 409, 'invalid_transition'],
      ['1', { checkpoints: [{ after_task: randomUUID() }] }, 422, 'invalid_plan'],
    ] as const;
    for (const [version, body, status, code] of PLAN_CASES) {
      await refuses(write(path, version, body), [status, code], intent);
    }
  });

  it('refuses a second write under the version of the first', async () => {
    const { intent, path: task } = await aTask({});
    const intent_id = intent.slice('/v1/intents/'.length);
    const body = { intent_id, tasks: TWO_PHASES };
    const { body: made } = await stack.post('/v1/plans', 'agent', body);
    const plan = `/v1/plans/${made.id}`;
    const write = (path: string, change: object) =>
      stack.patch(path, 'agent', change, { 'If-Match': '1' });
    const granted = [
      await write(task, { status: 'claimed' }),
      await write(plan, { checkpoints: [{ after_task: made.tasks[0] }] }),
    ];
    for (const { status, body: written } of granted) {
      assert.deepEqual([status, written.version], [200, 2], JSON.stringify(written));
    }
    await readable(intent, 5, 3);
    await readableVersion(intent, 'tasks', task, 2);
    await readableVersion(intent, 'plans', plan, 2);
    const stale = [409, 'version_conflict'] as const;
    await refuses(async () => write(task, { status: 'running' }), stale, intent);
    await refuses(async () => write(plan, { state: 'active' }), stale, intent);
  });
});
