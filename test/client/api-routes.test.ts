import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../api/app.js';
import { RefusalError } from '../../api/errors.js';
import type { Gateway } from '../../api/gateway/index.js';
import { KeyRing } from '../../api/sign-in/key-ring.js';
import { createSignIn } from '../../api/sign-in/sign-in.js';
import { Agent, Operator } from '../../client/index.js';
import { serverConfigSchema } from '../../contracts/config.js';
import { emptyFeed } from '../support/events.js';
import { SEEDS, runLog } from '../support/secrets.js';
import { DECISION, INTENT, INTENT_ID, SUSPENSION_ID, pending, settled } from './support/samples.js';

const AGENT_KEY = SEEDS.agentKey;
const OPERATOR_KEY = SEEDS.operatorKey;
const LEASE_ID = '7d3c2b1a-0f9e-4d8c-b7a6-958473625140';

type Method = keyof Gateway;

/** Runs the API's own routes over a gateway of which only these methods exist. */
async function withRoutes(
  methods: Partial<Gateway>,
  run: (agent: Agent, operator: Operator, calls: [Method, unknown[]][]) => Promise<void>,
): Promise<void> {
  const calls: [Method, unknown[]][] = [];
  const gateway = new Proxy(methods, {
    get:
      (target, name: Method) =>
      (...given: unknown[]) => {
        // Access lists are asked before what an agent runs; there are none here.
        if (name === 'demandAccess' || name === 'judgeAccess')
          return { value: INTENT, stale: false };
        calls.push([name, given]);
        return (target[name] as (...given: unknown[]) => unknown)(...given);
      },
  }) as Gateway;
  const app = createApp({
    gateways: () => gateway,
    feed: emptyFeed(),
    signIn: createSignIn(
      new KeyRing([
        { key: AGENT_KEY, principal: 'refund-agent', roles: ['agent'] },
        { key: OPERATOR_KEY, principal: 'alice', roles: ['operator'] },
      ]),
    ),
    config: serverConfigSchema.parse({}),
    log: pino({ level: 'trace' }, runLog('api')),
  });
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const agent = new Agent({ baseUrl, apiKey: AGENT_KEY });
    await run(agent, new Operator({ baseUrl, apiKey: OPERATOR_KEY }), calls);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('the client and the routes of the API', () => {
  it('agree on a question and its attempts', () =>
    withRoutes(
      {
        getIntent: async () => ({ value: INTENT, stale: false }),
        engage: async () => DECISION,
        suspend: async () => ({ created: true, view: pending(), warnings: [] }),
        waitForSuspension: async (_id, { afterAttempt }) => {
          const view = afterAttempt === 1 ? pending(2) : settled({}, 2);
          return { value: view, stale: false };
        },
      },
      async (agent, _operator, calls) => {
        const decision = await agent.shouldRequestInput(INTENT_ID, { confidence: 0.55 });
        const value = await agent.requestInput(INTENT_ID, {
          question: 'Refund?',
          choices: [{ value: 'approve', label: 'Approve' }],
          request_key: 'refund',
        });

        assert.deepEqual(decision, DECISION);
        assert.equal(value, 'approve');
        const names = calls.map(([name]) => name);
        const waits = ['waitForSuspension', 'waitForSuspension'];
        assert.deepEqual(names, ['engage', 'suspend', ...waits]);
        const [, opened] = calls[1] ?? [];
        const request = opened?.[2] as Record<string, unknown>;
        assert.deepEqual([request['request_key'], request['decision']], ['refund', DECISION]);
      },
    ));

  it('agree on intents, events and leases', () => {
    const event = { id: 'e1', payload: {} } as never;
    const lease = { id: LEASE_ID } as never;
    const methods: Partial<Gateway> = {
      createIntent: async () => INTENT,
      setStatus: async () => INTENT,
      patchState: async () => INTENT,
      listEvents: async () => ({ value: [event], stale: false, more: false }),
      getIntent: async () => ({ value: INTENT, stale: false }),
      postEvent: async () => event,
      acquireLease: async () => lease,
      renewLease: async () => lease,
      listLeases: async () => [lease],
      releaseLease: async () => lease,
    };
    return withRoutes(methods, async (agent, _operator, calls) => {
      const patches = [{ op: 'set', path: 'a', value: 1 }] as const;
      assert.deepEqual(await agent.createIntent({ title: 'T' }, { idempotencyKey: 'k' }), INTENT);
      assert.deepEqual(await agent.setStatus(INTENT_ID, 3, { status: 'active' }), INTENT);
      assert.deepEqual(await agent.patchState(INTENT_ID, 3, patches), INTENT);
      assert.deepEqual(await agent.events(INTENT_ID), [event]);
      assert.deepEqual(await agent.appendEvent(INTENT_ID, 'comment'), event);
      const request = { scope: 'all', duration_seconds: 60 };
      assert.deepEqual(await agent.leases.acquire(INTENT_ID, request), lease);
      assert.deepEqual(await agent.leases.renew(INTENT_ID, LEASE_ID, request), lease);
      assert.deepEqual(await agent.leases.list(INTENT_ID), [lease]);
      assert.deepEqual(await agent.leases.release(INTENT_ID, LEASE_ID), lease);
      assert.deepEqual(
        calls.map(([name]) => name),
        Object.keys(methods),
      );
      assert.equal(calls[0]?.[1][2], 'k');
      assert.equal(calls[1]?.[1][2], 3);
    });
  });

  it('agree on answers, withdrawals and refusals', () =>
    withRoutes(
      {
        cancel: async () => settled({ resolution: 'cancelled' }).record as never,
        respond: async (_caller, _intent, { value, suspension_id }) => {
          if (value === 'later') return { accepted: false, suspension_id };
          throw new RefusalError({
            code: 'invalid_value',
            detail: 'Not a choice.',
            field: 'value',
            valid_choices: ['approve', 'deny'],
          });
        },
        suspend: () => Promise.reject(new RefusalError({ code: 'intent_not_found', detail: '-' })),
      },
      async (agent, operator) => {
        const answer = { suspension_id: SUSPENSION_ID, value: 'later' };
        const handedOver = { accepted: false, suspension_id: SUSPENSION_ID };
        assert.deepEqual(await operator.respond(INTENT_ID, answer), handedOver);
        const record = await agent.cancelInput(INTENT_ID, { reason: 'solved' });
        assert.equal(record.resolution, 'cancelled');
        await assert.rejects(operator.respond(INTENT_ID, { ...answer, value: 'maybe' }), {
          code: 'invalid_value',
          status: 422,
          field: 'value',
          valid_choices: ['approve', 'deny'],
        });
        const choices = [{ value: 'yes', label: 'Yes' }];
        await assert.rejects(agent.requestInput(INTENT_ID, { question: 'Q?', choices }), {
          name: 'HoldpointError',
          code: 'intent_not_found',
        });
      },
    ));
});
