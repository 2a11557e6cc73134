import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../api/app.js';
import { FakeFeed } from '../api/support/fake-feed.js';
import {
  ManualClock,
  closed,
  sequences,
  updateRefused,
  type FakeCall,
} from '../api/support/fakes.js';
import { answersOf, askedAs, endedAs, type Questions } from '../api/support/questions.js';
import { fakeParts, knowingIntent, type Fakes } from '../api/support/parts.js';
import { EVENT, LEASE, LEASE_ID } from '../api/support/records.js';
import type { SuspendInput } from '../../workflows/intent/messages.js';
import { RefusalError } from '../../api/errors.js';
import { KeyRing } from '../../api/sign-in/key-ring.js';
import { createSignIn } from '../../api/sign-in/sign-in.js';
import { Agent, Operator } from '../../client/index.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { emptyFeed } from '../support/events.js';
import { SEEDS, runLog } from '../support/secrets.js';
import { DECISION, INTENT, INTENT_ID, SUSPENSION_ID, pending, settled } from './support/samples.js';

const AGENT_KEY = SEEDS.agentKey;
const OPERATOR_KEY = SEEDS.operatorKey;

/** The intent while it waits for the question. */
const ASKED = { ...INTENT, state: { _suspension: { id: SUSPENSION_ID } } };

/** An intent with one event and one lease, whose workflow takes another event. */
const EVENTFUL: Fakes = {
  temporal: { start: () => undefined },
  answers: {
    ...knowingIntent(INTENT),
    position: () => ({ version: 1, last_sequence: 1 }),
    appendEvent: () => EVENT,
    setStatus({ args }) {
      assert.equal((args[0] as { if_match: number }).if_match, 3);
      return { last_sequence: 2, intent: INTENT };
    },
    patchState: () => ({ last_sequence: 2, intent: INTENT }),
    acquireLease: () => LEASE,
    renewLease: () => LEASE,
    releaseLease: () => LEASE,
    leases: () => [LEASE],
  },
  store: {
    lastSequences: sequences(() => 1),
    listEvents: async () => ({ rows: [EVENT], more: false }),
  },
};

/** A feed that nobody can read, so that whoever waits listens to the workflow. */
function awayFeed(): FakeFeed {
  const feed = new FakeFeed();
  feed.isAway = true;
  return feed;
}

/** Runs the API's own routes over questions that do this. */
async function withRoutes(
  methods: Questions,
  run: (agent: Agent, operator: Operator, sent: readonly FakeCall[]) => Promise<void>,
  fakes: Fakes = {},
): Promise<void> {
  const clock = new ManualClock();
  const { parts, calls: sent } = fakeParts({
    clock,
    temporal: { result: closed },
    ...fakes,
    answers: { ...knowingIntent(ASKED), ...answersOf(methods, clock), ...fakes.answers },
  });
  const app = createApp({
    partsOf: () => parts,
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
    await run(agent, new Operator({ baseUrl, apiKey: OPERATOR_KEY }), sent);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('the client and the routes of the API', () => {
  it('agree on a question and its attempts', () =>
    withRoutes(
      {
        suspend: () => askedAs(pending()),
        getSuspension: async () => ({ value: pending(2), stale: false }),
        outcome: () => endedAs(settled({}, 2)),
      },
      async (agent, _operator, sent) => {
        const decision = await agent.shouldRequestInput(INTENT_ID, { confidence: 0.55 });
        const value = await agent.requestInput(INTENT_ID, {
          question: 'Refund?',
          choices: [{ value: 'approve', label: 'Approve' }],
          request_key: 'refund',
        });

        assert.deepEqual(decision, DECISION);
        assert.equal(value, 'approve');
        const others = sent.map(({ name }) => name).filter((name) => name !== 'intent');
        assert.deepEqual(others, ['engagement', 'suspend', 'record', 'record', 'outcome']);
        const asked = sent.find(({ name }) => name === 'suspend')?.args[0] as SuspendInput;
        assert.deepEqual([asked.request?.key, asked.draft.decision_record], ['refund', DECISION]);
      },
      { answers: { engagement: () => DECISION }, deps: { feed: awayFeed() } },
    ));

  it('agree on intents, events and leases', () =>
    withRoutes(
      {},
      async (agent) => {
        const patches = [{ op: 'set', path: 'a', value: 1 }] as const;
        const created = await agent.createIntent({ title: 'T' }, { idempotencyKey: 'k' });
        assert.deepEqual([created.title, created.version], ['T', 1]);
        const again = await agent.createIntent({ title: 'T' }, { idempotencyKey: 'k' });
        assert.equal(again.id, created.id);
        assert.deepEqual(await agent.setStatus(INTENT_ID, 3, { status: 'active' }), INTENT);
        assert.deepEqual(await agent.patchState(INTENT_ID, 3, patches), INTENT);
        assert.deepEqual(await agent.events(INTENT_ID), [EVENT]);
        assert.deepEqual(await agent.appendEvent(INTENT_ID, 'comment'), EVENT);
        const request = { scope: 'all', duration_seconds: 60 };
        assert.deepEqual(await agent.leases.acquire(INTENT_ID, request), LEASE);
        assert.deepEqual(await agent.leases.renew(INTENT_ID, LEASE_ID, request), LEASE);
        assert.deepEqual(await agent.leases.list(INTENT_ID), [LEASE]);
        assert.deepEqual(await agent.leases.release(INTENT_ID, LEASE_ID), LEASE);
      },
      EVENTFUL,
    ));

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
        suspend: () => {
          throw updateRefused({ code: 'intent_not_found', detail: '-' });
        },
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
