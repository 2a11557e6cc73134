import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { agentOf, withServer } from './support/harness.js';
import { INTENT_ID, ROUTES, pending } from './support/samples.js';

describe('a client with several replicas', () => {
  it('sends with its reads what the service says that it wrote, and only its own', () =>
    withServer(async (server, pauses) => {
      const headers = { 'holdpoint-written': 'what was written' };
      server.on(ROUTES.suspend, { status: 201, body: pending(), headers });
      const agent = agentOf(server, pauses);
      await agent.requestInput(INTENT_ID, { question: 'Refund?' });
      await agent.getIntent(INTENT_ID);
      await agentOf(server, pauses).getIntent(INTENT_ID);
      const sent = server.requests(ROUTES.intent).map((seen) => seen.headers['holdpoint-written']);
      assert.deepEqual(sent.slice(-2), ['what was written', undefined]);
    }));
});
