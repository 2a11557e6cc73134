import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RefusalError } from '../../../api/errors.js';
import type { Gateway } from '../../../api/gateway/index.js';
import type { IntentEvent } from '../../../contracts/event.js';
import { endOf, exportOf, logOfNotes } from '../../support/events.js';
import { createRig, KEYS, listed, type Rig } from '../support/harness.js';
import { EVENT, INTENT, INTENT_ID, REPORT } from '../support/records.js';

const LOG = logOfNotes(3, INTENT_ID);
const PATH = `/v1/intents/${INTENT_ID}/events`;

async function* each(events: readonly IntentEvent[]): AsyncGenerator<IntentEvent> {
  yield* events;
}

function exporting(events: AsyncIterable<IntentEvent>, stale = false): Gateway['exportEvents'] {
  return () => Promise.resolve({ value: { events, end: endOf(LOG) }, stale });
}

describe('GET /v1/intents/{id}/events/verify', () => {
  it('tells what was found, to any key', async () => {
    const rig = createRig({ verifyEvents: async () => ({ value: REPORT, stale: false }) });
    for (const key of ['agent', 'operator'] as const) {
      const reply = await rig.send(key, 'get', `${PATH}/verify`);
      assert.deepEqual([reply.status, reply.body], [200, REPORT]);
      assert.equal(reply.headers['holdpoint-stale'], undefined);
    }
    assert.equal((await rig.send(undefined, 'get', `${PATH}/verify`)).status, 401);
  });

  it('says if the store was behind', async () => {
    const rig = createRig({ verifyEvents: async () => ({ value: REPORT, stale: true }) });
    const reply = await rig.send('agent', 'get', `${PATH}/verify`);
    assert.equal(reply.headers['holdpoint-stale'], 'true');
  });
});

describe('GET /v1/intents/{id}/events/export', () => {
  it('is one event a line, oldest first, and the end', async () => {
    const rig = createRig({ exportEvents: exporting(each(LOG), true) });
    const reply = await rig.send('operator', 'get', `${PATH}/export`).buffer(true).parse(asText);
    assert.equal(reply.status, 200);
    assert.match(reply.headers['content-type'] ?? '', /^application\/x-ndjson/);
    assert.match(
      reply.headers['content-disposition'] ?? '',
      new RegExp(`filename="?${INTENT_ID}.ndjson`),
    );
    assert.equal(reply.headers['holdpoint-stale'], 'true');
    assert.equal(reply.body, `${exportOf(LOG).join('\n')}\n`);
  });

  it('is only for those who may read all of it [AM-45]', async () => {
    const rigOf = (owner: string): Rig =>
      createRig({
        getIntent: async () => ({ value: { ...INTENT, owner }, stale: false }),
        exportEvents: exporting(each(LOG)),
      });
    const statusFor = async (key: keyof typeof KEYS, owner: string): Promise<number> =>
      (await rigOf(owner).send(key, 'get', `${PATH}/export`)).status;
    assert.equal(await statusFor('agent', 'refund-agent'), 200);
    assert.equal(await statusFor('agent', 'other-agent'), 403);
    assert.equal(await statusFor('operator', 'other-agent'), 200);
    assert.equal(await statusFor('admin', 'other-agent'), 200);
    const rig = rigOf('other-agent');
    const { body } = await rig.send('agent', 'get', `${PATH}/export`);
    assert.equal(body.code, 'forbidden');
    assert.ok(rig.calls.every(({ method }) => method !== 'exportEvents'));
  });

  it('breaks off if the store fails, and never ends as if whole', async () => {
    async function* failing(): AsyncGenerator<IntentEvent> {
      yield* LOG;
      throw new RefusalError({ code: 'store_unavailable', detail: 'The store did not answer.' });
    }
    const rig = createRig({ exportEvents: exporting(failing()) });
    await assert.rejects(
      rig.send('operator', 'get', `${PATH}/export`).buffer(true).parse(asText),
      /aborted|socket hang up/,
    );
  });

  it('reads no further when nobody takes it, and stops when they go', async () => {
    const large = { ...EVENT, payload: { text: 'x'.repeat(100_000) } };
    let taken = 0;
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    async function* endless(): AsyncGenerator<IntentEvent> {
      try {
        for (; taken < 100_000; taken += 1) yield large;
      } finally {
        stop();
      }
    }
    const rig = createRig({ exportEvents: exporting(endless()) });
    const server = createServer(rig.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers = { 'X-API-Key': KEYS.operator };
    const request = get({ port, host: '127.0.0.1', path: `${PATH}/export`, headers });
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    await once(reply, 'readable');
    request.destroy();
    await stopped;
    assert.ok(taken < 1_000, `${taken} events were read`);
    server.close();
    assert.doesNotMatch(rig.logged(), /unexpected error/);
  });
});

describe('an event with a shortened id', () => {
  it('says that it does not verify, and the others do not [AM-45]', async () => {
    const named = { ...EVENT, payload: { suspension_id: '5f0c8a52-0f3c-4a55-9d5e-3d2f0a3f9f10' } };
    const rig = createRig({
      listEvents: () => listed([named, EVENT]),
      getIntent: async () => ({ value: { ...INTENT, owner: 'other-agent' }, stale: false }),
    });
    const { body } = await rig.send('agent', 'get', PATH);
    const events = body.events as { masked?: boolean }[];
    assert.deepEqual(
      events.map(({ masked }) => masked),
      [true, undefined],
    );
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
