import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { EventSourceMessage } from 'eventsource-parser';

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
