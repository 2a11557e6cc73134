import assert from 'node:assert/strict';
import { ConnectionError } from '../../client/index.js';
import { agentOf, withServer } from './support/harness.js';
import type { Step } from './support/fake-server.js';
import { INTENT_ID, pending, problem, ROUTES, settled } from './support/samples.js';

const QUESTION = { question: 'Refund?' };

describe('waiting while the server is away', () => {
  it('goes on when the server has restarted', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.wait, async (_seen, nth): Promise<Step> => {
        if (nth > 1) return { body: settled() };
        void server.stop();
        return 'silent';
      });
      pauses.during = (nth) => (nth === 5 ? server.start() : undefined);

      const value = await agentOf(server, pauses).requestInput(INTENT_ID, QUESTION);

      assert.equal(value, 'approve');
      assert.equal(pauses.lengths.length, 5);
      assert.equal(server.requests(ROUTES.suspend).length, 1);
    }));

  it('never gives up on passing failures', () =>
    withServer(async (server, pauses) => {
      const passing: Step[] = [
        'cut',
        { status: 502, text: '<html>Bad gateway</html>' },
        problem(500, 'internal'),
        problem(503, 'moving'),
        problem(503, 'store_unavailable'),
        { status: 504 },
        { status: 429 },
      ];
      const end: Step = { body: settled() };
      server.on(ROUTES.wait, (_seen, nth) => (nth > 70 ? end : (passing[nth % 7] ?? end)));

      const value = await agentOf(server, pauses).requestInput(INTENT_ID, QUESTION);

      assert.equal(value, 'approve');
      assert.equal(pauses.lengths.length, 70);
    }));

  it('waits as long as Retry-After says', () =>
    withServer(async (server, pauses) => {
      const busy = problem(503, 'workflow_unavailable');
      const later = { ...busy, headers: { 'retry-after': '7' } };
      server.on(ROUTES.wait, later, { body: settled() });

      await agentOf(server, pauses).requestInput(INTENT_ID, QUESTION);

      assert.deepEqual(pauses.lengths, [7_000]);
    }));

  it('pauses no longer than its caller waits', () =>
    withServer(async (server, pauses) => {
      const stop = new AbortController();
      const busy = { ...problem(429, 'busy'), headers: { 'retry-after': '7' } };
      server.on(ROUTES.suspend, busy);
      pauses.during = () => stop.abort(new Error('enough'));

      const asking = agentOf(server, pauses).requestInput(INTENT_ID, {
        ...QUESTION,
        signal: stop.signal,
      });

      await assert.rejects(asking, /enough/);
      assert.equal(server.requests(ROUTES.suspend).length, 1);
    }));

  it('ends with the refusal where waiting is no use', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.wait, problem(404, 'suspension_not_found'));

      const asking = agentOf(server, pauses).requestInput(INTENT_ID, QUESTION);

      await assert.rejects(asking, { code: 'suspension_not_found', status: 404 });
      assert.deepEqual(pauses.lengths, []);
    }));

  it('pauses where the server cannot hold the request', () =>
    withServer(async (server, pauses) => {
      const unheld = { body: pending() };
      server.on(ROUTES.wait, unheld, unheld, unheld, { body: settled() });

      await agentOf(server, pauses).requestInput(INTENT_ID, QUESTION);

      assert.equal(pauses.lengths.length, 3);
    }));

  it('gives up a connection on which nothing comes back', () =>
    withServer(async (server, pauses) => {
      const deadlines: AbortController[] = [];
      const patience: number[] = [];
      server.on(ROUTES.wait, (_seen, nth) => {
        if (nth > 1) return { body: settled() };
        deadlines.at(-1)?.abort();
        return 'silent';
      });
      const deadline = (ms: number): AbortSignal => {
        patience.push(ms);
        const controller = new AbortController();
        deadlines.push(controller);
        return controller.signal;
      };
      const timers = { pause: pauses.pause, deadline };

      const value = await agentOf(server, pauses, { timers }).requestInput(INTENT_ID, QUESTION);

      assert.equal(value, 'approve');
      assert.deepEqual(patience, [45_000, 65_000, 65_000]);
    }));

  it('calls the hook when the intent can be read again', () =>
    withServer(async (server, pauses) => {
      const calls: unknown[] = [];
      const away = problem(503, 'workflow_unavailable');
      server.on(ROUTES.intent, away, 'cut', { body: { id: INTENT_ID } });
      const again = { body: pending() };
      server.on(ROUTES.wait, again, again, again, { body: settled() });
      const hooks = { onInputRequested: (intent: unknown) => calls.push(intent) };

      await agentOf(server, pauses, { hooks }).requestInput(INTENT_ID, QUESTION);

      assert.deepEqual(calls, [{ id: INTENT_ID }]);
      const waits = server.requests(ROUTES.wait).map(({ query }) => query.get('timeout_seconds'));
      assert.deepEqual(waits, ['2', '2', '50', '50']);
    }));

  it('gets the answer though the intent cannot be read', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.intent, problem(500, 'internal'));
      const hooks = { onInputRequested: () => undefined };

      const value = await agentOf(server, pauses, { hooks }).requestInput(INTENT_ID, QUESTION);

      assert.equal(value, 'approve');
    }));
});

describe('opening a question while the server is away', () => {
  it('repeats the call under one key', () =>
    withServer(async (server, pauses) => {
      const busy = problem(503, 'workflow_unavailable');
      server.on(ROUTES.suspend, 'cut', busy, { status: 201, body: pending() });

      const value = await agentOf(server, pauses).requestInput(INTENT_ID, QUESTION);

      const opened = server.requests(ROUTES.suspend);
      assert.equal(value, 'approve');
      assert.equal(opened.length, 3);
      assert.equal(new Set(opened.map(({ body }) => body['request_key'])).size, 1);
    }));

  it('throws ConnectionError after ten tries', () =>
    withServer(async (server, pauses) => {
      await server.stop();

      const asking = agentOf(server, pauses).requestInput(INTENT_ID, QUESTION);

      await assert.rejects(asking, (error) => {
        assert.ok(error instanceof ConnectionError);
        assert.equal(error.name, 'ConnectionError');
        assert.equal(error.delivered, 'no');
        return true;
      });
      assert.equal(pauses.lengths.length, 9);
    }));
});
