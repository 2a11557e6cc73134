import assert from 'node:assert/strict';
import { agentOf, withServer } from './support/harness.js';
import { INTENT_ID, problem, ROUTES } from './support/samples.js';

const QUESTION = { question: 'Refund?' };

describe('the signal of requestInput', () => {
  const REASON = new Error('enough');

  it('ends a wait with its reason', () =>
    withServer(async (server, pauses) => {
      const stop = new AbortController();
      server.on(ROUTES.wait, () => {
        stop.abort(REASON);
        return 'silent';
      });
      const asking = agentOf(server, pauses).requestInput(INTENT_ID, {
        ...QUESTION,
        signal: stop.signal,
      });

      await assert.rejects(asking, REASON);
      assert.equal(server.requests(ROUTES.cancel).length, 0);
    }));

  it('ends a pause between two tries', () =>
    withServer(async (server, pauses) => {
      const stop = new AbortController();
      server.on(ROUTES.wait, problem(503, 'moving'));
      pauses.during = () => {
        stop.abort(REASON);
      };
      const asking = agentOf(server, pauses).requestInput(INTENT_ID, {
        ...QUESTION,
        signal: stop.signal,
      });

      await assert.rejects(asking, REASON);
      assert.equal(server.requests(ROUTES.wait).length, 1);
    }));

  it('asks nothing where it is aborted before', () =>
    withServer(async (server, pauses) => {
      const signal = AbortSignal.abort(REASON);
      const asking = agentOf(server, pauses).requestInput(INTENT_ID, { ...QUESTION, signal });

      await assert.rejects(asking, REASON);
      assert.deepEqual(server.seen, []);
    }));
});
