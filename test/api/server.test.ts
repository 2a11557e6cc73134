import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { startServer, type RunningServer } from '../../api/server.js';
import { PortTakenError } from '../../runtime/program.js';
import { hanging } from './support/fakes.js';
import { createRig, KEYS, rigOver } from './support/harness.js';
import type { Questions } from './support/questions.js';
import type { Fakes } from './support/parts.js';
import { INTENT, INTENT_ID, SUSPENSION_ID } from './support/records.js';

const WAIT = `/v1/suspensions/${SUSPENSION_ID}/wait`;
const HEADERS = { 'X-API-Key': KEYS.agent };

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

function createGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const serve = (overrides: Questions, drainMs = 5_000, fakes: Fakes = {}): Promise<RunningServer> =>
  startServer({ app: rigOver(fakes, overrides).app, host: '127.0.0.1', port: 0, drainMs });

async function bodyOf(res: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function fetchJson(url: string) {
  const [res] = (await once(get(url, { headers: HEADERS }), 'response')) as [IncomingMessage];
  return { status: res.statusCode, headers: res.headers, body: await bodyOf(res) };
}

/** A question that stays open, and says when a wait for it begins and ends. */
function waiting() {
  const [begun, ended] = [createGate(), createGate()];
  const overrides: Questions = {
    outcome(call) {
      begun.open();
      call.signal.addEventListener('abort', () => ended.open());
      return hanging(call);
    },
  };
  return { begun: begun.opened, ended: ended.opened, overrides };
}

describe('the server', () => {
  it('serves on a free port and returns its address', async () => {
    const server = await serve({});
    assert.equal(server.url, `http://127.0.0.1:${server.address.port}`);
    assert.equal((await fetchJson(`${server.url}/health`)).status, 200);
    await server.close();
  });

  it('keeps an idle connection open for longer than proxies do', async () => {
    const server = await serve({});
    const { headers } = await fetchJson(`${server.url}/health`);
    assert.equal(headers['keep-alive'], 'timeout=75');
    await server.close();
  });

  it('names a taken port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const start = startServer({ app: createRig().app, host: '127.0.0.1', port });
    await assert.rejects(start, (error) => {
      assert.ok(error instanceof PortTakenError);
      assert.match(error.message, new RegExp(`^Port ${port} on 127.0.0.1 is already in use.*$`));
      return true;
    });
    other.close();
  });

  it('lets a request in flight end before it closes', async () => {
    const [begun, go] = [createGate(), createGate()];
    const intent = async () => {
      begun.open();
      await go.opened;
      return { intent: INTENT, last_sequence: 1 };
    };
    const server = await serve({}, 5_000, { answers: { intent } });
    const reply = fetchJson(`${server.url}/v1/intents/${INTENT_ID}`);
    await begun.opened;
    let closed = false;
    const closing = server.close().then(() => (closed = true));
    await assert.rejects(fetchJson(`${server.url}/health`), { code: 'ECONNREFUSED' });
    assert.equal(closed, false);
    go.open();
    const { status, headers, body } = await reply;
    assert.deepEqual([status, headers.connection, body], [200, 'close', INTENT]);
    await closing;
    assert.equal(closed, true);
  });

  it('closes once, however often it is asked to', async () => {
    const server = await serve({});
    assert.equal(server.close(), server.close());
    await server.close();
  });

  for (const [part, sent] of [
    ['headers', ''],
    ['body', 'Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{'],
  ] as const) {
    it(`ends the connection of a client that does not finish its ${part}`, async () => {
      const timeouts = { headersTimeout: 20, requestTimeout: 40 };
      const { app } = createRig();
      const server = await startServer({ app, host: '127.0.0.1', port: 0, timeouts });
      const socket = connect(server.address.port, '127.0.0.1');
      const heard: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => heard.push(chunk));
      const line = `POST /v1/intents HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEYS.agent}\r\n`;
      socket.write(line + sent);
      await once(socket, 'close');
      assert.match(Buffer.concat(heard).toString(), /^HTTP\/1\.1 408 Request Timeout\r\n/);
      await server.close();
    });
  }

  it('drops what does not end in time', async () => {
    const begun = createGate();
    const never = new Promise<never>(() => undefined);
    const server = await serve({}, 1, { answers: { intent: () => (begun.open(), never) } });
    const reply = fetchJson(`${server.url}/v1/intents/${INTENT_ID}`);
    const dropped = assert.rejects(reply, { code: 'ECONNRESET' });
    await begun.opened;
    await server.close();
    await dropped;
  });
});

describe('long polls', () => {
  it('are 503 when the server stops', async () => {
    const { begun, overrides } = waiting();
    const server = await serve(overrides);
    const reply = fetchJson(`${server.url}${WAIT}`);
    await begun;
    await server.close();
    const { status, headers } = await reply;
    assert.deepEqual([status, headers['retry-after']], [503, '1']);
  });

  it('end when the caller goes away', async () => {
    const { begun, ended, overrides } = waiting();
    const server = await serve(overrides);
    const request = get(`${server.url}${WAIT}`, { headers: HEADERS });
    const gone = assert.rejects(once(request, 'response'), { code: 'ECONNRESET' });
    await begun;
    request.destroy();
    await ended;
    await gone;
    await server.close();
  });
});
