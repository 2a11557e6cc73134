import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server saw it; `body` is its JSON object, empty where none was sent. */
export interface Seen {
  readonly route: string;
  readonly headers: IncomingMessage['headers'];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}
export interface Scripted {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Sent as it is in place of JSON. */
  readonly text?: string;
}
/** `cut` ends the connection without a reply; `silent` never replies. */
export type Step = Scripted | 'cut' | 'silent';
export type Script = (seen: Seen, nth: number) => Step | Promise<Step>;

/** A server that answers by script, on one port for its whole life. */
export class FakeServer {
  readonly seen: Seen[] = [];
  readonly #scripts = new Map<string, Script>();
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Answers a route (`POST /v1/intents`) by a script, or by these steps in turn (the last stays). */
  on(route: string, ...steps: [Script] | [Step, ...Step[]]): this {
    const [first] = steps;
    const script: Script =
      typeof first === 'function'
        ? first
        : (_seen, nth) => (steps[Math.min(nth, steps.length) - 1] ?? first) as Step;
    this.#scripts.set(route, script);
    return this;
  }

  /** The requests of a route, in order. */
  requests(route: string): Seen[] {
    return this.seen.filter((request) => request.route === route);
  }

  async start(): Promise<void> {
    const server = createServer((req, res) => void this.#answer(req, res));
    this.#server = server;
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Stops listening and cuts every connection. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '/', this.url);
    const route = `${req.method ?? ''} ${pathname}`;
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = JSON.parse(text === '' ? '{}' : text) as Seen['body'];
    const seen = { route, headers: req.headers, query: searchParams, body };
    this.seen.push(seen);
    const script = this.#scripts.get(route);
    const step = (await script?.(seen, this.requests(route).length)) ?? NOT_FOUND;
    if (step === 'cut') req.socket.destroy();
    else if (step !== 'silent') send(res, step);
  }
}

const NOT_FOUND: Scripted = { status: 404, body: { detail: 'Not Found' } };

function send(res: ServerResponse, { status = 200, headers, body, text }: Scripted): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(text ?? (body === undefined ? '' : JSON.stringify(body)));
}
