import assert from 'node:assert/strict';
import { approvedCall, gate, type ParkedTurn } from '../../client/adapters/mastra.js';
import { ApprovalClient, callKey } from '../../client/index.js';
import type { FakeServer } from './support/fake-server.js';
import { withServer, type InstantPauses } from './support/harness.js';
import { problem } from './support/samples.js';

/* The adapter by itself. test/frameworks has it with Mastra. */

const ID = '3f0c1b9e-6a55-4a3e-9a52-2f5d8f1b7c11';
const OPEN = 'POST /v1/approvals';
const REDEEM = `POST /v1/approvals/${ID}/redeem`;
const COMPLETE = `POST /v1/approvals/${ID}/complete`;
const MUTATIONS = `POST /v1/approvals/${ID}/mutations`;
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

type Execute = (input: object, context: object) => unknown;
type Shown = (output: unknown) => unknown;

/** A tool, which Mastra knows by its class. */
class Tool {
  readonly inputSchema: unknown;
  readonly toModelOutput: Shown | undefined;
  readonly #execute: Execute;

  constructor(execute: Execute, inputSchema?: unknown, toModelOutput?: Shown) {
    this.#execute = execute;
    this.inputSchema = inputSchema;
    this.toModelOutput = toModelOutput;
  }

  readonly execute = (input: object, context: object): Promise<unknown> =>
    Promise.resolve(this.#execute(input, context));
}

const sent: Execute = (input) => ({ sent: input });

function gateOf(server: FakeServer, pauses: InstantPauses, tool = new Tool(sent)) {
  const timers = { pause: pauses.pause };
  const logger = { warn: () => undefined };
  const client = { baseUrl: server.url, apiKey: 'k', timers, logger, tries: 2 };
  return gate(new ApprovalClient(client), { run: 'run-7', tools: { wire: tool } });
}

function callOf(toolCallId: string, args: object = ARGS, toolName = 'wire') {
  return { toolCallId, toolName, args };
}

/** What Mastra returns of a run that is suspended at a call. */
function resultOf(suspendPayload: object | undefined, ...calls: readonly object[]) {
  return { runId: 'm-1', suspendPayload, toolCalls: calls.map((payload) => ({ payload })) };
}

/** An agent of Mastra whose run is suspended, and that goes on as told. */
function agentOf(
  suspended: readonly object[],
  goOn: (options: object) => Promise<object | undefined> = () => Promise.resolve(undefined),
) {
  const seen: object[] = [];
  const go = async (options: object) => {
    seen.push(options);
    return resultOf(await goOn(options));
  };
  return {
    seen,
    listSuspendedRuns: () =>
      Promise.resolve({
        runs: [
          { runId: 'm-0', toolCalls: [] },
          { runId: 'm-1', toolCalls: suspended },
        ],
      }),
    approveToolCallGenerate: go,
    declineToolCallGenerate: go,
  };
}

const begin = () => Promise.reject(new Error('It has begun.'));

/** Parks a call, and has Mastra run the tool when the call goes on; resolves with the output and the result. */
async function resumed(server: FakeServer, pauses: InstantPauses, tool = new Tool(sent)) {
  server.on(OPEN, { status: 202, body: REQUIRED });
  const gated = gateOf(server, pauses, tool);
  const turn = await gated.park(resultOf(callOf('call-1'), callOf('call-1')));
  const outputs: unknown[] = [];
  const suspend = (payload: object) => Promise.resolve({ suspended: payload });
  const agent = agentOf([callOf('call-1')], async () => {
    const context = { agent: { toolCallId: 'call-1', suspend, resumeData: { approved: true } } };
    outputs.push(await gated.tools.wire.execute(ARGS, context));
    return undefined;
  });
  return { gated, agent, outputs, resume: () => gated.resume(turn, agent, begin) };
}

describe('the adapter for Mastra', () => {
  it('has Mastra suspend the run, and keeps what the tool is', () =>
    withServer((server, pauses) => {
      const tool = new Tool(sent, { type: 'object' });
      const { wire } = gateOf(server, pauses, tool).tools;
      assert.ok(wire instanceof Tool);
      assert.equal((wire as unknown as { requireApproval: boolean }).requireApproval, true);
      assert.equal(wire.inputSchema, tool.inputSchema);
      assert.equal(wire.toModelOutput, undefined);
      return Promise.resolve();
    }));

  it('asks about the suspended call and the later ones of its turn, and not about other tools', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const gated = gateOf(server, pauses);
      assert.equal(await gated.park(undefined), undefined);
      assert.equal(await gated.park(resultOf(undefined, callOf('call-1'))), undefined);
      const search = callOf('call-2', {}, 'search');
      assert.equal(await gated.park(resultOf(search, search)), undefined);
      const all = [callOf('call-0'), callOf('call-1'), search, callOf('call-3')];
      const turn = await gated.park(resultOf(callOf('call-1'), ...all), { chat: 17 });
      assert.equal(turn?.runId, 'm-1');
      assert.deepEqual(Object.keys(turn.calls), ['call-1', 'call-3']);
      const bodies = server.requests(OPEN).map(({ body }) => body);
      const states = bodies.map(({ checkpoint }) => checkpoint);
      assert.deepEqual(states, [{ state: { chat: 17 } }, { state: { chat: 17 } }]);
    }));

  it('counts how often a call id has come, and has the ids of calls around a sub-agent', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const all = [callOf('call-1'), callOf('call-1')];
      const again = await gateOf(server, pauses).park(resultOf(callOf('call-1'), ...all));
      assert.equal(again?.calls['call-1']?.toolCallId, 'call-1#2');
      const delegate = { ...callOf('d-1', {}, 'agent-payer'), suspendPayload: callOf('call-1') };
      const turn = await gateOf(server, pauses).park(resultOf(delegate, delegate));
      const { run: _run, ...call } = { ...CALL, toolCallId: 'd-1/call-1' };
      const keys = { 'd-1/call-1': await callKey({ ...CALL, toolCallId: 'd-1/call-1' }) };
      assert.deepEqual(turn, { runId: 'm-1', calls: { 'd-1/call-1': call }, keys });
      assert.deepEqual(server.requests(OPEN)[1]?.body['checkpoint'], { state: turn });
    }));

  it('begins a first turn with its messages', () =>
    withServer(async (server, pauses) => {
      const first = (messages: string) => Promise.resolve({ ...resultOf(undefined), messages });
      const result = await gateOf(server, pauses).resume({ messages: 'Wire.' }, agentOf([]), first);
      assert.deepEqual(result, { ...resultOf(undefined), messages: 'Wire.' });
    }));

  it('runs what people approved, and records what the tool returns', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, { body: REDEEMED }).on(COMPLETE, { body: REDEEMED });
      const { agent, outputs, resume } = await resumed(server, pauses);
      assert.deepEqual(await resume(), resultOf(undefined));
      assert.deepEqual(agent.seen, [{ runId: 'm-1', toolCallId: 'call-1' }]);
      assert.deepEqual(outputs, [{ sent: ARGS }]);
      assert.deepEqual(server.requests(COMPLETE)[0]?.body, { token: 3, result: { sent: ARGS } });
    }));

  it('runs what a person made of the call, and says so before the output', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, { body: EDITED }).on(COMPLETE, { body: EDITED });
      const contexts: object[] = [];
      const tool = new Tool((input, context) => {
        contexts.push(context);
        return { sent: input };
      });
      const { outputs, resume } = await resumed(server, pauses, tool);
      await resume();
      assert.deepEqual(outputs, [`${NOTE}\n{"sent":{"to":"DE1","amount":1}}`]);
      // With it, Mastra would not check the arguments.
      const [{ agent }] = contexts as [{ agent: { resumeData: unknown } }];
      assert.equal(agent.resumeData, undefined);
    }));

  it('shows its own words to the model as they are, and outputs as the tool does', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, { body: EDITED }).on(COMPLETE, { body: EDITED });
      const tool = new Tool(
        () => 'sent',
        undefined,
        (output) => ({ type: 'text', value: `It is ${String(output)}.` }),
      );
      const { gated, outputs, resume } = await resumed(server, pauses, tool);
      await resume();
      const shown = (output: unknown) => gated.tools.wire.toModelOutput?.(output);
      assert.deepEqual(shown(outputs[0]), { type: 'text', value: `${NOTE}\nsent` });
      assert.deepEqual(shown('sent'), { type: 'text', value: 'It is sent.' });
    }));

  it('declines with the words of a refusal', () =>
    withServer(async (server, pauses) => {
      const { agent, resume } = await resumed(server, pauses);
      server.on(OPEN, { status: 202, body: { ...REQUIRED, status: 'pending' } });
      server.on(REDEEM, problem(409, 'approval_decided', { state: { status: 'rejected' } }));
      await resume();
      const [{ reason }] = agent.seen as [{ reason: string }];
      assert.match(reason, /REJECTED by human reviewer/);
    }));

  it('declines a call whose arguments the storage has no more', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED }).on(REDEEM, { body: REDEEMED });
      server.on(MUTATIONS, { body: {} });
      const gated = gateOf(server, pauses);
      const turn = await gated.park(resultOf(callOf('call-1'), callOf('call-1')));
      const agent = agentOf([callOf('call-1', { to: 'DE1', amount: 9_000 })]);
      await gated.resume(turn, agent, begin);
      const [{ reason }] = agent.seen as [{ reason: string }];
      assert.match(reason, /is not what was approved, so nothing runs/);
      assert.equal(server.requests(MUTATIONS).length, 1);
    }));

  it('goes on call by call, up to one of a later turn', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED }).on(REDEEM, { body: REDEEMED });
      const gated = gateOf(server, pauses);
      const calls = [callOf('call-1'), callOf('call-2')];
      const turn = await gated.park(resultOf(calls[0], ...calls));
      const next = [calls[1], calls[0]];
      const agent = agentOf([callOf('call-1')], () => Promise.resolve(next.shift()));
      const result = await gated.resume(turn, agent, begin);
      const ids = agent.seen.map((options) => (options as { toolCallId: string }).toolCallId);
      assert.deepEqual(ids, ['call-1', 'call-2']);
      assert.deepEqual(result?.suspendPayload, calls[0]);
    }));

  it('returns where a run is that has gone on or has ended', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const gated = gateOf(server, pauses);
      const turn = await gated.park(resultOf(callOf('call-1'), callOf('call-1')));
      const later = agentOf([callOf('call-2')]);
      const at = { runId: 'm-1', suspendPayload: callOf('call-2'), toolCalls: [] };
      assert.deepEqual(await gated.resume(turn, later, begin), at);
      assert.equal(await gated.resume(turn, agentOf([]), begin), undefined);
      assert.deepEqual(later.seen, []);
    }));

  it('suspends a call again that Holdpoint cannot be asked about, and goes on with it later', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, problem(409, 'approval_in_use'));
      const { gated, outputs, resume } = await resumed(server, pauses);
      await assert.rejects(resume(), { code: 'approval_in_use' });
      assert.deepEqual(outputs, [{ suspended: { args: ARGS } }]);
      await assert.rejects(gated.park(undefined), { code: 'approval_in_use' });
      server.on(REDEEM, { body: REDEEMED }).on(COMPLETE, { body: REDEEMED });
      const fresh = gateOf(server, pauses);
      const key = await callKey(CALL);
      const { run: _run, ...call } = CALL;
      const turn: ParkedTurn = { runId: 'm-1', calls: { 'call-1': call }, keys: { 'call-1': key } };
      const again = { toolCallId: 'call-1', toolName: 'wire', suspendPayload: { args: ARGS } };
      const agent = agentOf([again]);
      await fresh.resume(turn, agent, begin);
      assert.deepEqual(agent.seen, [{ runId: 'm-1', toolCallId: 'call-1' }]);
    }));

  it('runs nothing that nobody was asked about, whatever Mastra says', () =>
    withServer(async (server, pauses) => {
      const gated = gateOf(server, pauses);
      const context = { agent: { toolCallId: 'call-1' } };
      await assert.rejects(gated.tools.wire.execute(ARGS, context), { code: 'not_asked' });
      await assert.rejects(gated.tools.wire.execute(ARGS, {}), { code: 'not_asked' });
      await assert.rejects(gated.park(undefined), { code: 'not_asked' });
      assert.deepEqual(server.seen, []);
    }));

  it('gives a tool its approved call, and gives it to no tool that is not gated', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, { body: REDEEMED }).on(COMPLETE, { body: REDEEMED });
      // Mastra gives the tool a copy.
      const tool = new Tool((_input, context) => approvedCall({ ...context }).idempotency_key);
      const { outputs, resume } = await resumed(server, pauses, tool);
      await resume();
      assert.deepEqual(outputs, [REDEEMED.idempotency_key]);
      assert.throws(() => approvedCall({}), /runs without an approval/);
    }));
});
