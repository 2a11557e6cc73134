import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { lookUntil } from './looks.js';
import type { FakeSlack } from './slack.js';

/** What a client sends to acknowledge an envelope. */
interface Acknowledgement {
  readonly envelope_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The other end of Socket Mode, in this process. */
export interface SlackSocket {
  /** Resolves once a client has connected so often. */
  connected(count: number): Promise<void>;
  /** Sends an interaction to the newest client; its acknowledgement. */
  interact(payload: object): Promise<Acknowledgement>;
  /** Asks the newest client to connect anew, as Slack does every few hours. */
  refresh(): void;
  /** Ends the newest connection without a word. */
  drop(): void;
  close(): Promise<void>;
}

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** A frame of WebSocket (RFC 6455) as a server sends it. */
function frame(opcode: number, payload: Buffer): Buffer {
  const long = payload.length > 125;
  const head = Buffer.from([0x80 | opcode, long ? 126 : payload.length]);
  const length = Buffer.alloc(long ? 2 : 0);
  if (long) length.writeUInt16BE(payload.length);
  return Buffer.concat([head, length, payload]);
}

/** The whole frames of a client in some bytes, and what is left. */
function framesIn(bytes: Buffer) {
  const frames: { readonly opcode: number; readonly payload: Buffer }[] = [];
  let rest = bytes;
  while (rest.length >= 6) {
    const isLong = ((rest[1] ?? 0) & 0x7f) === 126;
    const length = isLong ? rest.readUInt16BE(2) : (rest[1] ?? 0) & 0x7f;
    const start = (isLong ? 4 : 2) + 4;
    if (rest.length < start + length) break;
    const mask = rest.subarray(start - 4, start);
    const masked = rest.subarray(start, start + length);
    const payload = Buffer.from(masked.map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
    frames.push({ opcode: (rest[0] ?? 0) & 0x0f, payload });
    rest = rest.subarray(start + length);
  }
  return { frames, rest };
}

/** Lets a fake Slack tell its clients to connect here. */
export async function startSlackSocket(slack: FakeSlack): Promise<SlackSocket> {
  const sockets: Duplex[] = [];
  const acknowledged: Acknowledgement[] = [];
  let envelopes = 0;
  const send = (message: object) => {
    sockets.at(-1)?.write(frame(TEXT, Buffer.from(JSON.stringify(message))));
  };
  const server = createServer();
  server.on('upgrade', (req, socket: Duplex) => {
    const key = `${req.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    let left = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const { frames, rest } = framesIn(Buffer.concat([left, chunk]));
      left = Buffer.from(rest);
      for (const { opcode, payload } of frames) {
        if (opcode === TEXT) acknowledged.push(JSON.parse(payload.toString()) as Acknowledgement);
        if (opcode === PING) socket.write(frame(PONG, payload));
        if (opcode === CLOSE) socket.end(frame(CLOSE, payload));
      }
    });
    sockets.push(socket);
    send({ type: 'hello' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/link`;
  const other = slack.answer;
  slack.answer = (call) =>
    call.method === 'apps.connections.open' ? { body: { ok: true, url } } : other(call);
  return {
    async connected(count) {
      await lookUntil(
        () => Promise.resolve(sockets.length >= count),
        `nobody connects ${count} times`,
      );
    },
    async interact(payload) {
      envelopes += 1;
      const envelope_id = `e-${envelopes}`;
      send({ type: 'interactive', envelope_id, accepts_response_payload: true, payload });
      const found = () => acknowledged.find((one) => one.envelope_id === envelope_id);
      await lookUntil(() => Promise.resolve(found() !== undefined), 'nothing is acknowledged');
      return found() as Acknowledgement;
    },
    refresh: () => send({ type: 'disconnect', reason: 'refresh_requested' }),
    drop: () => sockets.at(-1)?.destroy(),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
