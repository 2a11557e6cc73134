import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startServer, type RunningServer } from '../../../api/server.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { append, eventOf, feedOf } from '../../support/events.js';
import { withStore, type TestStore } from '../../support/store.js';
import { openSse, type Sse } from '../../support/subscribers.js';
import { KEYS, createRig } from '../support/harness.js';
import { SUSPENSION_ID } from '../support/records.js';

describe('streams of the OpenIntent API', () => {
  let store: TestStore;
  let server: RunningServer;
  before(async () => {
    store = await withStore();
    const { app } = createRig({}, {}, feedOf(store));
    server = await startServer({ app, host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await server.close();
    await store.close();
  });

  const open = (path: string, headers: Record<string, string> = {}, key: string = KEYS.agent) =>
    openSse(`${server.url}/api/v1${path}`, key, headers);
  const shown = (stream: Sse) =>
    stream.frames.map(({ event, data }) => [event, JSON.parse(data) as JsonObject] as const);
  const write = (id: string, sequence: number, event_type: string, payload: JsonObject) =>
    append(store.db, eventOf(id, sequence, { event_type, payload }));

  it('begin with a frame that has data, and set no time to wait', async () => {
    const stream = await open(`/intents/${randomUUID()}/subscribe`);
    await stream.until(1);
    assert.match(stream.text(), /^id: \d+\nevent: connected\ndata: \{\}\n\n/);
    assert.doesNotMatch(stream.text(), /retry/);
    stream.reply.destroy();
  });

  it('show an intent in the frames that the SDK handles, and in no other', async () => {
    const id = randomUUID();
    const stream = await open(`/intents/${id}/subscribe`);
    await stream.until(1);
    const patches = [
      { op: 'set', path: 'a', value: 1 },
      { op: 'set', path: '/b/c', value: 2 },
      { op: 'remove', path: '/d' },
    ];
    const events: readonly (readonly [type: string, payload: JsonObject])[] = [
      ['intent_created', { title: 'Refund' }],
      ['status_changed', { status: 'active', version: 2 }],
      ['state_patched', { patches, version: 3 }],
      ['state_patched', { patches: 'by hand' }],
      ['lease_renewed', { scope: 'refunds' }],
      ['lease_released', { scope: 'refunds', agent_id: 'a' }],
      ['agent_assigned', { agent_id: 'helper', role: 'worker' }],
      ['intent.suspended', { suspension_id: SUSPENSION_ID }],
      ['intent.resumed', { suspension_id: SUSPENSION_ID, value: 'yes' }],
      ['status_changed', { status: 'completed', version: 6 }],
    ];
    for (const [index, [type, payload]] of events.entries())
      await write(id, index + 1, type, payload);
    await stream.until(8);
    const status = (new_status: string) => ({ intent_id: id, new_status, status: new_status });
    const changed = { intent_id: id, old_state: {} };
    assert.deepEqual(shown(stream).slice(1), [
      ['STATUS_CHANGED', status('active')],
      ['STATE_CHANGED', { ...changed, new_state: { a: 1, b: { c: 2 }, d: null } }],
      ['STATE_CHANGED', { ...changed, new_state: {} }],
      ['LEASE_RELEASED', { intent_id: id, scope: 'refunds' }],
      ['STATUS_CHANGED', status('suspended_awaiting_input')],
      ['STATUS_CHANGED', status('active')],
      ['INTENT_COMPLETED', status('completed')],
    ]);
    stream.reply.destroy();
  });

  it('send an agent its assignments, and send them to nobody else', async () => {
    const [agent, other] = [`agent ${randomUUID()}`, `agent ${randomUUID()}`];
    const id = randomUUID();
    await append(store.db, eventOf(id, 1, { actor: other }));
    const streams = [agent, other].map((name) =>
      open(`/agents/${encodeURIComponent(name)}/subscribe`),
    );
    const [own, creators] = await Promise.all(streams);
    assert.ok(own && creators);
    await Promise.all([own.until(1), creators.until(1)]);
    await write(id, 2, 'agent_assigned', { agent_id: agent, delegated_by: other });
    const payload = { agent_id: agent, role: 'worker', delegated_by: other };
    await write(id, 3, 'agent_assigned', payload);
    await write(id, 4, 'status_changed', { status: 'active', version: 2 });
    await Promise.all([own.until(3), creators.until(2)]);
    const changed = ['STATUS_CHANGED', { intent_id: id, new_status: 'active', status: 'active' }];
    const assigned = ['AGENT_ASSIGNED', { ...payload, intent_id: id }];
    assert.deepEqual(shown(own).slice(1), [assigned, changed]);
    assert.deepEqual(shown(creators).slice(1), [changed]);
    for (const { reply } of [own, creators]) reply.destroy();
  });

  it('go on after the first frame, and from now with an id of elsewhere', async () => {
    const id = randomUUID();
    const path = `/intents/${id}/subscribe`;
    const first = await open(path);
    const [connected] = await first.until(1);
    first.reply.destroy();
    await write(id, 1, 'status_changed', { status: 'active', version: 2 });
    const again = await open(path, { 'Last-Event-ID': connected?.id ?? '' });
    assert.equal(
      shown({ ...again, frames: [...(await again.until(2))] })[1]?.[0],
      'STATUS_CHANGED',
    );
    for (const lastId of ['987654321', 'a-7']) {
      const foreign = await open(path, { 'Last-Event-ID': lastId });
      assert.equal(foreign.reply.statusCode, 200);
      assert.equal((await foreign.until(1))[0]?.event, 'connected');
      foreign.reply.destroy();
    }
    again.reply.destroy();
  });

  it('shorten the id of a question for a key that did not make the intent [AM-45]', async () => {
    const [named, own] = [randomUUID(), randomUUID()];
    await append(store.db, eventOf(named, 1, { actor: 'refunder' }));
    await append(store.db, eventOf(own, 1, { principal: 'refund-agent' }));
    const readers = [
      await open(`/intents/${named}/subscribe`, { 'X-Agent-ID': 'refunder' }),
      await open(`/intents/${own}/subscribe`, { 'X-Agent-ID': 'refunder' }),
      await open(`/intents/${named}/subscribe`, {}, KEYS.operator),
    ];
    await Promise.all(readers.map((reader) => reader.until(1)));
    const patches = [{ op: 'set', path: '_suspension', value: { id: SUSPENSION_ID } }];
    for (const id of [named, own]) await write(id, 2, 'state_patched', { patches, version: 2 });
    await Promise.all(readers.map((reader) => reader.until(2)));
    assert.deepEqual(
      readers.map((reader) => reader.text().includes(SUSPENSION_ID)),
      [false, true, true],
    );
    for (const { reply } of readers) reply.destroy();
  });

  it('are refused as the SDK reads it if there is nothing of this id', async () => {
    const reply = await fetch(`${server.url}/api/v1/intents/nothing/subscribe`, {
      headers: { 'X-API-Key': KEYS.agent },
    });
    assert.equal(reply.status, 404);
    assert.deepEqual(await reply.json(), { detail: 'Intent not found', code: 'intent_not_found' });
  });
});
