import assert from 'node:assert/strict';
import { approvedCall, gate } from '../../client/adapters/openai-agents.js';
import { ApprovalClient, callKey } from '../../client/index.js';
import type { FakeServer } from './support/fake-server.js';
import { withServer, type InstantPauses } from './support/harness.js';
import { problem } from './support/samples.js';

/* The adapter by itself. test/frameworks has it with the OpenAI Agents SDK. */

const ID = '3f0c1b9e-6a55-4a3e-9a52-2f5d8f1b7c11';
const OPEN = 'POST /v1/approvals';
const REDEEM = `POST /v1/approvals/${ID}/redeem`;
const COMPLETE = `POST /v1/approvals/${ID}/complete`;
const ARGS = { to: 'DE1', amount: 500 };
const CALL = { run: 'run-7', toolCallId: 'call-1', tool: 'wire', arguments: ARGS };
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
const ITEM = { type: 'function_call', callId: 'call-1', name: 'wire' };
const WAITING = { rawItem: { ...ITEM, arguments: JSON.stringify(ARGS) } };
const DETAILS = { toolCall: { callId: 'call-1' } };

type Execute = (input: string, details: unknown) => unknown;

function toolOf(execute: Execute, parameters: unknown = {}) {
  const invoke = (_context: object, input: string, details?: object) =>
    Promise.resolve(execute(input, details));
  return { name: 'wire', parameters, invoke };
}

const sent: Execute = (input) => `sent ${input}`;

type Options = Partial<Parameters<typeof gate<ReturnType<typeof toolOf>[]>>[1]>;

function gateOf(server: FakeServer, pauses: InstantPauses, options: Options = {}) {
  const timers = { pause: pauses.pause };
  const logger = { warn: () => undefined };
  const client = { baseUrl: server.url, apiKey: 'k', timers, logger, tries: 2 };
  return gate(new ApprovalClient(client), { run: 'run-7', tools: [toolOf(sent)], ...options });
}

/** A RunState with these interruptions, which keeps what was decided about each. */
function stateOf(interruptions: readonly object[] = [WAITING], history: readonly object[] = []) {
  const decided: unknown[] = [];
  return {
    decided,
    history,
    getInterruptions: () => interruptions as (typeof WAITING)[],
    approve: (item: unknown) => decided.push(item),
    reject: (item: unknown, options: object) => decided.push([item, options]),
    toString: () => 'the state',
  };
}

/** Lets the call wait, resumes it, and resolves with the state and the output of the tool. */
async function resumed(server: FakeServer, pauses: InstantPauses, execute: Execute = sent) {
  server.on(OPEN, { status: 202, body: REQUIRED });
  const gated = gateOf(server, pauses, { tools: [toolOf(execute)] });
  const turn = await gated.park({ state: stateOf() });
  const state = await gated.resume(turn, () => Promise.resolve(stateOf()));
  const invoke = () => gated.tools[0]?.invoke({}, JSON.stringify(ARGS), DETAILS);
  return { state, invoke };
}

describe('the adapter for the OpenAI Agents SDK', () => {
  it('asks about waiting calls of its own tools alone, with the turn as the state', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const gated = gateOf(server, pauses);
      const others = [
        { rawItem: { ...WAITING.rawItem, name: 'search' } },
        { rawItem: { type: 'hosted_tool_call', name: 'wire' } },
      ];
      assert.equal(await gated.park({ state: stateOf(others) }), undefined);
      assert.deepEqual(server.seen, []);
      const result = { state: stateOf([...others, WAITING]) };
      const turn = await gated.park(result);
      assert.deepEqual(turn, { state: 'the state', keys: { 'call-1': await callKey(CALL) } });
      await gated.park(result, { chat: 17 });
      const states = server.requests(OPEN).map(({ body }) => body['checkpoint']);
      assert.deepEqual(states, [{ state: turn }, { state: { chat: 17 } }]);
    }));

  const OF_TOOL = { type: 'object', properties: { amount: { type: 'number' } } };
  const OF_USER = { type: 'object', properties: { amount: { type: 'number', minimum: 1 } } };
  const SCHEMAS = [
    ['the schema of the tool', undefined, OF_TOOL],
    ['a JSON Schema', OF_USER, OF_USER],
    ['a schema that fits all', {}, {}],
    ['a Standard JSON Schema', { '~standard': { jsonSchema: { input: () => OF_USER } } }, OF_USER],
  ] as const;
  for (const [kind, given, asked] of SCHEMAS) {
    it(`has edits checked against ${kind}`, () =>
      withServer(async (server, pauses) => {
        server.on(OPEN, { status: 202, body: REQUIRED });
        const editSchemas = given === undefined ? undefined : { wire: given };
        const tools = [toolOf(sent, OF_TOOL)];
        await gateOf(server, pauses, { tools, editSchemas }).park({ state: stateOf() });
        const [call] = server.requests(OPEN)[0]?.body['calls'] as { input_schema: unknown }[];
        assert.deepEqual(call?.input_schema, asked);
      }));
  }

  it('counts the results that a call id already has', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const result = { type: 'function_call_result', callId: 'call-1' };
      const history = [ITEM, result, ITEM, { ...result, callId: 'call-2' }];
      const turn = await gateOf(server, pauses).park({ state: stateOf([WAITING], history) });
      const again = await callKey({ ...CALL, toolCallId: 'call-1#2' });
      assert.deepEqual(turn?.keys, { 'call-1': again });
    }));

  it('begins a first turn with its input', () =>
    withServer(async (server, pauses) => {
      const restore = () => Promise.reject(new Error('There is no state.'));
      const turn = { input: 'Wire 500.' };
      assert.equal(await gateOf(server, pauses).resume(turn, restore), 'Wire 500.');
    }));

  it('approves what people approved, and runs it once', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, { body: REDEEMED }).on(COMPLETE, { body: REDEEMED });
      const { state, invoke } = await resumed(server, pauses);
      assert.deepEqual((state as ReturnType<typeof stateOf>).decided, [WAITING]);
      const output = `sent ${JSON.stringify(ARGS)}`;
      assert.equal(await invoke(), output);
      assert.deepEqual(server.requests(COMPLETE)[0]?.body, { token: 3, result: output });
      // The SDK takes a call of another sub-agent under the same id for approved.
      await assert.rejects(async () => invoke(), { code: 'not_asked' });
    }));

  it('rejects with the words of a refusal, and throws what is none', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: { ...REQUIRED, status: 'pending' } });
      server.on(REDEEM, problem(409, 'approval_decided', { state: { status: 'rejected' } }));
      const gated = gateOf(server, pauses);
      const restored = stateOf();
      await gated.resume({ state: 'the state' }, () => Promise.resolve(restored));
      const [[item, { message }]] = restored.decided as [[object, { message: string }]];
      assert.equal(item, WAITING);
      assert.match(message, /REJECTED by human reviewer/);
      server.on(REDEEM, problem(409, 'approval_in_use'));
      const again = gated.resume({ state: 'the state' }, () => Promise.resolve(stateOf()));
      await assert.rejects(again, { code: 'approval_in_use' });
    }));

  it('runs nothing that nobody was asked about, whatever the state says', () =>
    withServer(async (server, pauses) => {
      const [tool] = gateOf(server, pauses).tools;
      const invoked = async () => tool?.invoke({}, JSON.stringify(ARGS), DETAILS);
      await assert.rejects(invoked, { code: 'not_asked' });
      assert.deepEqual(server.seen, []);
    }));

  it('returns the words of a refusal that comes after the run goes on', () =>
    withServer(async (server, pauses) => {
      const { invoke } = await resumed(server, pauses);
      server.on(REDEEM, problem(409, 'approval_decided', { state: { status: 'rejected' } }));
      assert.match(String(await invoke()), /REJECTED by human reviewer/);
      assert.deepEqual(server.requests(COMPLETE), []);
    }));

  const SHOWN = [
    ['text', 'sent', `${NOTE}\nsent`],
    ['an image', { type: 'image' }, [{ type: 'text', text: NOTE }, { type: 'image' }]],
    ['parts', [{ type: 'file' }], [{ type: 'text', text: NOTE }, { type: 'file' }]],
    ['an object', { sent: true }, `${NOTE}\n{"sent":true}`],
    ['an empty list', [], `${NOTE}\n[]`],
    ['nothing', null, `${NOTE}\nnull`],
  ] as const;
  for (const [kind, output, shown] of SHOWN) {
    it(`runs what a person made of the call, and says so before the output: ${kind}`, () =>
      withServer(async (server, pauses) => {
        server.on(REDEEM, { body: EDITED }).on(COMPLETE, { body: EDITED });
        const ran: unknown[] = [];
        const { invoke } = await resumed(server, pauses, (input) => {
          ran.push(JSON.parse(input));
          return output;
        });
        assert.deepEqual(await invoke(), shown);
        assert.deepEqual(ran, [EDITED.arguments]);
      }));
  }

  it('returns what is recorded of a call that has run', () =>
    withServer(async (server, pauses) => {
      const body = { ...REDEEMED, completed_at: '2026-03-24T10:00:00.000Z', result: 'earlier' };
      server.on(REDEEM, { body });
      const { invoke } = await resumed(server, pauses);
      assert.equal(await invoke(), 'earlier');
      assert.deepEqual(server.requests(COMPLETE), []);
    }));

  it('gives a tool its approved call, and gives it to no tool that is not gated', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, { body: REDEEMED }).on(COMPLETE, { body: REDEEMED });
      const { invoke } = await resumed(
        server,
        pauses,
        (_input, details) => approvedCall(details).idempotency_key,
      );
      assert.equal(await invoke(), REDEEMED.idempotency_key);
      assert.throws(() => approvedCall(DETAILS), /runs without an approval/);
    }));
});
