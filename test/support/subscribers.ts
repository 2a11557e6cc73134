import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { once } from 'node:events';
import {
  createServer,
  get,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  createWebhookSender,
  type WebhookSender,
} from '../../activities/channels/webhook/sender.js';

/** An open stream of Server-Sent Events; its reply may be paused and destroyed as any. */
export interface Sse {
  readonly reply: IncomingMessage;
  readonly frames: EventSourceMessage[];
  /** Everything that came, as text. */
  text(): string;
  /** Resolves when so many frames have come. */
  until(count: number): Promise<readonly EventSourceMessage[]>;
  /** Resolves when the stream has ended, however that was. */
  readonly ended: Promise<void>;
}

/** Opens a stream. */
export async function openSse(
  url: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sse> {
  const request = get(url, { headers: { 'X-API-Key': key, ...headers }, agent: false });
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  reply.on('error', () => undefined);
  reply.setEncoding('utf8');
  const frames: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (frame) => void frames.push(frame) });
  let text = '';
  reply.on('data', (chunk: string) => {
    text += chunk;
    parser.feed(chunk);
    reply.emit('parsed');
  });
  const ended = new Promise<void>((resolve) => reply.once('close', resolve));
  return {
    reply,
    frames,
    text: () => text,
    ended,
    async until(count) {
      while (frames.length < count) await once(reply, 'parsed');
      return frames;
    },
  };
}

export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (response: ServerResponse, received: Received) => void;

/** A webhook's receiver on loopback, which keeps what it gets. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  /** What subscriptions name it: they take public addresses alone, and `loopbackSender` leads there. */
  readonly publicUrl: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/** Starts a receiver that answers each request with the next answer, the last one again and again. */
export async function startReceiver(...answers: readonly Answer[]): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void take(request).then((taken) => {
      const answer = answers[received.length] ?? answers.at(-1) ?? status(200);
      received.push(taken);
      answer(response, taken);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const publicUrl = `https://receiver.example:${port}/hook`;
  return { port, url: `http://127.0.0.1:${port}/hook`, publicUrl, received, close };
}

/** Posts to receivers of this machine what is meant for their public addresses. */
export function loopbackSender(): WebhookSender {
  const send = createWebhookSender({ allow_private_network: true, timeout_seconds: 5 });
  return ({ url, ...message }) =>
    send({ ...message, url: new URL(`http://127.0.0.1:${url.port}${url.pathname}`) });
}

/** Answers with a status and headers, and no body. */
export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(code, headers).end();
}

async function take(request: IncomingMessage): Promise<Received> {
  const { method, url: path, headers } = request;
  return { method, path, headers, body: await text(request) };
}
