import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startServer, type RunningServer } from '../../../api/server.js';
import type { IntentEvent, RunEvent } from '../../../contracts/intent/event.js';
import {
  append,
  appendToPortfolio,
  eventOf,
  feedOf,
  writeMany,
  writePortfolio,
  logInRun,
} from '../../support/events.js';
import { withStore, type TestStore } from '../../support/store.js';
import { openSse, type Sse } from '../../support/subscribers.js';
import { KEYS, createRig } from '../support/harness.js';
import { sdkFrames } from '../../../api/openintent/events.js';
import { readFeed } from '../../../store/feed/source.js';

const HOST = '127.0.0.1';

describe('streams of events', () => {
  let store: TestStore;
  /** Two replicas of the API over one store. */
  let replicas: readonly RunningServer[];
  const [base, other] = [(): string => urlOf(0), (): string => urlOf(1)];
  const urlOf = (index: number): string => `${replicas[index]?.url ?? ''}/v1`;

  before(async () => {
    store = await withStore();
    replicas = await Promise.all([startReplica(), startReplica()]);
  });
  after(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await store.close();
  });

  function startReplica(): Promise<RunningServer> {
    const { app } = createRig({}, {}, feedOf(store));
    return startServer({ app, host: HOST, port: 0 });
  }

  const dataOf = (stream: Sse) => stream.frames.map(({ data }) => JSON.parse(data) as IntentEvent);

  it('send each event of an intent as it comes, as the list shows it [R25-18]', async () => {
    const id = randomUUID();
    const stream = await openSse(`${base()}/intents/${id}/subscribe`, KEYS.operator);
    assert.equal(stream.reply.statusCode, 200);
    assert.match(stream.reply.headers['content-type'] ?? '', /^text\/event-stream/);
    const first = await append(store.db, eventOf(id, 1));
    await append(store.db, eventOf(randomUUID(), 1));
    const types = ['intent.suspended', 'intent.resumed', 'portfolio.member_suspended'];
    const later = await Promise.all(
      types.map((event_type, index) => append(store.db, eventOf(id, index + 2, { event_type }))),
    );
    await stream.until(4);
    assert.deepEqual(
      dataOf(stream).sort((a, b) => a.sequence - b.sequence),
      [first, ...later],
    );
    assert.deepEqual(
      stream.frames.map(({ event }) => event).sort(),
      ['intent_created', ...types].sort(),
    );
    stream.reply.destroy();
  });

  it('send events of types that nobody knows yet [R26-93]', async () => {
    const id = randomUUID();
    const stream = await openSse(`${base()}/intents/${id}/subscribe`, KEYS.agent);
    await append(store.db, eventOf(id, 1, { event_type: 'of the\r\nfuture' }));
    const [frame] = await stream.until(1);
    assert.equal(frame?.event, 'of the  future');
    stream.reply.destroy();
  });

  it('give all intents, those of an agent and those of a portfolio [R25-18, R26-85]', async () => {
    const [portfolio, agent] = [randomUUID(), `agent ${randomUUID()}`];
    const [member, own, foreign] = [randomUUID(), randomUUID(), randomUUID()];
    await writePortfolio(store.db, portfolio, member);
    const topics = ['', `/agents/${encodeURIComponent(agent)}`, `/portfolios/${portfolio}`];
    const follow = (query: string) =>
      Promise.all(topics.map((at) => openSse(`${base()}${at}/subscribe${query}`, KEYS.operator)));
    const streams = await follow('');
    await append(store.db, eventOf(foreign, 1));
    await append(store.db, eventOf(member, 1));
    await append(store.db, eventOf(own, 1, { actor: agent }));
    await appendToPortfolio(store.db, portfolio);
    await append(store.db, eventOf(member, 2));
    const ofPortfolio = [
      [member, 'intent_created'],
      [portfolio, 'portfolio.member_suspended'],
      [member, 'note'],
    ];
    const expected = [
      [
        [foreign, 'intent_created'],
        ofPortfolio[0],
        [own, 'intent_created'],
        ...ofPortfolio.slice(1),
      ],
      [[own, 'intent_created']],
      ofPortfolio,
    ];
    const shown = async (stream: Sse | undefined, count = 0) => {
      await stream?.until(count);
      return stream && dataOf(stream).map(({ intent_id, event_type }) => [intent_id, event_type]);
    };
    const live = await Promise.all(streams.map((one, at) => shown(one, expected[at]?.length)));
    assert.deepEqual(live, expected);
    const [, ...again] = await follow('?last_event_id=0');
    const past = await Promise.all(again.map((one, at) => shown(one, expected[at + 1]?.length)));
    assert.deepEqual(past, expected.slice(1));
    for (const { reply } of [...streams, ...again]) reply.destroy();
  });

  it('go on after the last id on another replica, and from the start with 0', async () => {
    const id = randomUUID();
    await writeMany(store.db, [id], 250);
    const path = `/intents/${id}/subscribe`;
    const whole = await openSse(`${base()}${path}?last_event_id=0`, KEYS.operator);
    await whole.until(250);
    assert.deepEqual(
      dataOf(whole).map(({ sequence }) => sequence),
      Array.from({ length: 250 }, (_, index) => index + 1),
    );
    const lastId = whole.frames[99]?.id ?? '';
    const rest = await openSse(`${other()}${path}`, KEYS.operator, { 'Last-Event-ID': lastId });
    await append(store.db, eventOf(id, 251));
    await Promise.all([rest.until(151), whole.until(251)]);
    assert.deepEqual(rest.frames, whole.frames.slice(100));
    for (const { reply } of [whole, rest]) reply.destroy();
  });

  it('lose and repeat nothing if a client drops at random while writers write', async () => {
    const intents = Array.from({ length: 8 }, () => randomUUID());
    const total = intents.length * 40;
    const seen: IntentEvent[] = [];
    let connections = 0;
    let lastId: string | undefined;
    let written: Promise<void> | undefined;
    while (seen.length < total) {
      const url = Math.random() < 0.5 ? base() : other();
      const headers = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
      const stream = await openSse(`${url}/subscribe`, KEYS.operator, headers);
      connections += 1;
      lastId ??= String(stream.reply.headers['holdpoint-feed-position']);
      written ??= writeMany(store.db, intents, 40);
      // Whatever is on its way when it drops never reaches it.
      const most = Math.min(Math.floor(Math.random() * 20), total - seen.length);
      const frames = (await stream.until(most)).slice(0, most);
      stream.reply.destroy();
      seen.push(...frames.map(({ data }) => JSON.parse(data) as IntentEvent));
      lastId = frames.at(-1)?.id ?? lastId;
    }
    await written;
    assert.ok(connections > 16, String(connections));
    for (const id of intents) {
      const own = seen.filter(({ intent_id }) => intent_id === id);
      const sequences = own.map(({ sequence }) => sequence);
      assert.deepEqual(
        sequences,
        Array.from({ length: 40 }, (_, index) => index + 1),
      );
    }
  });

  it('drop who reads too slowly, hold up nobody else, and let it go on', async () => {
    const id = randomUUID();
    const path = `/intents/${id}/subscribe`;
    const slow = await openSse(`${base()}${path}`, KEYS.operator);
    const quick = await openSse(`${base()}${path}`, KEYS.operator);
    await append(store.db, eventOf(id, 1));
    await slow.until(1);
    slow.reply.pause();
    const payload = { text: 'x'.repeat(250_000) };
    for (let sequence = 2; sequence <= 120; sequence += 1) {
      await append(store.db, eventOf(id, sequence, { payload }));
      await quick.until(sequence);
    }
    slow.reply.resume();
    await slow.ended;
    assert.ok(slow.frames.length < 120, String(slow.frames.length));
    const lastId = slow.frames.at(-1)?.id ?? '';
    const again = await openSse(`${base()}${path}`, KEYS.operator, { 'Last-Event-ID': lastId });
    await again.until(120 - slow.frames.length);
    assert.deepEqual([...slow.frames, ...again.frames], quick.frames);
    for (const { reply } of [quick, again]) reply.destroy();
  });

  let run: string;
  beforeEach(() => (run = `run ${randomUUID()}`));

  const open = (path: string, key: keyof typeof KEYS = 'operator') =>
    openSse(`${base()}${path}`, KEYS[key]);
  const ofRun = () => `/runs/${encodeURIComponent(run)}/subscribe`;
  const keysIn = (stream: Sse) =>
    stream.frames.map(({ data }) => (JSON.parse(data) as RunEvent).payload['key']);

  it('of a run show a question as it is asked, voted on and decided', async () => {
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

  it('of a run are for those who may read the log of a run', async () => {
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

  it('of a run have no frame that the OpenIntent SDK could not take', async () => {
    await logInRun(store.db, run, 'a');
    const scope = { kind: 'run', id: run, space: 'default' } as const;
    const range = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 9 };
    const { rows } = await readFeed(store.db, scope, range);
    const caller = { space: 'default', principal: 'root', roles: ['admin'], groups: [] } as const;
    const frames = sdkFrames(caller, undefined, { kind: 'all', space: 'default' });
    assert.deepEqual(rows.map(frames.entry), ['']);
  });
});
