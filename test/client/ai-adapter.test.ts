import assert from 'node:assert/strict';
import { approvedCall, gate, waitingTools } from '../../client/adapters/ai.js';
import { ApprovalClient, HoldpointError } from '../../client/index.js';
import type { FakeServer } from './support/fake-server.js';
import { withServer, type InstantPauses } from './support/harness.js';
import { problem } from './support/samples.js';

/* The adapter by itself. test/frameworks has it with the package `ai`. */

const ID = '3f0c1b9e-6a55-4a3e-9a52-2f5d8f1b7c11';
const OPEN = 'POST /v1/approvals';
const REDEEM = `POST /v1/approvals/${ID}/redeem`;
const COMPLETE = `POST /v1/approvals/${ID}/complete`;
const INPUT = { to: 'DE1', amount: 500 };
const REQUIRED = { request_id: ID, status: 'suspended', task: { tool_calls: [] } };
const REDEEMED = {
  approval_id: ID,
  call_id: 'call-1',
  tool: 'wire',
  arguments: INPUT,
  edited: false,
  idempotency_key: `${ID}:call-1`,
  token: 3,
};
const EDITED = { ...REDEEMED, arguments: { to: 'DE1', amount: 1 }, edited: true };
const NOTE =
  'A human reviewer edited the arguments of "wire". It ran with: {"to":"DE1","amount":1}';
const MESSAGES = [
  { role: 'user', content: 'Wire 500 to DE1.' },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 'call-1', toolName: 'wire', input: INPUT },
      { type: 'tool-approval-request', approvalId: 'a-1', toolCallId: 'call-1' },
    ],
  },
];
const GIVEN = { toolCallId: 'call-1', messages: MESSAGES };

interface Given {
  readonly toolCallId: string;
  readonly messages: typeof MESSAGES;
}
interface Wired {
  readonly toolCallId: string;
  readonly output: unknown;
}

/** A tool that answers with its own arguments. */
const wire = {
  inputSchema: { jsonSchema: { type: 'object' } } as unknown,
  execute: (input: object, _given: Given): unknown => input,
  toModelOutput: undefined as ((result: Wired) => unknown) | undefined,
};

function clientOf(server: FakeServer, pauses: InstantPauses): ApprovalClient {
  const timers = { pause: pauses.pause };
  const logger = { warn: () => undefined };
  return new ApprovalClient({ baseUrl: server.url, apiKey: 'k', timers, logger, tries: 2 });
}

/** A tool that people have decided about, as this reply says, and the gate that it came through. */
async function resumed(
  server: FakeServer,
  pauses: InstantPauses,
  tool: typeof wire,
  redeemed: object = REDEEMED,
) {
  server.on(OPEN, { status: 202, body: REQUIRED }).on(REDEEM, { body: redeemed });
  server.on(COMPLETE, { body: redeemed });
  const gated = gate(clientOf(server, pauses), { run: 'run-7', tools: { wire: tool } });
  await gated.resume({ messages: MESSAGES });
  return { gated, tool: gated.tools.wire };
}

describe('the adapter for ai', () => {
  it('names the tools that wait, and refuses one that runs elsewhere', () => {
    const approvals = new ApprovalClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' });
    const { toolApproval } = gate(approvals, { run: 'run-7', tools: { wire } });
    assert.deepEqual(toolApproval, { wire: 'user-approval' });
    const remote = { inputSchema: {} };
    assert.throws(() => gate(approvals, { run: 'run-7', tools: { remote } }), {
      name: 'TypeError',
      message: 'The tool "remote" has no execute to gate.',
    });
  });

  it('asks about calls of its own tools alone, with the whole turn as the state', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const approvals = clientOf(server, pauses);
      const other = gate(approvals, { run: 'run-7', tools: { other: wire } });
      assert.equal(await other.park(MESSAGES), undefined);
      assert.equal(server.requests(OPEN).length, 0);
      const gated = gate(approvals, { run: 'run-7', tools: { wire } });
      const turn = await gated.park(MESSAGES);
      await gated.park(MESSAGES, { chat: 17 });
      const states = server.requests(OPEN).map(({ body }) => body['checkpoint']);
      assert.deepEqual(states, [{ state: turn }, { state: { chat: 17 } }]);
    }));

  it('asks about what a process that died while parking has not asked about', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      server.on(REDEEM, problem(409, 'approval_pending'));
      const gated = gate(clientOf(server, pauses), { run: 'run-7', tools: { wire } });
      await assert.rejects(gated.resume({ messages: MESSAGES }), { name: 'ApprovalPending' });
      const { body } = server.requests(OPEN)[0] ?? assert.fail();
      assert.match(String(body['request_key']), /^run-7:call-1:/);
    }));

  it('takes no approval of another run from a turn, and asks instead', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED }).on(REDEEM, { body: REDEEMED });
      const approvals = clientOf(server, pauses);
      const gateOf = (run: string) => gate(approvals, { run, tools: { wire } });
      const turn = (await gateOf('run-6').park(MESSAGES)) ?? assert.fail();
      await gateOf('run-7').resume(turn);
      const keys = server.requests(OPEN).map(({ body }) => String(body['request_key']));
      assert.deepEqual(keys, [
        turn.keys?.['call-1'],
        turn.keys?.['call-1']?.replace('run-6', 'run-7'),
      ]);
    }));

  it('lets edits fit the formats of the schema, without slow patterns', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const mail = { type: 'string', format: 'email', pattern: '^(a+)+$' };
      const schema = { type: 'object', properties: { mail, pattern: { pattern: '^a$' } } };
      const input = () => ({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema });
      const tool = { ...wire, inputSchema: { '~standard': { jsonSchema: { input } } } };
      const editSchemas = { wire: { type: 'object' } };
      for (const more of [{}, { editSchemas }]) {
        const tools = { wire: tool };
        await gate(clientOf(server, pauses), { run: 'run-7', tools, ...more }).park(MESSAGES);
      }
      const schemas = server.requests(OPEN).map(({ body }) => {
        const [call] = body['calls'] as { input_schema: unknown }[];
        return call?.input_schema;
      });
      const fits = { mail: { type: 'string', format: 'email' }, pattern: { pattern: '^a$' } };
      assert.deepEqual(schemas, [{ type: 'object', properties: fits }, { type: 'object' }]);
    }));

  it('runs no call that nobody was asked about, and says so again when it parks', () =>
    withServer(async (server, pauses) => {
      const gated = gate(clientOf(server, pauses), { run: 'run-7', tools: { wire } });
      await assert.rejects(async () => gated.tools.wire.execute(INPUT, GIVEN), {
        code: 'not_asked',
      });
      await assert.rejects(gated.park(MESSAGES), { code: 'not_asked' });
      assert.deepEqual(server.seen, []);
    }));

  it('throws when it parks what kept an approved call from running', () =>
    withServer(async (server, pauses) => {
      const { gated, tool } = await resumed(server, pauses, wire);
      server.on(REDEEM, 'cut');
      await assert.rejects(async () => tool.execute(INPUT, GIVEN), { name: 'ConnectionError' });
      await assert.rejects(gated.park(MESSAGES), { name: 'ConnectionError' });
    }));

  it('parks after a call that people withdrew meanwhile, and after one that failed', () =>
    withServer(async (server, pauses) => {
      const execute = () => {
        throw new HoldpointError('own', 'The bank is closed.');
      };
      const { gated, tool } = await resumed(server, pauses, { ...wire, execute });
      await assert.rejects(async () => tool.execute(INPUT, GIVEN), {
        message: 'The bank is closed.',
      });
      server.on(REDEEM, problem(409, 'approval_decided', { state: { status: 'cancelled' } }));
      await assert.rejects(async () => tool.execute(INPUT, GIVEN), { name: 'ApprovalDenied' });
      assert.ok(await gated.park(MESSAGES));
    }));

  it('says that a call has run whose result it cannot record', () =>
    withServer(async (server, pauses) => {
      const { gated, tool } = await resumed(server, pauses, wire);
      server.on(COMPLETE, problem(409, 'stale_token'));
      await assert.rejects(async () => tool.execute(INPUT, GIVEN), {
        code: 'result_unrecorded',
        message: '"wire" has run, but its result is not recorded. Do not call it again.',
      });
      await assert.rejects(gated.park(MESSAGES), { code: 'result_unrecorded' });
    }));

  it('gives a tool its approved call, and gives it to no tool that is not gated', () =>
    withServer(async (server, pauses) => {
      const execute = (_input: object, given: Given) => approvedCall(given).idempotency_key;
      const { tool } = await resumed(server, pauses, { ...wire, execute });
      assert.equal(await tool.execute(INPUT, GIVEN), REDEEMED.idempotency_key);
      assert.throws(() => execute(INPUT, GIVEN), /runs without an approval/);
    }));

  it('records the last output of a tool that streams them', () =>
    withServer(async (server, pauses) => {
      async function* execute() {
        yield await Promise.resolve('half');
        yield 'whole';
      }
      const { tool } = await resumed(server, pauses, { ...wire, execute });
      assert.equal(await tool.execute(INPUT, GIVEN), 'whole');
      assert.deepEqual(server.requests(COMPLETE)[0]?.body, { token: 3, result: 'whole' });
    }));

  it('returns what is recorded of a call that has run', () =>
    withServer(async (server, pauses) => {
      const run = { ...REDEEMED, completed_at: '2026-03-24T10:00:00.000Z', result: 'earlier' };
      const { tool } = await resumed(server, pauses, wire, run);
      assert.equal(await tool.execute(INPUT, GIVEN), 'earlier');
      assert.deepEqual(server.requests(COMPLETE), []);
    }));

  const SHOWN = [
    ['text', { type: 'text', value: 'sent' }, { type: 'text', value: `${NOTE}\nsent` }],
    ['JSON', { type: 'json', value: [1] }, { type: 'text', value: `${NOTE}\n[1]` }],
    ['nothing of its own', undefined, { type: 'text', value: `${NOTE}\n{"to":"DE1","amount":1}` }],
    [
      'content',
      { type: 'content', value: [{ type: 'media' }] },
      { type: 'content', value: [{ type: 'text', text: NOTE }, { type: 'media' }] },
    ],
  ] as const;
  for (const [kind, own, shown] of SHOWN) {
    it(`puts what a person edited before the output: ${kind}`, () =>
      withServer(async (server, pauses) => {
        const toModelOutput = own && (() => own);
        const { tool } = await resumed(server, pauses, { ...wire, toModelOutput }, EDITED);
        const output = await tool.execute(INPUT, GIVEN);
        assert.deepEqual(output, EDITED.arguments);
        assert.deepEqual(await tool.toModelOutput?.({ toolCallId: 'call-1', output }), shown);
      }));
  }

  it('puts what a person edited before the error of the tool', () =>
    withServer(async (server, pauses) => {
      const execute = () => {
        throw new Error('The bank is closed.');
      };
      const { tool } = await resumed(server, pauses, { ...wire, execute }, EDITED);
      await assert.rejects(async () => tool.execute(INPUT, GIVEN), {
        message: `${NOTE}\nThe bank is closed.`,
      });
    }));
});

describe('a tool that waits for the decision itself', () => {
  it('asks, and runs as soon as the call is approved and no other process has it', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const pending = problem(409, 'approval_pending');
      server.on(REDEEM, pending, pending, problem(409, 'approval_in_use'), { body: REDEEMED });
      const [open, over] = [{ body: { status: 'pending' } }, { body: { status: 'approved' } }];
      server.on(`GET /v1/approvals/${ID}/wait`, open, over);
      server.on(COMPLETE, { body: REDEEMED });
      const tools = waitingTools(clientOf(server, pauses), { run: 'run-7', tools: { wire } });
      const given = { toolCallId: 'call-1', messages: MESSAGES.slice(0, 1) };
      assert.deepEqual(await tools.wire.execute(INPUT, given), INPUT);
      assert.equal(server.requests(REDEEM).length, 4);
      assert.equal(pauses.lengths.length, 2);
    }));

  it('stops waiting when the model call is aborted', () =>
    withServer(async (server, pauses) => {
      const abort = new AbortController();
      server.on(OPEN, { status: 202, body: REQUIRED });
      server.on(REDEEM, () => {
        abort.abort(new Error('The user left.'));
        return problem(409, 'approval_pending');
      });
      const tools = waitingTools(clientOf(server, pauses), { run: 'run-7', tools: { wire } });
      const given = { ...GIVEN, abortSignal: abort.signal };
      await assert.rejects(async () => tools.wire.execute(INPUT, given), {
        message: 'The user left.',
      });
    }));
});
