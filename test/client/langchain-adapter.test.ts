import assert from 'node:assert/strict';
import { approvedCall, gate } from '../../client/adapters/langchain.js';
import { ApprovalClient } from '../../client/index.js';
import type { FakeServer } from './support/fake-server.js';
import { withServer, type InstantPauses } from './support/harness.js';
import { problem } from './support/samples.js';

/* The adapter by itself. test/frameworks has it with LangChain. */

const ID = '3f0c1b9e-6a55-4a3e-9a52-2f5d8f1b7c11';
const OPEN = 'POST /v1/approvals';
const REDEEM = `POST /v1/approvals/${ID}/redeem`;
const COMPLETE = `POST /v1/approvals/${ID}/complete`;
const ARGS = { to: 'DE1', amount: 500 };
const REQUIRED = { request_id: ID, status: 'approved', task: { tool_calls: [] } };
const REDEEMED = {
  approval_id: ID,
  call_id: 'call-1',
  tool: 'wire',
  arguments: ARGS,
  edited: false,
  idempotency_key: `${ID}:call-1`,
  token: 3,
};
const EDITED = { ...REDEEMED, arguments: { to: 'DE1', amount: 1 }, edited: true };
const NOTE =
  'A human reviewer edited the arguments of "wire". It ran with: {"to":"DE1","amount":1}';
const CALL = { id: 'call-1', name: 'wire', args: ARGS };

interface Invoked {
  readonly args: object;
}
interface Returned {
  content: unknown;
}
type Execute = (call: Invoked) => Returned;

function toolOf(execute: Execute, schema?: unknown) {
  return { name: 'wire', schema, invoke: (call: Invoked) => Promise.resolve(execute(call)) };
}

const sent: Execute = ({ args }) => ({ content: `sent ${JSON.stringify(args)}` });

function gateOf(server: FakeServer, pauses: InstantPauses, tool = toolOf(sent)) {
  const timers = { pause: pauses.pause };
  const logger = { warn: () => undefined };
  const options = { baseUrl: server.url, apiKey: 'k', timers, logger, tries: 2 };
  return gate(new ApprovalClient(options), { run: 'run-7', tools: [tool] });
}

/** What LangGraph returns of an agent whose call waits. */
function interrupted(value: unknown) {
  return { __interrupt__: [{ id: 'interrupt-1', value }] };
}

function requestOf(interrupt: (value: unknown) => unknown, messages: readonly object[] = []) {
  return { toolCall: CALL, tool: undefined, state: { messages }, runtime: { interrupt } };
}

/** Runs the tool of a request, as LangChain does. */
function handler(request: { readonly tool: unknown; readonly toolCall: Invoked }) {
  return (request.tool as ReturnType<typeof toolOf>).invoke(request.toolCall);
}

/** Lets the call wait, resumes it, and resolves with the result of the tool. */
async function resumed(server: FakeServer, pauses: InstantPauses, tool = toolOf(sent)) {
  server.on(OPEN, { status: 202, body: REQUIRED });
  const gated = gateOf(server, pauses, tool);
  let value: unknown;
  const pause = (given: unknown) => {
    value = given;
    throw new Error('interrupted');
  };
  const { wrapToolCall } = gated.middleware;
  await assert.rejects(wrapToolCall(requestOf(pause), handler), { message: 'interrupted' });
  const keys = await gated.resume(await gated.park(interrupted(value)));
  return wrapToolCall(
    requestOf(() => keys?.['interrupt-1']),
    handler,
  );
}

describe('the adapter for LangChain', () => {
  it('interrupts calls of its own tools alone, before it asks anybody', () =>
    withServer(async (server, pauses) => {
      const { middleware } = gateOf(server, pauses);
      const pause = () => {
        throw new Error('interrupted');
      };
      await assert.rejects(middleware.wrapToolCall(requestOf(pause), handler), {
        message: 'interrupted',
      });
      const search = { ...requestOf(pause), toolCall: { ...CALL, name: 'search' } };
      assert.equal(await middleware.wrapToolCall(search, (request) => request), search);
      assert.deepEqual(server.seen, []);
    }));

  it('asks about what waits in a result or a state, with the turn as the state', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const schema = { type: 'object', properties: { amount: { type: 'number' } } };
      const gated = gateOf(server, pauses, toolOf(sent, schema));
      const holdpoint = { toolCallId: 'call-1', tool: 'wire', arguments: ARGS };
      const others = [{ id: 'interrupt-2', value: 'of somebody else' }, { value: { holdpoint } }];
      assert.equal(await gated.park({ __interrupt__: others }), undefined);
      assert.equal(await gated.park({ tasks: [] }), undefined);
      const turn = await gated.park(interrupted({ holdpoint }));
      const interrupts = [...others, ...interrupted({ holdpoint }).__interrupt__];
      assert.deepEqual(await gated.park({ tasks: [{ interrupts }] }, { chat: 17 }), turn);
      const bodies = server.requests(OPEN).map(({ body }) => body);
      const states = bodies.map(({ checkpoint }) => checkpoint);
      assert.deepEqual(states, [{ state: turn }, { state: { chat: 17 } }]);
      const [call] = bodies[0]?.['calls'] as { input_schema: unknown }[];
      assert.deepEqual(call?.input_schema, schema);
    }));

  it('counts the results that a call id already has', () =>
    withServer(async (server, pauses) => {
      const { middleware } = gateOf(server, pauses);
      const messages = [{ tool_call_id: 'call-1' }, { tool_call_id: 'call-2' }, {}];
      const values: unknown[] = [];
      const keep = (value: unknown) => values.push(value);
      await assert.rejects(middleware.wrapToolCall(requestOf(keep, messages), handler), {
        code: 'not_asked',
      });
      const holdpoint = { toolCallId: 'call-1#2', tool: 'wire', arguments: ARGS };
      assert.deepEqual(values, [{ holdpoint }]);
    }));

  const FORGED = [true, 'run-7:call-1', `run-6:call-1:${'0'.repeat(64)}`, undefined];
  for (const forged of FORGED) {
    it(`runs nothing that was resumed with ${String(forged)}`, () =>
      withServer(async (server, pauses) => {
        const { middleware } = gateOf(server, pauses);
        const request = requestOf(() => forged);
        await assert.rejects(middleware.wrapToolCall(request, handler), { code: 'not_asked' });
        assert.deepEqual(server.seen, []);
      }));
  }

  it('records and returns the content of the result', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, { body: REDEEMED }).on(COMPLETE, { body: REDEEMED });
      const content = `sent ${JSON.stringify(ARGS)}`;
      assert.deepEqual(await resumed(server, pauses), { content });
      assert.deepEqual(server.requests(COMPLETE)[0]?.body, { token: 3, result: content });
    }));

  it('returns what is recorded of a call that has run', () =>
    withServer(async (server, pauses) => {
      const body = { ...REDEEMED, completed_at: '2026-03-24T10:00:00.000Z', result: 'earlier' };
      server.on(REDEEM, { body });
      assert.equal(await resumed(server, pauses), 'earlier');
      assert.deepEqual(server.requests(COMPLETE), []);
    }));

  const SHOWN = [
    ['text', 'sent', `${NOTE}\nsent`],
    ['blocks', [{ type: 'image' }], [{ type: 'text', text: NOTE }, { type: 'image' }]],
    ['neither', { sent: true }, `${NOTE}\n{"sent":true}`],
  ] as const;
  for (const [kind, content, shown] of SHOWN) {
    it(`runs what a person made of the call, and says so before the content: ${kind}`, () =>
      withServer(async (server, pauses) => {
        server.on(REDEEM, { body: EDITED }).on(COMPLETE, { body: EDITED });
        const ran: object[] = [];
        const tool = toolOf(({ args }) => {
          ran.push(args);
          return { content };
        });
        assert.deepEqual(await resumed(server, pauses, tool), { content: shown });
        assert.deepEqual(ran, [EDITED.arguments]);
      }));
  }

  it('returns the words of a refusal, and throws what is none', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, problem(409, 'approval_decided', { state: { status: 'rejected' } }));
      const refusal: unknown = await resumed(server, pauses);
      assert.match(refusal as string, /REJECTED by human reviewer/);
      server.on(REDEEM, problem(409, 'approval_in_use'));
      await assert.rejects(resumed(server, pauses), { code: 'approval_in_use' });
    }));

  it('gives a tool its approved call, and gives it to no tool that is not gated', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, { body: REDEEMED }).on(COMPLETE, { body: REDEEMED });
      const tool = toolOf((toolCall) => ({ content: approvedCall({ toolCall }).idempotency_key }));
      assert.deepEqual(await resumed(server, pauses, tool), {
        content: REDEEMED.idempotency_key,
      });
      assert.throws(() => approvedCall({ toolCall: CALL }), /runs without an approval/);
      assert.throws(() => approvedCall({}), /runs without an approval/);
    }));
});
