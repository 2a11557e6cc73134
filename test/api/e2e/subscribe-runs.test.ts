import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startServer } from '../../../api/server.js';
import type { RunningServer } from '../../../api/server.js';
import { sdkFrames } from '../../../api/openintent/sdk-frames.js';
import type { RunEvent } from '../../../contracts/intent/run-event.js';
import { readFeed } from '../../../store/feed/source.js';
import { append, eventOf, feedOf, logInRun } from '../../support/events.js';
import { withStore } from '../../support/store.js';
import type { TestStore } from '../../support/store.js';
import { openSse } from '../../support/subscribers.js';
import type { Sse } from '../../support/subscribers.js';
import { KEYS, createRig } from '../support/harness.js';

describe('streams of runs without an intent', () => {
  let store: TestStore;
  /** Two replicas of the API over one store. */
  let replicas: readonly RunningServer[];
  let run: string;

  before(async () => {
    store = await withStore();
    replicas = await Promise.all([startReplica(), startReplica()]);
  });
  beforeEach(() => (run = `run ${randomUUID()}`));
  after(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await store.close();
  });

  function startReplica(): Promise<RunningServer> {
    const { app } = createRig({}, {}, feedOf(store));
    return startServer({ app, host: '127.0.0.1', port: 0 });
  }

  const open = (
    path: string,
    key: keyof typeof KEYS = 'operator',
    headers: Readonly<Record<string, string>> = {},
    replica = 0,
  ) => openSse(`${replicas[replica]?.url ?? ''}/v1${path}`, KEYS[key], headers);
  const ofRun = () => `/runs/${encodeURIComponent(run)}/subscribe`;
  const keysIn = (stream: Sse) =>
    stream.frames.map(({ data }) => (JSON.parse(data) as RunEvent).payload['key']);

  it('show a question as it is asked, voted on and decided', async () => {
    const stream = await open(ofRun());
    await logInRun(store.db, `run ${randomUUID()}`, 'foreign');
    const types = ['approval_requested', 'approval_vote', 'approval_resolved'];
    for (const event_type of types) await logInRun(store.db, run, event_type, { event_type });
    const frames = await stream.until(3);
    assert.deepEqual(
      frames.map(({ event }) => event),
      types,
    );
    const scope = { kind: 'run', id: run, space: 'default' } as const;
    const upTo = Number.MAX_SAFE_INTEGER;
    const { rows } = await readFeed(store.db, scope, { after: 0, upTo, limit: 9 });
    assert.deepEqual(
      frames.map(({ id, data }) => [Number(id), JSON.parse(data) as RunEvent]),
      rows.map(({ position, event }) => [position, event]),
    );
    stream.reply.destroy();
  });

  it('give who comes first and who comes later the same, once and in order', async () => {
    const early = await Promise.all([open(ofRun()), open('/subscribe')]);
    for (const key of ['a', 'b', 'c']) await logInRun(store.db, run, key);
    await Promise.all(early.map((stream) => stream.until(3)));
    const late = await Promise.all([
      open(`${ofRun()}?last_event_id=0`),
      open(`${ofRun()}?last_event_id=${early[0].frames.at(-1)?.id ?? ''}`),
    ]);
    for (const key of ['d', 'e']) await logInRun(store.db, run, key);
    const wholes = [...early, late[0]];
    await Promise.all([...wholes.map((stream) => stream.until(5)), late[1].until(2)]);
    for (const stream of wholes) assert.deepEqual(keysIn(stream), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(keysIn(late[1]), ['d', 'e']);
    for (const { reply } of [...early, ...late]) reply.destroy();
  });

  it('go on after the last id, whatever that was, on another replica', async () => {
    const whole = await open('/subscribe');
    await logInRun(store.db, run, 'a');
    const of = eventOf(randomUUID(), 1, { payload: { key: 'of an intent' } });
    await append(store.db, of);
    await logInRun(store.db, run, 'b');
    await logInRun(store.db, run, 'c');
    await whole.until(4);
    for (const [index, { id }] of whole.frames.entries()) {
      const lastId = { 'Last-Event-ID': id ?? '' };
      const rest = await open('/subscribe', 'operator', lastId, 1);
      await rest.until(3 - index);
      assert.deepEqual(rest.frames, whole.frames.slice(index + 1));
      const own = await open(ofRun(), 'operator', lastId, 1);
      const left = ['a', 'b', 'c'].slice(index === 0 ? 1 : index);
      await own.until(left.length);
      assert.deepEqual(keysIn(own), left);
      rest.reply.destroy();
      own.reply.destroy();
    }
    whole.reply.destroy();
  });

  it('are for those who may read the log of a run', async () => {
    const agent = `agent ${randomUUID()}`;
    const paths = ['/subscribe', `/agents/${encodeURIComponent(agent)}/subscribe`];
    const streams = await Promise.all(
      (['operator', 'admin', 'auditor', 'agent'] as const).flatMap((key) =>
        paths.map(async (path) => ({ key, stream: await open(path, key) })),
      ),
    );
    await logInRun(store.db, run, 'a', { event_type: 'approval_requested', actor: agent });
    const payload = { key: 'of an intent' };
    await append(store.db, eventOf(randomUUID(), 1, { actor: agent, payload }));
    for (const { key, stream } of streams) {
      const expected = key === 'agent' ? ['of an intent'] : ['a', 'of an intent'];
      await stream.until(expected.length);
      assert.deepEqual(keysIn(stream), expected, key);
      stream.reply.destroy();
    }
    const { reply } = await open(ofRun(), 'agent');
    assert.equal(reply.statusCode, 403);
    reply.destroy();
  });

  it('have no frame that the OpenIntent SDK could not take', async () => {
    await logInRun(store.db, run, 'a');
    const scope = { kind: 'run', id: run, space: 'default' } as const;
    const range = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 9 };
    const { rows } = await readFeed(store.db, scope, range);
    const caller = { space: 'default', principal: 'root', roles: ['admin'], groups: [] } as const;
    const frames = sdkFrames(caller, undefined, { kind: 'all', space: 'default' });
    assert.deepEqual(rows.map(frames.entry), ['']);
  });
});
