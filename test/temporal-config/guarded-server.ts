import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';

const openssl = promisify(execFile);
const PERMISSION_DENIED = '7';
const UNAUTHENTICATED = '16';

/** A certificate that is its own authority, and its key, as paths of files. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate for this machine. */
export async function makeCertificate(folder: string, name: string): Promise<Certificate> {
  const certificate = path.join(folder, `${name}.pem`);
  const key = path.join(folder, `${name}.key`);
  const options =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 ' +
    '-addext basicConstraints=CA:FALSE -addext subjectAltName=DNS:localhost';
  const files = ['-subj', `/CN=${name}`, '-out', certificate, '-keyout', key];
  await openssl('openssl', [...options.split(' '), ...files]);
  return { certificate, key };
}

/** Whom a guarded server lets in. */
export interface Guard {
  /** The certificates of clients. */
  readonly clients: readonly Certificate[];
  readonly apiKeys: readonly string[];
}

/** A server that only lets clients in that have a certificate and an API key, in front of one that asks for neither. */
export class GuardedServer {
  private readonly server: http2.Http2SecureServer;
  private readonly behind: http2.ClientHttp2Session;
  private readonly sessions = new Set<http2.ServerHttp2Session>();
  private readonly own: Certificate;
  private apiKeys: readonly string[] = [];
  /** How many calls were refused for their key. */
  refused = 0;

  private constructor(server: http2.Http2SecureServer, own: Certificate, address: string) {
    this.server = server;
    this.own = own;
    this.behind = http2.connect(`http://${address}`);
    server.on('session', (session) => {
      this.sessions.add(session);
      session.on('error', () => undefined);
      session.once('close', () => this.sessions.delete(session));
    });
    server.on('stream', (stream, headers) => this.pass(stream, headers));
  }

  /** @param address - `host:port` of the server behind */
  static async start(own: Certificate, address: string, guard: Guard): Promise<GuardedServer> {
    const server = http2.createSecureServer({ requestCert: true, rejectUnauthorized: true });
    const guarded = new GuardedServer(server, own, address);
    await guarded.admit(guard);
    server.listen(0, 'localhost');
    await once(server, 'listening');
    return guarded;
  }

  get address(): string {
    return `localhost:${(this.server.address() as AddressInfo).port}`;
  }

  /** Lets in these from now on, and ends every connection, so that nobody stays who was let in before. */
  async admit({ clients, apiKeys }: Guard): Promise<void> {
    const [cert, key, ...ca] = await Promise.all([
      readFile(this.own.certificate),
      readFile(this.own.key),
      ...clients.map(({ certificate }) => readFile(certificate)),
    ]);
    this.server.setSecureContext({ cert, key, ca });
    this.apiKeys = apiKeys;
    this.cut();
  }

  async stop(): Promise<void> {
    this.server.close();
    this.cut();
    this.behind.destroy();
  }

  private cut(): void {
    for (const session of this.sessions) session.destroy();
  }

  private pass(stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders): void {
    stream.on('error', () => undefined);
    const status = this.refusal(headers);
    if (status !== undefined) {
      this.refused += 1;
      const reply = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status };
      stream.respond(reply, { endStream: true });
      return;
    }
    const call = this.behind.request({ ...headers, ':authority': undefined, ':scheme': 'http' });
    call.on('error', () => stream.destroy());
    stream.once('close', () => call.close());
    let trailers: http2.IncomingHttpHeaders = {};
    call.on('trailers', (found: http2.IncomingHttpHeaders) => (trailers = found));
    call.on('response', ({ ':status': code, ...rest }, flags) => {
      const endStream = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      stream.respond(
        { ...rest, ':status': code ?? 200 },
        { waitForTrailers: !endStream, endStream },
      );
      if (endStream) return;
      stream.once('wantTrailers', () => stream.sendTrailers(trailers));
      call.pipe(stream);
    });
    stream.pipe(call);
  }

  private refusal(headers: http2.IncomingHttpHeaders): string | undefined {
    const key = headers.authorization?.replace('Bearer ', '') ?? '';
    if (!this.apiKeys.includes(key)) return UNAUTHENTICATED;
    // As Temporal Cloud has it.
    return headers[':path']?.startsWith('/temporal.api.operatorservice.') === true
      ? PERMISSION_DENIED
      : undefined;
  }
}
