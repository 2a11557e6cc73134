import assert from 'node:assert/strict';
import {
  ApprovalClient,
  ApprovalDenied,
  ApprovalExpired,
  ApprovalPending,
  HoldpointError,
  ProposalMutated,
  type ApprovalOptions,
} from '../../client/index.js';
import { hashJson } from '../../domain/kernel/hashing.js';
import type { FakeServer, Scripted } from './support/fake-server.js';
import { withServer, type InstantPauses } from './support/harness.js';
import { problem } from './support/samples.js';

const ID = '3f0c1b9e-6a55-4a3e-9a52-2f5d8f1b7c11';
const OPEN = 'POST /v1/approvals';
const BY_KEY = 'POST /v1/approvals/by-key';
const REDEEM = `POST /v1/approvals/${ID}/redeem`;
const COMPLETE = `POST /v1/approvals/${ID}/complete`;
const MUTATIONS = `POST /v1/approvals/${ID}/mutations`;
const NOTED = { approval_id: ID, call_id: 'call-1' };
const CALL = {
  run: 'run-7',
  toolCallId: 'call-1',
  tool: 'wire',
  arguments: { to: 'DE1', amount: 500 },
};
const REQUIRED = {
  request_id: ID,
  kind: 'tool_approval',
  status: 'suspended',
  url: `/v1/requests/${ID}/resume`,
  allowed_actions: ['approve', 'reject'],
  proposal_hash: 'a'.repeat(64),
  task: {
    run_id: 'run-7',
    request_id: ID,
    status: 'paused',
    tool_calls: [{ id: 'call-1', tool: 'wire', arguments: CALL.arguments }],
  },
};
const REDEEMED = {
  approval_id: ID,
  call_id: 'call-1',
  tool: 'wire',
  arguments: { to: 'DE1', amount: 400 },
  edited: true,
  proposal_hash: 'b'.repeat(64),
  approvers: [],
  idempotency_key: `${ID}:call-1`,
  token: 3,
  lease_until: '2026-03-24T10:01:00.000Z',
};

function clientOf(server: FakeServer, pauses: InstantPauses, more: Partial<ApprovalOptions> = {}) {
  const timers = { pause: pauses.pause };
  return new ApprovalClient({ baseUrl: server.url, apiKey: 'k', timers, holder: 'p1', ...more });
}

const decided = (state: object): Scripted => problem(409, 'approval_decided', { state });

describe('asking for approval of a tool call', () => {
  it('has a key of run, call and proposed arguments', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const client = clientOf(server, pauses);

      const asked = await client.ask(CALL);
      const same = await client.ask({ ...CALL, arguments: { amount: 500, to: 'DE1' } });
      const other = await client.ask({ ...CALL, arguments: { amount: 501, to: 'DE1' } });

      assert.match(asked.key, /^run-7:call-1:[\da-f]{64}$/);
      assert.equal(same.key, asked.key);
      assert.notEqual(other.key, asked.key);
      assert.deepEqual(server.requests(OPEN)[0]?.body, {
        run_id: 'run-7',
        calls: [{ id: 'call-1', tool: 'wire', arguments: CALL.arguments }],
        request_key: asked.key,
      });
      assert.equal(asked.request_id, ID);
    }));

  it('says what an edit of the arguments has to fit, which is no part of the key', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const client = clientOf(server, pauses);
      const inputSchema = { type: 'object', required: ['to', 'amount'] };
      const call = { id: 'call-1', tool: 'wire', arguments: CALL.arguments };

      const asked = await client.ask({ ...CALL, inputSchema });
      const plain = await client.ask(CALL);
      const turn = await client.checkTurn({ run: 'run-7', calls: [{ ...call, inputSchema }] });
      const same = await client.checkTurn({ run: 'run-7', calls: [call] });

      assert.deepEqual([asked.key, turn?.key], [plain.key, same?.key]);
      const sent = server.requests(OPEN).map(({ body }) => body['calls']);
      const claimed = { requires_approval: true };
      assert.deepEqual(sent, [
        [{ ...call, input_schema: inputSchema }],
        [call],
        [{ ...call, input_schema: inputSchema, claimed }],
        [{ ...call, claimed }],
      ]);
    }));

  it('is repeated after a lost reply, under the same key', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, 'cut', { status: 202, body: REQUIRED });

      await clientOf(server, pauses).ask(CALL);

      const keys = server.requests(OPEN).map(({ body }) => body['request_key']);
      assert.equal(keys.length, 2);
      assert.equal(new Set(keys).size, 1);
    }));

  it('leaves the state of an agent that does not wait [JC-67]', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const client = clientOf(server, pauses);

      await client.ask({ ...CALL, resume: { step: 3 } });
      await client.ask({ ...CALL, resume: { schema_version: 'v2', state: [1] } });

      const left = server.requests(OPEN).map(({ body }) => body['checkpoint']);
      assert.deepEqual(left, [{ state: { step: 3 } }, { schema_version: 'v2', state: [1] }]);
    }));
});

describe('checking the calls of a turn', () => {
  const calls = ['read', 'wire', 'drop'].map((tool) => ({ id: `c-${tool}`, tool, arguments: {} }));

  it('asks about what the hook names, in one request [P3-01, P3-02]', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const client = clientOf(server, pauses, {
        check_for_intervention: async ({ tool }) => tool !== 'read',
      });

      const asked = await client.checkTurn({ run: 'run-7', calls });

      assert.deepEqual(asked?.allowed_actions, ['approve', 'reject']);
      assert.deepEqual(server.requests(OPEN)[0]?.body['calls'], [
        { ...calls[1], claimed: { requires_approval: true } },
        { ...calls[2], claimed: { requires_approval: true } },
      ]);
    }));

  it('asks nobody if the hook names none [P3-02]', () =>
    withServer(async (server, pauses) => {
      const client = clientOf(server, pauses, { check_for_intervention: () => false });

      assert.equal(await client.checkTurn({ run: 'run-7', calls }), undefined);
      assert.deepEqual(server.seen, []);
    }));

  it('asks about all without a hook', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });

      await clientOf(server, pauses).checkTurn({ run: 'run-7', calls });

      assert.equal((server.requests(OPEN)[0]?.body['calls'] as unknown[]).length, 3);
    }));

  it('goes on without a call that the service refuses, which has an error for the model [JC-34]', () =>
    withServer(async (server, pauses) => {
      const wrong = (field: string) =>
        problem(422, 'invalid_request', { field, detail: `${field} is not accepted.` });
      server.on(OPEN, wrong('calls[1].tool'), wrong('calls[2].id'), {
        status: 202,
        body: REQUIRED,
      });
      const malformed = { id: 'c-bad', tool: 'no name', arguments: {} };
      const twice = { ...calls[1], arguments: { again: true } };
      const all = [calls[1], malformed, calls[2], twice] as typeof calls;

      const asked = await clientOf(server, pauses).checkTurn({ run: 'run-7', calls: all });

      assert.equal(asked?.request_id, ID);
      const read = asked.errored.map(({ call_id, status, content }) => [call_id, status, content]);
      const of = (name: string) => `Tool result for "${name}": ERROR.`;
      assert.deepEqual(read, [
        ['c-bad', 'errored', `${of('no name')} calls[1].tool is not accepted.`],
        ['c-wire', 'errored', `${of('wire')} calls[2].id is not accepted.`],
      ]);
      const sent = server.requests(OPEN).map(({ body }) => (body['calls'] as unknown[]).length);
      assert.deepEqual(sent, [4, 3, 2]);
    }));

  it('has an error of what cannot be sent at all, and asks about the rest', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const bad = [null, 'wire', { ...calls[0], arguments: { amount: NaN } }] as never[];
      const asked = await clientOf(server, pauses).checkTurn({
        run: 'run-7',
        calls: [...bad, ...calls.slice(1)],
      });
      assert.deepEqual(
        asked?.errored.map(({ call_id, status }) => [call_id, status]),
        [
          ['', 'errored'],
          ['', 'errored'],
          ['c-read', 'errored'],
        ],
      );
      assert.equal((server.requests(OPEN)[0]?.body['calls'] as unknown[]).length, 2);
    }));

  it('asks nobody where all calls are malformed', () =>
    withServer(async (server, pauses) => {
      const all = [null] as never[];
      const asked = await clientOf(server, pauses).checkTurn({ run: 'run-7', calls: all });
      assert.deepEqual([asked?.key, asked?.errored.length], [undefined, 1]);
      assert.deepEqual(server.seen, []);
    }));

  it('throws what the service refuses of the turn itself', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, problem(422, 'invalid_request', { field: 'run_id' }));
      await assert.rejects(
        clientOf(server, pauses).checkTurn({ run: '', calls }),
        (error: unknown) => error instanceof HoldpointError && error.field === 'run_id',
      );
    }));

  it('has a key that says nothing of the arguments of one call, and no mutation is told of', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED }).on(REDEEM, { body: REDEEMED });
      server.on(BY_KEY, { body: REQUIRED });
      const client = clientOf(server, pauses);
      for (const key of [
        (await client.checkTurn({ run: 'run-7', calls }))?.key ?? '',
        (await client.checkTurn({ run: 'run-7', calls: calls.slice(0, 1) }))?.key ?? '',
        'a key of my own',
      ]) {
        assert.deepEqual(await client.redeem(key, { other: true }), REDEEMED);
      }
      assert.deepEqual(server.requests(MUTATIONS), []);
    }));
});

describe('redeeming a call in its tool', () => {
  it('returns what was approved, for this process', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED }).on(REDEEM, 'cut', { body: REDEEMED });
      const client = clientOf(server, pauses, { leaseSeconds: 90 });
      const { key } = await client.ask(CALL);

      assert.deepEqual(await client.redeem(key, CALL.arguments), REDEEMED);

      const bodies = server.requests(REDEEM).map(({ body }) => body);
      assert.deepEqual(bodies, [
        { holder: 'p1', lease_seconds: 90 },
        { holder: 'p1', lease_seconds: 90 },
      ]);
    }));

  it('finds the approval by its key alone after a restart', () =>
    withServer(async (server, pauses) => {
      server.on(BY_KEY, { body: REQUIRED }).on(REDEEM, { body: REDEEMED });
      const client = clientOf(server, pauses);

      await client.redeem('run-7:call-1:abc');
      await client.redeem('run-7:call-1:abc');

      assert.equal(server.requests(BY_KEY).length, 1);
      assert.equal(server.requests(BY_KEY)[0]?.body['request_key'], 'run-7:call-1:abc');
    }));

  const REFUSALS = [
    ['a pending approval', 'ApprovalPending', problem(409, 'approval_pending'), ApprovalPending],
    ['a rejection', 'ApprovalDenied', decided({ status: 'rejected' }), ApprovalDenied],
    ['a withdrawal', 'ApprovalDenied', decided({ status: 'cancelled' }), ApprovalDenied],
    ['a timeout', 'ApprovalExpired', decided({ status: 'expired' }), ApprovalExpired],
    [
      'a changed proposal',
      'ProposalMutated',
      problem(409, 'proposal_mutation_detected'),
      ProposalMutated,
    ],
  ] as const;
  for (const [what, name, reply, Thrown] of REFUSALS) {
    it(`throws ${name} for ${what}`, () =>
      withServer(async (server, pauses) => {
        server.on(BY_KEY, { body: REQUIRED }).on(REDEEM, reply);

        await assert.rejects(clientOf(server, pauses).redeem('k'), (error: unknown) => {
          assert.ok(error instanceof Thrown);
          assert.deepEqual([error.name, error.tool, error.status], [name, 'wire', 409]);
          return true;
        });
      }));
  }

  it('tells the model of a rejection in the words of the specification', () =>
    withServer(async (server, pauses) => {
      server.on(BY_KEY, { body: REQUIRED });
      server.on(
        REDEEM,
        decided({ status: 'rejected', by: 'people', comment: 'too much' }),
        decided({ status: 'rejected', by: 'policy', reason: 'never wire' }),
        decided({ status: 'cancelled', by: 'requester' }),
      );
      const client = clientOf(server, pauses);
      const told: string[] = [];
      for (let i = 0; i < 3; i += 1) {
        await client.redeem('k').catch((error: unknown) => told.push((error as Error).message));
      }
      assert.deepEqual(told, [
        'Tool result for "wire": REJECTED by human reviewer. Reason: "too much"\nChoose a different approach.',
        'Tool result for "wire": DENIED by policy. Reason: "never wire"\nChoose a different approach.',
        'Tool result for "wire": NOT APPROVED, because the request was withdrawn.\nChoose a different approach.',
      ]);
    }));

  it('passes on that another process has it', () =>
    withServer(async (server, pauses) => {
      server.on(BY_KEY, { body: REQUIRED }).on(REDEEM, problem(409, 'approval_in_use'));

      await assert.rejects(clientOf(server, pauses).redeem('k'), (error: unknown) => {
        assert.ok(error instanceof HoldpointError && error.name === 'HoldpointError');
        assert.equal(error.code, 'approval_in_use');
        return true;
      });
    }));

  it('refuses other arguments than were asked about, and has the log say so [A54-32]', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      const client = clientOf(server, pauses);
      const { key } = await client.ask(CALL);

      server.on(MUTATIONS, { body: { ...NOTED, noted: true } });
      const other = { to: 'DE2', amount: 500 };
      await assert.rejects(client.redeem(key, other), (error) => {
        return error instanceof ProposalMutated && error.noted;
      });
      assert.deepEqual(server.requests(REDEEM), []);
      const [told] = server.requests(MUTATIONS);
      assert.deepEqual(told?.body, { arguments_hash: hashJson(other) });
    }));

  it('names its tool, and has the log say so where another one was approved [A54-32]', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED });
      server.on(REDEEM, problem(409, 'proposal_mutation_detected', { field: 'tool' }));
      server.on(MUTATIONS, problem(409, 'approval_decided'));
      const client = clientOf(server, pauses);
      const { key } = await client.ask(CALL);

      await assert.rejects(client.redeem(key, CALL.arguments, 'mail'), (error) => {
        return error instanceof ProposalMutated && !error.noted;
      });
      assert.equal(server.requests(REDEEM)[0]?.body['tool'], 'mail');
      assert.deepEqual(server.requests(MUTATIONS)[0]?.body, { tool: 'mail' });
    }));
});

describe('completing a redeemed call', () => {
  it('sends the result under the token of the lease', () =>
    withServer(async (server, pauses) => {
      server.on(BY_KEY, { body: REQUIRED }).on(REDEEM, { body: REDEEMED });
      server.on(COMPLETE, 'cut', { body: { ...REDEEMED, result: { id: 'tx' } } });
      const client = clientOf(server, pauses);
      await client.redeem('k');

      const done = await client.complete('k', { id: 'tx' });

      assert.deepEqual(done.result, { id: 'tx' });
      const [, repeated] = server.requests(COMPLETE);
      assert.deepEqual(repeated?.body, { token: 3, result: { id: 'tx' } });
    }));

  it('is for who has redeemed it, also where the call was proposed once more meanwhile', () =>
    withServer(async (server, pauses) => {
      server.on(OPEN, { status: 202, body: REQUIRED }).on(REDEEM, { body: REDEEMED });
      server.on(COMPLETE, { body: { ...REDEEMED, result: 'tx' } });
      const client = clientOf(server, pauses);
      const { key } = await client.ask(CALL);
      await client.redeem(key);
      await client.ask(CALL);

      assert.equal((await client.complete(key, 'tx')).result, 'tx');

      const [sent] = server.requests(COMPLETE);
      assert.deepEqual(sent?.body, { token: 3, result: 'tx' });
    }));

  it('is for nobody who has not redeemed it', () =>
    withServer(async (server, pauses) => {
      await assert.rejects(clientOf(server, pauses).complete('k', 1), { code: 'not_redeemed' });
      assert.deepEqual(server.seen, []);
    }));
});
