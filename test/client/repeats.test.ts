import assert from 'node:assert/strict';
import { agentOf, withServer } from './support/harness.js';
import { DECISION, INTENT_ID, problem, ROUTES } from './support/samples.js';

describe('a call that must not run twice', () => {
  it('is not repeated where it may have arrived', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.engagement, 'cut');

      const asking = agentOf(server, pauses).shouldRequestInput(INTENT_ID, {});

      await assert.rejects(asking, { code: 'connection_failed', delivered: 'unknown' });
      assert.equal(server.requests(ROUTES.engagement).length, 1);
    }));

  it('is repeated where nothing listened or nothing was changed', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.engagement, problem(503, 'moving'), { body: DECISION });
      await server.stop();
      pauses.during = (nth) => (nth === 1 ? server.start() : undefined);

      const decision = await agentOf(server, pauses).shouldRequestInput(INTENT_ID, {});

      assert.deepEqual(decision, DECISION);
      assert.equal(pauses.lengths.length, 2);
    }));

  for (const code of ['busy', 'too_many_requests']) {
    it(`is repeated after ${code}, as soon as the server wants it again`, () =>
      withServer(async (server, pauses) => {
        const later = { ...problem(429, code), headers: { 'retry-after': '12' } };
        server.on(ROUTES.engagement, later, later, { body: DECISION });

        const decision = await agentOf(server, pauses).shouldRequestInput(INTENT_ID, {});

        assert.deepEqual(decision, DECISION);
        assert.deepEqual(pauses.lengths, [12_000, 12_000]);
      }));
  }

  it('is repeated after the 429 of a proxy', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.engagement, { status: 429 }, { body: DECISION });

      const decision = await agentOf(server, pauses).shouldRequestInput(INTENT_ID, {});

      assert.deepEqual(decision, DECISION);
    }));

  it('ends with the refusal of a server that stays busy', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.engagement, problem(429, 'busy'));

      const asking = agentOf(server, pauses).shouldRequestInput(INTENT_ID, {});

      await assert.rejects(asking, { code: 'busy', status: 429 });
      assert.equal(server.requests(ROUTES.engagement).length, 10);
    }));

  for (const code of ['workflow_unavailable', 'internal', 'too_many_subscriptions']) {
    it(`is not repeated after ${code}`, () =>
      withServer(async (server, pauses) => {
        const status = code === 'too_many_subscriptions' ? 429 : 503;
        server.on(ROUTES.engagement, problem(status, code));

        const asking = agentOf(server, pauses).shouldRequestInput(INTENT_ID, {});

        await assert.rejects(asking, { code });
        assert.deepEqual(pauses.lengths, []);
      }));
  }
});
