import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { exportOf, logOfNotes } from '../../support/events.js';
import { ManualClock, idle, type FakeQueries } from '../support/fakes.js';
import { KEYS, rigOver } from '../support/harness.js';
import type { Fakes } from '../support/parts.js';
import { EVENT, INTENT_ID } from '../support/records.js';

const LOG = logOfNotes(3, INTENT_ID);
const PATH = `/v1/intents/${INTENT_ID}/events`;

/** A store and an intent with this log. */
function withLog(events: readonly IntentEvent[] = LOG): Fakes {
  const { sequence: last_sequence = 0, event_hash: head_hash = null } = events.at(-1) ?? {};
  return {
    answers: {
      position: () => ({ version: 1, last_sequence, head_hash, written_sequence: last_sequence }),
    },
    store: {
      logEnd: async () => ({ last_sequence, head_hash, newest_event: last_sequence }),
      eventsInOrder: async (_id, { after = 0, upTo, limit }) =>
        events.filter(({ sequence }) => after < sequence && sequence <= upTo).slice(0, limit),
    },
  };
}

/** The same where no worker answers for the intent. */
function silentWithLog(): Fakes {
  const clock = new ManualClock();
  return { ...withLog(), clock, answers: { position: () => clock.advance(4_000) } };
}

describe('GET /v1/intents/{id}/events/verify', () => {
  it('tells what was found, to any key', async () => {
    const rig = rigOver(withLog());
    for (const key of ['agent', 'operator'] as const) {
      const reply = await rig.send(key, 'get', `${PATH}/verify`);
      const { chain_valid, event_count, breaks, head_from } = reply.body;
      assert.deepEqual([reply.status, chain_valid, event_count], [200, true, 3]);
      assert.deepEqual([breaks, head_from], [[], 'workflow']);
      assert.equal(reply.headers['holdpoint-stale'], undefined);
    }
    assert.equal((await rig.send(undefined, 'get', `${PATH}/verify`)).status, 401);
  });
});

describe('GET /v1/intents/{id}/events/export', () => {
  it('is one event a line, oldest first, and the end', async () => {
    const rig = rigOver(silentWithLog());
    const reply = await rig.send('operator', 'get', `${PATH}/export`).buffer(true).parse(asText);
    assert.equal(reply.status, 200);
    assert.match(reply.headers['content-type'] ?? '', /^application\/x-ndjson/);
    assert.match(
      reply.headers['content-disposition'] ?? '',
      new RegExp(`filename="?${INTENT_ID}.ndjson`),
    );
    assert.equal(reply.headers['holdpoint-stale'], 'true');
    const asStored = exportOf(LOG).map((line) => line.replace('"workflow"', '"store"'));
    assert.equal(reply.body, `${asStored.join('\n')}\n`);
  });

  it('breaks off if the store fails, and never ends as if whole', async () => {
    const many = logOfNotes(51, INTENT_ID);
    const { answers, store } = withLog(many);
    const eventsInOrder: FakeQueries['eventsInOrder'] = async (_id, { after = 0, limit }) => {
      if (after > 0) throw new Error('the store is away');
      return many.slice(0, limit);
    };
    const rig = rigOver({ ...(answers && { answers }), store: { ...store, eventsInOrder } });
    await assert.rejects(
      rig.send('operator', 'get', `${PATH}/export`).buffer(true).parse(asText),
      /aborted|socket hang up/,
    );
  });

  it('reads no further when nobody takes it, and stops when they go', async () => {
    const large = { ...EVENT, payload: { text: 'x'.repeat(100_000) } };
    let taken = 0;
    const last_sequence = 100_000;
    const position = { version: 1, last_sequence, head_hash: null, written_sequence: 0 };
    const eventsInOrder: FakeQueries['eventsInOrder'] = async (_id, { after = 0, limit }) => {
      taken = after + limit;
      return Array.from({ length: limit }, (_, at) => ({ ...large, sequence: after + at + 1 }));
    };
    const rig = rigOver({ answers: { position: () => position }, store: { eventsInOrder } });
    const server = createServer(rig.app).listen(0, '127.0.0.1');
    const connected = once(server, 'connection');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers = { 'X-API-Key': KEYS.operator };
    const request = get({ port, host: '127.0.0.1', path: `${PATH}/export`, headers });
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    await once(reply, 'readable');
    const [socket] = (await connected) as [Socket];
    const closed = new Promise((resolve) => socket.once('close', resolve));
    request.destroy();
    await closed;
    await idle();
    const atTheEnd = taken;
    await idle();
    assert.equal(taken, atTheEnd);
    assert.ok(taken < 1_000, `${taken} events were read`);
    server.close();
    assert.doesNotMatch(rig.logged(), /unexpected error/);
  });
});

/** The body as text; supertest knows no NDJSON. */
function asText(
  reply: NodeJS.EventEmitter,
  done: (error: Error | null, body: string) => void,
): void {
  let text = '';
  reply.on('data', (chunk: Buffer) => (text += chunk.toString()));
  reply.on('end', () => done(null, text));
}
