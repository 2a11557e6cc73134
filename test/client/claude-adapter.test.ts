import assert from 'node:assert/strict';
import { z } from 'zod';
import { approvedCall, gate } from '../../client/adapters/claude.js';
import { ApprovalClient } from '../../client/index.js';
import type { FakeServer } from './support/fake-server.js';
import { withServer, type InstantPauses } from './support/harness.js';
import { problem } from './support/samples.js';

/* The adapter by itself. test/frameworks has it with Claude Code. */

const ID = '3f0c1b9e-6a55-4a3e-9a52-2f5d8f1b7c11';
const OPEN = 'POST /v1/approvals';
const REDEEM = `POST /v1/approvals/${ID}/redeem`;
const COMPLETE = `POST /v1/approvals/${ID}/complete`;
const ARGS = { to: 'DE1', amount: 500 };
const REQUIRED = { request_id: ID, status: 'approved', task: { tool_calls: [] } };
const REDEEMED = {
  approval_id: ID,
  call_id: 'toolu-1',
  tool: 'wire',
  arguments: ARGS,
  edited: false,
  idempotency_key: `${ID}:toolu-1`,
  token: 3,
};
const EDITED = { ...REDEEMED, arguments: { to: 'DE1', amount: 1 }, edited: true };
const NOTE =
  'A human reviewer edited the arguments of "wire". It ran with: {"to":"DE1","amount":1}';

interface Result {
  readonly content: { readonly type: string; readonly text: string }[];
}

/** A tool that answers with its arguments. */
const wire = {
  name: 'wire',
  inputSchema: { to: z.string(), amount: z.number(), currency: z.string().default('EUR') },
  handler: (args: object, _extra: unknown): Promise<Result> =>
    Promise.resolve({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
};

function gateOf(server: FakeServer, pauses: InstantPauses, tool = wire) {
  const timers = { pause: pauses.pause };
  const logger = { warn: () => undefined };
  const options = { baseUrl: server.url, apiKey: 'k', timers, logger, tries: 2 };
  return gate(new ApprovalClient(options), { run: 'run-7', server: 'bank', tools: [tool] });
}
type Gated = ReturnType<typeof gateOf>;

/** Calls the hook as Claude Code does; resolves with its decision. */
async function hooked(gated: Gated, id: string, more: object = {}): Promise<unknown> {
  const { options } = await gated.resume({ prompt: '' });
  const [hook] = options.hooks.PreToolUse[0]?.hooks ?? [];
  const call = { tool_name: 'mcp__bank__wire', tool_input: ARGS, tool_use_id: id };
  const input = { session_id: 'session-1', hook_event_name: 'PreToolUse', ...call, ...more };
  return (await hook?.(input))?.hookSpecificOutput?.permissionDecision;
}

/** Runs the tool as Claude Code does. */
function ran(gated: Gated, id = 'toolu-1', args: object = ARGS): Promise<Result> {
  const [tool] = gated.tools;
  return tool?.handler(args, { _meta: { 'claudecode/toolUseId': id } }) ?? assert.fail();
}

/** A gate whose call has been parked, decided and resumed, and has come to the hook again. */
async function resumed(server: FakeServer, pauses: InstantPauses, tool = wire, more = {}) {
  server.on(OPEN, { status: 202, body: REQUIRED }).on(COMPLETE, { body: REDEEMED });
  const first = gateOf(server, pauses, tool);
  assert.equal(await hooked(first, 'toolu-1'), 'defer');
  const gated = gateOf(server, pauses, tool);
  await gated.resume(await first.park());
  assert.equal(await hooked(gated, 'toolu-1', more), 'allow');
  return gated;
}

describe('the adapter for the Claude Agent SDK', () => {
  it('sets one call of its own tools aside, and has others made again', () =>
    withServer(async (server, pauses) => {
      const gated = gateOf(server, pauses);
      for (const tool_name of ['Bash', 'mcp__other__wire', undefined])
        assert.equal(await hooked(gated, 'toolu-0', { tool_name }), undefined);
      assert.equal(await gated.park(), undefined);
      const ids = ['toolu-1', 'toolu-2', 'toolu-3'];
      const decisions: unknown[] = [];
      for (const id of ids) decisions.push(await hooked(gated, id));
      assert.deepEqual(decisions, ['defer', 'deny', 'deny']);
      assert.deepEqual(server.seen, []);
    }));

  it('asks with the schema of the tool, and with the turn as the state', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const gated = gateOf(server, pauses);
      await hooked(gated, 'toolu-1');
      const turn = await gated.park();
      await gated.park({ chat: 17 });
      const bodies = server.requests(OPEN).map(({ body }) => body);
      const states = bodies.map(({ checkpoint }) => checkpoint);
      assert.deepEqual(states, [{ state: turn }, { state: { chat: 17 } }]);
      assert.equal(turn?.session, 'session-1');
      const [call] = bodies[0]?.['calls'] as { input_schema: unknown }[];
      const currency = { type: 'string', default: 'EUR' };
      assert.deepEqual(call?.input_schema, {
        type: 'object',
        properties: { to: { type: 'string' }, amount: { type: 'number' }, currency },
        required: ['to', 'amount'],
      });
    }));

  it('begins with the prompt, and resumes the session of a parked turn', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const gated = gateOf(server, pauses);
      const begun = await gated.resume({ prompt: 'Wire 500.' });
      assert.deepEqual([begun.prompt, begun.options.resume], ['Wire 500.', undefined]);
      await hooked(gated, 'toolu-1');
      const { prompt, options } = await gateOf(server, pauses).resume(await gated.park());
      const line = `wire ${JSON.stringify(ARGS)}: approved. If it has no result`;
      assert.ok(prompt.split('\n')[1]?.startsWith(line), prompt);
      assert.equal(options.resume, 'session-1');
    }));

  it('takes a decided call once, also under another id', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const first = gateOf(server, pauses);
      for (const id of ['toolu-1', 'toolu-2']) await hooked(first, id);
      const gated = gateOf(server, pauses);
      await gated.resume(await first.park());
      const decisions: unknown[] = [];
      for (const id of ['toolu-1', 'toolu-3', 'toolu-4']) decisions.push(await hooked(gated, id));
      assert.deepEqual(decisions, ['allow', 'allow', 'defer']);
      const other = { tool_input: { ...ARGS, amount: 501 } };
      assert.equal(await hooked(gated, 'toolu-5', other), 'deny');
    }));

  it('runs what people approved, as the schema makes it, and not what it was given', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, { body: REDEEMED });
      const gated = await resumed(server, pauses);
      const { content } = await ran(gated, 'toolu-1', { to: 'DE2', amount: 9 });
      assert.deepEqual(JSON.parse(content[0]?.text ?? ''), { ...ARGS, currency: 'EUR' });
      assert.deepEqual(server.requests(COMPLETE)[0]?.body, { token: 3, result: { content } });
    }));

  it('says before the content what a person edited', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, { body: EDITED });
      const { content } = await ran(await resumed(server, pauses));
      const run = JSON.stringify({ ...EDITED.arguments, currency: 'EUR' });
      assert.deepEqual(
        content.map(({ text }) => text),
        [NOTE, run],
      );
    }));

  it('runs nothing of a call that was changed since', () =>
    withServer(async (server, pauses) => {
      server.on(`POST /v1/approvals/${ID}/mutations`, { body: {} });
      const changed = { tool_input: { ...ARGS, amount: 9000 } };
      const { content } = await ran(await resumed(server, pauses, wire, changed));
      assert.match(content[0]?.text ?? '', /is not what was approved, so nothing runs/);
      assert.deepEqual(server.requests(REDEEM), []);
    }));

  it('returns the words of a refusal, and throws when it parks what was none', () =>
    withServer(async (server, pauses) => {
      const gated = await resumed(server, pauses);
      server.on(REDEEM, problem(409, 'approval_decided', { state: { status: 'rejected' } }));
      const { content } = await ran(gated);
      assert.match(content[0]?.text ?? '', /REJECTED by human reviewer/);
      assert.equal(await gated.park(), undefined);
      server.on(REDEEM, 'cut');
      await assert.rejects(ran(gated), { name: 'ConnectionError' });
      await assert.rejects(gated.park(), { name: 'ConnectionError' });
    }));

  for (const where of ['a sub-agent', 'a query without the hook']) {
    it(`asks and waits in the tool: in ${where}`, () =>
      withServer(async (server, pauses) => {
        server.on(OPEN, { status: 202, body: { ...REQUIRED, status: 'suspended' } });
        server.on(REDEEM, problem(409, 'approval_pending'), { body: REDEEMED });
        server.on(`GET /v1/approvals/${ID}/wait`, { body: { status: 'approved' } });
        server.on(COMPLETE, { body: REDEEMED });
        const gated = gateOf(server, pauses);
        if (where === 'a sub-agent')
          assert.equal(await hooked(gated, 'toolu-1', { agent_id: 'agent-1' }), 'allow');
        assert.match((await ran(gated)).content[0]?.text ?? '', /"amount":500/);
        assert.equal(server.requests(OPEN).length, 1);
        assert.equal(await gated.park(), undefined);
      }));
  }

  it('gives a tool its approved call, and gives it to no tool that is not gated', () =>
    withServer(async (server, pauses) => {
      server.on(REDEEM, { body: REDEEMED });
      const handler = (_args: object, extra: unknown) =>
        Promise.resolve({ content: [{ type: 'text', text: approvedCall(extra).idempotency_key }] });
      const { content } = await ran(await resumed(server, pauses, { ...wire, handler }));
      assert.equal(content[0]?.text, REDEEMED.idempotency_key);
      assert.throws(() => approvedCall({}), /runs without an approval/);
      assert.throws(() => approvedCall(undefined), /runs without an approval/);
    }));
});
