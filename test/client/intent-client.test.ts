import assert from 'node:assert/strict';
import { agentOf, withServer } from './support/harness.js';
import { INTENT, INTENT_ID, SUSPENSION_ID, pending, problem, ROUTES } from './support/samples.js';

const BASE = `/v1/intents/${INTENT_ID}`;

describe('createIntent', () => {
  it('repeats under one Idempotency-Key', () =>
    withServer(async (server, pauses) => {
      server.on('POST /v1/intents', 'cut', { status: 500 }, { status: 201, body: INTENT });

      const intent = await agentOf(server, pauses).createIntent({ title: 'Refund' });

      const requests = server.requests('POST /v1/intents');
      const keys = requests.map(({ headers }) => headers['idempotency-key']);
      assert.deepEqual(intent, INTENT);
      assert.equal(requests.length, 3);
      assert.equal(new Set(keys).size, 1);
      assert.match(String(keys[0]), /^[0-9a-f]{32}$/);
    }));

  it('sends the key that the caller chose', () =>
    withServer(async (server, pauses) => {
      server.on('POST /v1/intents', { status: 201, body: INTENT });
      const options = { idempotencyKey: 'refund-12345' };

      await agentOf(server, pauses).createIntent({ title: 'Refund', status: 'active' }, options);

      const [request] = server.requests('POST /v1/intents');
      assert.equal(request?.headers['idempotency-key'], 'refund-12345');
      assert.deepEqual(request.body, { title: 'Refund', status: 'active' });
    }));
});

describe('writes of an intent', () => {
  it('name the version they build on', () =>
    withServer(async (server, pauses) => {
      server.on(`POST ${BASE}/status`, { body: INTENT }).on(`POST ${BASE}/state`, { body: INTENT });
      const agent = agentOf(server, pauses);
      const patches = [{ op: 'set', path: 'refund', value: 'approve' }] as const;

      await agent.setStatus(INTENT_ID, 3, { status: 'completed' });
      await agent.patchState(INTENT_ID, 4, patches);

      assert.deepEqual(
        server.seen.map(({ headers, body }) => [headers['if-match'], body]),
        [
          ['3', { status: 'completed' }],
          ['4', { patches }],
        ],
      );
    }));

  it('pass a version conflict on with the current state', () =>
    withServer(async (server, pauses) => {
      const state = { version: 9 };
      server.on(`POST ${BASE}/status`, problem(409, 'version_conflict', { state }));

      const writing = agentOf(server, pauses).setStatus(INTENT_ID, 3, { status: 'completed' });

      await assert.rejects(writing, {
        name: 'HoldpointError',
        code: 'version_conflict',
        status: 409,
        message: 'version_conflict!',
        state,
      });
    }));
});

describe('events and leases', () => {
  it('read the log as it is asked for [R25-17]', () =>
    withServer(async (server, pauses) => {
      const events = [{ id: 'e2' }, { id: 'e1' }];
      server.on(`GET ${BASE}/events`, { body: { events } });

      const read = await agentOf(server, pauses).events(INTENT_ID, { limit: 2 });

      assert.deepEqual(read, events);
      assert.equal(server.seen[0]?.query.toString(), 'limit=2');
    }));

  it('append an event of the agent', () =>
    withServer(async (server, pauses) => {
      server.on(`POST ${BASE}/events`, { status: 201, body: { id: 'e3' } });

      const event = await agentOf(server, pauses).appendEvent(INTENT_ID, 'comment', { text: 'x' });

      assert.deepEqual(event, { id: 'e3' });
      assert.deepEqual(server.seen[0]?.body, { event_type: 'comment', payload: { text: 'x' } });
    }));

  it('correct a question for the version that was seen, and comment', () =>
    withServer(async (server, pauses) => {
      const path = `/v1/suspensions/${SUSPENSION_ID}`;
      const stale = { question_version: 2 };
      server
        .on(
          `PATCH ${path}`,
          { body: pending() },
          problem(409, 'question_version_mismatch', { state: stale }),
        )
        .on(`POST ${path}/comments`, { body: pending() });
      const agent = agentOf(server, pauses);
      const amendment = { question: 'Refund it in part?', question_version: 1, reason: 'a typo' };

      assert.deepEqual(await agent.amend(SUSPENSION_ID, amendment), pending());
      const second = agent.amend(SUSPENSION_ID, amendment);
      await assert.rejects(second, { code: 'question_version_mismatch', state: stale });
      assert.deepEqual(await agent.comment(SUSPENSION_ID, 'Order 7 is late.'), pending());

      assert.deepEqual(
        server.seen.map(({ body }) => body),
        [amendment, amendment, { text: 'Order 7 is late.' }],
      );
    }));

  it('take, prolong, list and give back a lease', () =>
    withServer(async (server, pauses) => {
      const lease = { id: 'l/1', scope: 'all' };
      server
        .on(`POST ${BASE}/leases`, { status: 201, body: lease })
        .on(`PATCH ${BASE}/leases/l%2F1`, { body: lease })
        .on(`GET ${BASE}/leases`, { body: { leases: [lease] } })
        .on(`DELETE ${BASE}/leases/l%2F1`, { body: lease });
      const { leases } = agentOf(server, pauses);

      const request = { scope: 'all', duration_seconds: 60 };
      assert.deepEqual(await leases.acquire(INTENT_ID, request), lease);
      assert.deepEqual(await leases.renew(INTENT_ID, 'l/1', { duration_seconds: 90 }), lease);
      assert.deepEqual(await leases.list(INTENT_ID), [lease]);
      assert.deepEqual(await leases.release(INTENT_ID, 'l/1'), lease);
      assert.deepEqual(server.seen[1]?.body, { duration_seconds: 90 });
    }));

  it('refuse a reply without the list', () =>
    withServer(async (server, pauses) => {
      server.on(`GET ${BASE}/events`, { body: { items: [] } });
      const reading = agentOf(server, pauses).events(INTENT_ID);
      await assert.rejects(reading, { code: 'unexpected_reply' });
    }));
});

describe('replies that are none of Holdpoint', () => {
  it('become an error with the status', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.intent, { status: 418, text: '<html>teapot</html>' });
      const reading = agentOf(server, pauses).getIntent(INTENT_ID);
      await assert.rejects(reading, { code: 'http_418', status: 418 });
    }));

  it('become an error where a 200 is no JSON', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.intent, { text: '<html>sign in</html>' });
      const reading = agentOf(server, pauses).getIntent(INTENT_ID);
      await assert.rejects(reading, { code: 'unexpected_reply', status: 200 });
    }));

  it('become an error where a 200 is no suspension', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.suspend, { status: 201, body: { hello: 'world' } });
      const asking = agentOf(server, pauses).requestInput(INTENT_ID, { question: 'Q?' });
      await assert.rejects(asking, { code: 'unexpected_reply' });
    }));
});
