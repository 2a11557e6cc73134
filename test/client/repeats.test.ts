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

  for (const code of ['workflow_unavailable', 'internal']) {
    it(`is not repeated after ${code}, for it may still be carried out`, () =>
      withServer(async (server, pauses) => {
        server.on(ROUTES.engagement, problem(503, code));

        const asking = agentOf(server, pauses).shouldRequestInput(INTENT_ID, {});

        await assert.rejects(asking, { code });
        assert.deepEqual(pauses.lengths, []);
      }));
  }
});
