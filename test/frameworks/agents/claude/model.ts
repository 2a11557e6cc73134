import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DONE, type Script, type ScriptedCall } from '../adapter.js';

/*
 * A model behind the API that Claude Code calls. It follows its script, and makes a call that has no result yet again. As the real
 * API does, it gives no two calls of a session the same id: so no call comes under an id that was used before, and people are asked
 * about the next call as about any other.
 */

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: object;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
}

interface Request {
  readonly model: string;
  readonly messages: readonly { readonly content: string | readonly Block[] }[];
}

/** The words with which an agent asks the model to have its script carried out by another agent. */
export const DELEGATE = 'Delegate: ';

/** What Claude Code puts in the place of a result: the call waits, or its process died. The prompt says to make it again. */
const NO_RESULT = /waits for approval|was interrupted|doesn't want to take this action/;

/** What the model has read as results when it was last asked. */
export let results: readonly string[] = [];

function next(blocks: readonly Block[]): readonly Block[] {
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' && text ? [text] : []));
  const uses = blocks.filter(({ type }) => type === 'tool_use');
  const task = texts.find((text) => text.startsWith(DELEGATE));
  if (task !== undefined && uses.length === 0) return [delegated(task.slice(DELEGATE.length))];
  if (task !== undefined) return [{ type: 'text', text: DONE }];
  const ends = blocks.filter(
    (block) => block.type === 'tool_result' && !NO_RESULT.test(read(block)),
  );
  results = ends.map(read);
  const script = JSON.parse(texts.find((text) => text.startsWith('[[')) ?? '[]') as Script;
  const calls = missing(script, uses, ends);
  return calls.length === 0 ? [{ type: 'text', text: DONE }] : calls;
}

/** The calls of the first step that has no result for all of its calls. */
function missing(script: Script, uses: readonly Block[], ends: readonly Block[]): Block[] {
  const ended = ends.map(({ tool_use_id }) =>
    JSON.stringify(uses.findLast(({ id }) => id === tool_use_id)?.input),
  );
  for (const step of script) {
    const calls = step.flatMap((call) => {
      const input = JSON.stringify(inputOf(call));
      const isUsed = uses.some(({ id }) => id === call.id);
      return take(ended, input) ? [] : [useOf(call, isUsed ? uses.length : 0)];
    });
    if (calls.length > 0) return calls;
  }
  return [];
}

function take(all: string[], one: string): boolean {
  const at = all.indexOf(one);
  if (at >= 0) all.splice(at, 1);
  return at >= 0;
}

function inputOf({ to, amount }: ScriptedCall) {
  return { to, amount };
}

function useOf(call: ScriptedCall, times: number): Block {
  const id = times === 0 ? call.id : `${call.id}-${times}`;
  return {
    type: 'tool_use',
    id,
    name: 'mcp__bank__wire',
    input: inputOf(call),
  };
}

function delegated(prompt: string): Block {
  const input = {
    description: 'Pays.',
    prompt,
    subagent_type: 'general-purpose',
    run_in_background: false,
  };
  return { type: 'tool_use', id: 'delegate-1', name: 'Agent', input };
}

function read({ content = '' }: Block): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');
}

/** Starts the API on the loopback address; resolves with its URL. */
export async function startModel(): Promise<string> {
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (!request.url?.startsWith('/v1/messages?')) return reply.writeHead(404).end('{}');
      const { model, messages } = JSON.parse(Buffer.concat(chunks).toString()) as Request;
      const blocks = messages.flatMap(({ content }) =>
        typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      );
      stream(reply, model, next(blocks));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let messages = 0;

function stream(reply: ServerResponse, model: string, content: readonly Block[]): void {
  const send = (type: string, more: object): void => {
    reply.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  };
  messages += 1;
  const usage = { input_tokens: 1, output_tokens: 1 };
  const role = 'assistant';
  const message = {
    id: `msg_${process.pid}_${messages}`,
    type: 'message',
    role,
    model,
    content: [],
  };
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  send('message_start', {
    message: { ...message, stop_reason: null, stop_sequence: null, usage },
  });
  for (const [index, block] of content.entries()) {
    const isText = block.type === 'text';
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    const begun = isText ? { ...block, text: '' } : { ...block, input: {} };
    send('content_block_start', { index, content_block: begun });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  const isDone = content.every(({ type }) => type === 'text');
  const stop_reason = isDone ? 'end_turn' : 'tool_use';
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  send('message_stop', {});
  reply.end();
}
