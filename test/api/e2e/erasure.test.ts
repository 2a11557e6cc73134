import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { workflowIdOf, type WorkflowType } from '../../../contracts/constants/names.js';
import type { IntentErasure } from '../../../contracts/log/erasure.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import { readFeed } from '../../../store/feed/source.js';
import { RealStack, ask } from '../../support/real-stack.js';

/** Stands in everything that is erased. */
const DATA = 'ada4711';

describe('erasing personal data', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  const QUESTION = {
    question: `Refund ${DATA}?`,
    choices: [
      { value: 'approve', label: `Approve ${DATA}` },
      { value: 'deny', label: 'Deny' },
    ],
    context: { customer: DATA },
  };
  const INTENT = {
    title: `Refund for ${DATA}`,
    description: DATA,
    status: 'active',
    state: { mail: DATA },
    constraints: { mail: DATA },
  };

  /** An intent that was asked a question and got its answer. */
  async function lived(headers: Record<string, string> = {}) {
    const created = await stack.post('/v1/intents', 'agent', INTENT, headers);
    const { id } = created.body as { id: string };
    const path = `/v1/intents/${id}`;
    const view = await ask(stack, path, { ...QUESTION, request_key: 'the key' });
    const answer = { suspension_id: view.id, value: 'approve', metadata: { note: DATA } };
    const key = { 'Idempotency-Key': randomUUID() };
    const answered = await stack.post(`${path}/suspend/respond`, 'operator', answer, key);
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    return { id, path, view };
  }

  async function complete({ id, path }: { id: string; path: string }): Promise<void> {
    const { version } = (await stack.get(path)).body as { version: number };
    const status = { status: 'completed' };
    const headers = { 'If-Match': String(version) };
    assert.equal((await stack.post(`${path}/status`, 'agent', status, headers)).status, 200);
    await ended('intent', id);
  }

  /** Waits for the end of a workflow: from then on the store has all of it. */
  async function ended(type: WorkflowType, id: string): Promise<void> {
    await stack.client.workflow.getHandle(workflowIdOf(type, id)).result();
  }

  function erase(path: string, as: 'admin' | 'agent' | 'operator' = 'admin') {
    return stack.delete(`${path}/personal-data`, as);
  }

  /** All that anybody can read of an intent and its question. */
  async function readable({ id, path, view }: Awaited<ReturnType<typeof lived>>) {
    const paths = [
      path,
      `/api${path}`,
      `${path}/events`,
      `/api${path}/events`,
      `/v1/suspensions/${view.id}`,
      `/v1/suspensions/${view.id}/wait?timeout_seconds=1`,
      `/v1/suspensions?resolution=responded&intent_id=${id}`,
      '/v1/intents?limit=1000',
    ];
    const texts: string[] = [];
    for (const one of paths) {
      const reply = await stack.get(one, 'operator');
      assert.equal(reply.status, 200, `${one}: ${JSON.stringify(reply.body)}`);
      texts.push(`${one}: ${JSON.stringify(reply.body)}`);
    }
    const scope = { kind: 'intent', id, space: 'default' } as const;
    const range = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 1_000 };
    texts.push(`the feed: ${JSON.stringify(await readFeed(stack.store.db, scope, range))}`);
    return texts;
  }

  async function assertErased(one: Awaited<ReturnType<typeof lived>>): Promise<void> {
    for (const text of await readable(one)) {
      const own = text.startsWith('/v1/intents?') ? text.includes(`"${one.id}"`) : true;
      assert.ok(own);
      assert.equal(text.includes(DATA), false, text);
    }
    const search = await stack.get(`/v1/suspensions?resolution=responded&text=${DATA}`, 'operator');
    assert.deepEqual(search.body.suspensions, []);
    const verified = await stack.get(`${one.path}/events/verify`, 'operator');
    assert.deepEqual([verified.body.breaks, verified.body.chain_valid], [[], true]);
    const { events } = (await stack.get(`${one.path}/events`, 'operator')).body as {
      events: IntentEvent[];
    };
    const erasure = events.find(({ event_type }) => event_type === 'personal_data_erased');
    assert.equal(erasure?.principal, 'root');
    const before = events.filter(({ sequence }) => sequence < erasure.sequence);
    const others = before.filter(({ event_type }) => event_type !== 'personal_data_erased');
    assert.ok(others.every(({ erased }) => erased));
    assert.equal(verified.body.erased_count, others.length);
    assert.equal(verified.body.last_sequence, events[0]?.sequence);
  }

  it('leaves nothing to read of an intent that goes on, for an admin alone [R25-03]', async () => {
    const one = await lived();
    for (const as of ['agent', 'operator'] as const) {
      const refused = await erase(one.path, as);
      assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    }
    const reply = await erase(one.path);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    const { erased_by, intent_id, through_sequence, event_sequence } = reply.body as IntentErasure;
    assert.deepEqual([erased_by, intent_id], ['root', one.id]);
    assert.equal(event_sequence, through_sequence + 1);
    await assertErased(one);
    const again = await erase(one.path);
    assert.deepEqual([again.status, again.body], [200, reply.body]);
    const repeated = await stack.post(`${one.path}/suspend`, 'agent', {
      ...QUESTION,
      request_key: 'the key',
    });
    assert.deepEqual([repeated.status, repeated.body.id], [200, one.view.id]);
    assert.equal(repeated.body.record.question, '[erased]');
    await complete(one);
    await assertErased(one);
    const closed = await erase(one.path);
    assert.equal(closed.body.event_sequence, event_sequence + 2);
    await assertErased(one);
  });

  it('reaches an intent whose workflow has ended, and which Temporal still knows', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const one = await lived(key);
    await complete(one);
    const before = (await stack.get(one.path)).body as Intent;
    const replies = await Promise.all([erase(one.path), erase(one.path), erase(one.path)]);
    for (const reply of replies) {
      assert.deepEqual([reply.status, reply.body], [200, replies[0].body]);
    }
    await assertErased(one);
    assert.deepEqual((await erase(one.path)).body, replies[0].body);
    const intent = await stack.get(one.path);
    assert.equal(intent.headers['holdpoint-stale'], undefined);
    const { title, status, version } = intent.body;
    assert.deepEqual([title, status, version], ['[erased]', 'completed', before.version + 1]);
    const created = await stack.post('/v1/intents', 'agent', INTENT, key);
    assert.deepEqual([created.body.id, created.body.title], [one.id, '[erased]']);
  });
});
