import assert from 'node:assert/strict';
import { once, setMaxListeners } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { temporalClients } from '../../api/temporal-clients.js';
import { lookUntil } from '../support/looks.js';
import { makeCertificate } from '../temporal-config/guarded-server.js';

const STREAMS = 100;
const WAITERS = 150;
/** A message of gRPC without content. */
const EMPTY = Buffer.alloc(5);

/** A server that says what it is, and never replies to anything else. */
class SilentServer {
  readonly sessions = new Set<http2.ServerHttp2Session>();
  /** Calls without a reply. */
  waiting = 0;
  private readonly server: http2.Http2Server | http2.Http2SecureServer;

  constructor(secure?: { readonly cert: Buffer; readonly key: Buffer }) {
    const settings = { maxConcurrentStreams: STREAMS };
    this.server = secure
      ? http2.createSecureServer({ ...secure, settings })
      : http2.createServer({ settings });
    this.server.on('session', (session) => {
      session.on('error', () => undefined);
      this.sessions.add(session);
    });
    this.server.on('stream', (stream, headers) => this.take(stream, headers));
  }

  async start(): Promise<string> {
    this.server.listen(0, 'localhost');
    await once(this.server, 'listening');
    return `localhost:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    for (const session of this.sessions) session.destroy();
  }

  private take(stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders): void {
    stream.on('error', () => undefined);
    if (!headers[':path']?.endsWith('/GetSystemInfo')) {
      this.waiting += 1;
      return;
    }
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc' },
      { waitForTrailers: true },
    );
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(EMPTY);
  }
}

describe('the connections of the API to Temporal', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-connections-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const log = { info: () => undefined, error: () => undefined };

  async function answersPass(server: SilentServer, env: NodeJS.ProcessEnv): Promise<void> {
    const stopped = new AbortController();
    setMaxListeners(0, stopped.signal);
    const address = await server.start();
    const settings = { ...env, TEMPORAL_ADDRESS: address, TEMPORAL_CONFIG_FILE: '' };
    const around = { dataConverter: undefined, tracing: undefined, log, signal: stopped.signal };
    const { clients, close } = temporalClients(settings, around);
    const { client, waiting } = clients;
    const waits = Array.from({ length: WAITERS }, (_, index) =>
      waiting.withAbortSignal(stopped.signal, () =>
        waiting.workflow.getHandle(`suspension-${index}`).describe(),
      ),
    );
    const ended = Promise.allSettled(waits);
    try {
      await lookUntil(async () => server.waiting === STREAMS, 'not every stream is in use');
      await client.withDeadline(Date.now() + 20_000, () =>
        client.workflowService.getSystemInfo({}),
      );
      assert.equal(server.sessions.size, 2);
    } finally {
      stopped.abort();
      await ended;
      await close();
      server.stop();
    }
  }

  it('let answers pass while long polls have all streams of theirs in use', async () => {
    await answersPass(new SilentServer(), {});
  });

  it('do so with TLS', async () => {
    const { certificate, key: file } = await makeCertificate(folder, 'server');
    const [cert, key] = await Promise.all([readFile(certificate), readFile(file)]);
    await answersPass(new SilentServer({ cert, key }), {
      TEMPORAL_TLS: 'true',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificate,
    });
  });
});
