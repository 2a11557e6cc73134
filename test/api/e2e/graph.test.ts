import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack } from '../../support/real-stack.js';

describe('the intent graph over HTTP', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  async function create(body: object = {}, parent?: string): Promise<Intent> {
    const path = parent === undefined ? '/v1/intents' : `/v1/intents/${parent}/children`;
    const reply = await stack.post(path, 'agent', { title: 'Step', status: 'active', ...body });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body as Intent;
  }
  const read = async (id: string): Promise<Intent> =>
    (await stack.get(`/v1/intents/${id}`)).body as Intent;
  const listed = async (id: string, relation: string): Promise<string[]> => {
    const { body, status } = await stack.get(`/v1/intents/${id}/${relation}`);
    assert.equal(status, 200, JSON.stringify(body));
    return (body[relation] as Intent[]).map((intent) => intent.id);
  };
  const depend = async (id: string, dependency_id: string, version?: number) =>
    stack.post(
      `/v1/intents/${id}/dependencies`,
      'agent',
      { dependency_id },
      {
        'If-Match': String(version ?? (await read(id)).version),
      },
    );
  const setStatus = async (id: string, status: string) => {
    const { version } = await read(id);
    return stack.post(
      `/v1/intents/${id}/status`,
      'agent',
      { status },
      {
        'If-Match': String(version),
      },
    );
  };
  async function becomes(id: string, status: string): Promise<void> {
    const isSo = async () => (await read(id)).status === status;
    await lookUntil(isSo, `the intent is not ${status}`);
  }

  it('reads up, down and along the edges', async () => {
    const root = await create();
    const first = await create({}, root.id);
    const second = await create({ depends_on: [first.id] }, root.id);
    const leaf = await create({ parent_intent_id: second.id });
    assert.equal(leaf.parent_intent_id, second.id);
    assert.deepEqual(second.depends_on, [first.id]);
    assert.deepEqual(await listed(root.id, 'children'), [first.id, second.id]);
    assert.deepEqual(await listed(root.id, 'descendants'), [first.id, second.id, leaf.id]);
    assert.deepEqual(await listed(leaf.id, 'ancestors'), [second.id, root.id]);
    assert.deepEqual(await listed(second.id, 'dependencies'), [first.id]);
    assert.deepEqual(await listed(first.id, 'dependents'), [second.id]);
    assert.deepEqual(await listed(root.id, 'ready'), [first.id]);
    assert.deepEqual(await listed(root.id, 'blocked'), [second.id]);
    const { body: graph } = await stack.get(`/v1/intents/${root.id}/graph`);
    assert.equal(graph.root_id, root.id);
    assert.deepEqual(graph.edges, [
      { from: root.id, to: first.id, type: 'parent' },
      { from: root.id, to: second.id, type: 'parent' },
      { from: first.id, to: second.id, type: 'dependency' },
      { from: second.id, to: leaf.id, type: 'parent' },
    ]);
    assert.equal(graph.aggregate_status.total, 4);
    await setStatus(first.id, 'completed');
    assert.deepEqual(await listed(root.id, 'ready'), [first.id, second.id]);
  });

  it('counts a suspended child once, and does not suspend its parent [R26-05, R26-17, R26-18]', async () => {
    const parent = await create();
    const children: Intent[] = [];
    for (let index = 0; index < 6; index += 1) children.push(await create({}, parent.id));
    for (const { id } of children.slice(0, 3)) await setStatus(id, 'completed');
    const asking = children[5]?.id ?? '';
    const question = { question: 'May I?', response_type: 'confirm' };
    await stack.post(`/v1/intents/${asking}/suspend`, 'agent', question);
    const { body } = await stack.get(`/v1/intents/${parent.id}/children`);
    assert.deepEqual(body.aggregate_status, {
      total: 6,
      by_status: {
        draft: 0,
        active: 2,
        blocked: 0,
        suspended_awaiting_input: 1,
        completed: 3,
        abandoned: 0,
      },
      completion_percentage: 50,
    });
    assert.equal((await read(parent.id)).status, 'active');
  });

  it('blocks a dependent until its upstream has resumed and completed [R26-08, R26-09]', async () => {
    const upstream = await create();
    const dependent = await create();
    const added = await depend(dependent.id, upstream.id);
    assert.equal(added.status, 200, JSON.stringify(added.body));
    assert.equal(added.headers['etag'], '"2"');
    const question = { question: 'May I?', response_type: 'confirm' };
    const { body: view } = await stack.post(
      `/v1/intents/${upstream.id}/suspend`,
      'agent',
      question,
    );
    await becomes(dependent.id, 'blocked');
    const gated = await setStatus(dependent.id, 'active');
    assert.deepEqual([gated.status, gated.body.code], [409, 'dependencies_incomplete']);
    await stack.post(`/v1/intents/${upstream.id}/suspend/respond`, 'operator', {
      suspension_id: view.id as string,
      value: 'yes',
    });
    assert.equal((await read(dependent.id)).status, 'blocked');
    await setStatus(upstream.id, 'completed');
    await becomes(dependent.id, 'active');
    const log = `/v1/intents/${dependent.id}/events?event_type=status_changed`;
    const { events } = await readFresh<{ events: IntentEvent[] }>(stack, log);
    assert.deepEqual(
      events.map(({ payload }) => payload['reason']),
      ['dependencies_completed', 'upstream_suspended'],
    );
  });

  it('removes an edge', async () => {
    const [a, b] = [await create(), await create()];
    await depend(a.id, b.id);
    const path = `/v1/intents/${a.id}/dependencies/${b.id}`;
    const remove = () => stack.delete(path, 'agent', { 'If-Match': '2' });
    const stale = await stack.delete(path, 'agent', { 'If-Match': '1' });
    assert.deepEqual([stale.status, stale.body.code], [409, 'version_conflict']);
    const removed = await remove();
    assert.deepEqual([removed.status, removed.body.depends_on], [200, []]);
    assert.deepEqual(await listed(b.id, 'dependents'), []);
    const missing = await stack.delete(path, 'agent', { 'If-Match': '3' });
    assert.deepEqual([missing.status, missing.body.code], [404, 'dependency_not_found']);
    assert.equal((await depend(b.id, a.id)).status, 200);
  });

  it('refuses what cannot be, and nothing changes', async () => {
    const [a, b, c] = [await create(), await create(), await create()];
    await depend(a.id, b.id);
    await depend(b.id, c.id);
    const question = { question: 'May I?', response_type: 'confirm' };
    const { body: view } = await stack.post('/v1/suspensions', 'agent', question);
    const before = await read(c.id);
    const cycle = await depend(c.id, a.id);
    assert.deepEqual([cycle.status, cycle.body.code], [400, 'dependency_cycle']);
    assert.deepEqual(cycle.body.state.path, [c.id, a.id, b.id, c.id]);
    const tried: [string, string, number | undefined][] = [
      [c.id, c.id, undefined],
      [a.id, b.id, undefined],
      [c.id, randomUUID(), undefined],
      [c.id, view.id as string, undefined],
      [c.id, a.id, 99],
      [randomUUID(), a.id, 1],
    ];
    const codes: unknown[] = [];
    for (const [id, on, version] of tried) {
      const { status, body } = await depend(id, on, version);
      codes.push([status, body.code]);
    }
    assert.deepEqual(codes, [
      [400, 'dependency_cycle'],
      [400, 'dependency_exists'],
      [404, 'intent_not_found'],
      [404, 'intent_not_found'],
      [409, 'version_conflict'],
      [404, 'intent_not_found'],
    ]);
    assert.deepEqual(await read(c.id), before);
  });

  it('creates nothing under an unknown parent, or on unknown dependencies', async () => {
    const unknown = randomUUID();
    const body = { title: 'Step', depends_on: [unknown] };
    const onNothing = await stack.post('/v1/intents', 'agent', body);
    assert.deepEqual([onNothing.status, onNothing.body.field], [404, 'depends_on[0]']);
    const orphan = await stack.post(`/v1/intents/${unknown}/children`, 'agent', { title: 'Step' });
    assert.deepEqual([orphan.status, orphan.body.code], [404, 'intent_not_found']);
    const twice = { title: 'Step', depends_on: [unknown, unknown] };
    assert.equal((await stack.post('/v1/intents', 'agent', twice)).status, 422);
    const parent = await create();
    await setStatus(parent.id, 'completed');
    const late = await stack.post(`/v1/intents/${parent.id}/children`, 'agent', { title: 'Step' });
    assert.deepEqual([late.status, late.body.code], [409, 'intent_closed']);
  });

  it('starts a child as a child workflow that outlives its parent, once per key', async () => {
    const parent = await create();
    const key = { 'Idempotency-Key': randomUUID() };
    const body = { title: 'Step', status: 'active' };
    const path = `/v1/intents/${parent.id}/children`;
    const first = await stack.post(path, 'agent', body, key);
    const again = await stack.post(path, 'agent', body, key);
    assert.deepEqual([again.status, again.body], [201, first.body]);
    const other = await stack.post(path, 'agent', { ...body, title: 'Other' }, key);
    assert.equal(other.body.code, 'idempotency_key_reused');
    const handle = stack.client.workflow.getHandle(`intent-${first.body.id as string}`);
    const { parentExecution } = await handle.describe();
    assert.equal(parentExecution?.workflowId, `intent-${parent.id}`);
    await setStatus(parent.id, 'abandoned');
    assert.equal((await setStatus(first.body.id as string, 'completed')).status, 200);
  });

  it('never lets two requests close a cycle together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await create(), await create()];
      const replies = await Promise.all([depend(a.id, b.id, 1), depend(b.id, a.id, 1)]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400]);
      const edges = [...(await read(a.id)).depends_on, ...(await read(b.id)).depends_on];
      assert.equal(edges.length, 1);
    }
  });
});
