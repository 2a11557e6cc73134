import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lookUntil } from './looks.js';

/** One call of a method of Slack, or one post to a `response_url`. */
export interface SlackCall {
  /** Such as `chat.postMessage`, or the path of a `response_url`. */
  readonly method: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly authorization: string | undefined;
}

/** What Slack answers in place of `{ok: true}`. */
export interface SlackReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export type Answering = (call: SlackCall) => SlackReply | 'hangs' | undefined;

/** A server in this process that answers as Slack does. */
export interface FakeSlack {
  /** For `api_url`. */
  readonly apiUrl: string;
  /** Where private replies to a press go. */
  readonly responseUrl: string;
  readonly calls: readonly SlackCall[];
  /** What it answers from now on. */
  answer: Answering;
  /** The calls of one method. */
  of(method: string): readonly SlackCall[];
  /** Resolves once a method was called so often; the last call. */
  called(method: string, count: number): Promise<SlackCall>;
  close(): Promise<void>;
}

export const BOT_TOKEN = 'xoxb-1-test';
export const SIGNING_SECRET = 'ab'.repeat(16);

/** The headers that Slack signs a body with. */
export function slackHeaders(
  body: string,
  at = Math.floor(Date.now() / 1_000),
  secret = SIGNING_SECRET,
): Record<string, string> {
  const signed = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  return {
    'Content-Type': 'application/x-www-form-urlencoded',
    'X-Slack-Request-Timestamp': String(at),
    'X-Slack-Signature': `v0=${signed}`,
  };
}

/** A payload as Slack posts it. */
export function slackForm(payload: object): string {
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

const isJson = (text: string) => /^[[{]/.test(text);

async function bodyOf(req: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if (isJson(text)) return JSON.parse(text) as Record<string, unknown>;
  const fields = [...new URLSearchParams(text)];
  return Object.fromEntries(
    fields.map(([name, value]) => [name, isJson(value) ? (JSON.parse(value) as unknown) : value]),
  );
}

/** Slack takes no more characters in all blocks of a message together, and no more in one of its sections. */
const MOST_IN_BLOCKS = 12_000;
const MOST_IN_SECTION = 3_000;

/** What Slack says of blocks that it does not take. */
function faultOf(blocks: unknown): string | undefined {
  const texts: number[] = [];
  JSON.stringify(blocks, (key, value: unknown) => {
    if (key === 'text' && typeof value === 'string') texts.push(value.length);
    return value;
  });
  if (texts.some((length) => length < 1 || length > MOST_IN_SECTION)) return 'invalid_blocks';
  const all = texts.reduce((sum, length) => sum + length, 0);
  return all > MOST_IN_BLOCKS ? 'msg_blocks_too_long' : undefined;
}

/** Starts a fake Slack on loopback. Messages get the time stamps `1.000001`, `1.000002`, …; those to a member a D… channel. */
export async function startSlack(answer: Answering = () => undefined): Promise<FakeSlack> {
  const calls: SlackCall[] = [];
  let messages = 0;
  const usual = ({ method, body }: SlackCall): Record<string, unknown> => {
    const error = faultOf(body['blocks'] ?? []);
    if (error !== undefined) return { ok: false, error };
    if (method !== 'chat.postMessage') return { ok: true };
    messages += 1;
    const channel = String(body['channel']).replace(/^U/, 'D');
    return { ok: true, channel, ts: `1.${String(messages).padStart(6, '0')}` };
  };
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    const method = (req.url ?? '').replace(/^\/(api\/)?/, '');
    const call = { method, body: await bodyOf(req), authorization: req.headers.authorization };
    calls.push(call);
    const reply = fake.answer(call);
    if (reply === 'hangs') return;
    const { status = 200, headers = {}, body } = reply ?? {};
    res.writeHead(status, { 'content-type': 'application/json', ...headers });
    res.end(JSON.stringify(body ?? usual(call)));
  };
  const server = createServer((req, res) => void serve(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeSlack = {
    apiUrl: `${origin}/api/`,
    responseUrl: `${origin}/actions/T1/1/one`,
    calls,
    answer,
    of: (method) => calls.filter((call) => call.method === method),
    async called(method, count) {
      await lookUntil(
        () => Promise.resolve(fake.of(method).length >= count),
        `${method} is not called ${count} times`,
      );
      return fake.of(method)[count - 1] as SlackCall;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fake;
}
