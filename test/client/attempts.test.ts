import assert from 'node:assert/strict';
import type { AskedSuspension } from '../../client/index.js';
import { agentOf, withServer } from './support/harness.js';
import { INTENT_ID, pending, problem, ROUTES, settled } from './support/samples.js';

/** The three texts of RFC-0026 §4.5. */
function messageOf({ context, question }: AskedSuspension): string {
  if (context._attempt === 1) return `Input needed: ${question}`;
  if (context._attempt < context._max_attempts) return `Reminder (${context._attempt})`;
  return 'URGENT';
}

describe('onInputRequested', () => {
  it('is called once the suspension is stored [R25-93]', () =>
    withServer(async (server, pauses) => {
      const order: string[] = [];
      server.on(ROUTES.suspend, () => {
        order.push('stored');
        return { status: 201, body: pending() };
      });
      const onInputRequested = (): number => order.push('hook');

      const agent = agentOf(server, pauses, { hooks: { onInputRequested } });
      await agent.requestInput(INTENT_ID, { question: 'Refund?' });

      assert.deepEqual(order, ['stored', 'hook']);
    }));

  it('is not called where the question is refused [R25-93]', () =>
    withServer(async (server, pauses) => {
      const calls: unknown[] = [];
      server.on(ROUTES.suspend, problem(409, 'intent_suspended'));
      const hooks = { onInputRequested: (...given: unknown[]) => calls.push(given) };

      const asking = agentOf(server, pauses, { hooks }).requestInput(INTENT_ID, { question: 'Q?' });

      await assert.rejects(asking, { code: 'intent_suspended', status: 409 });
      assert.deepEqual(calls, []);
    }));

  it('is called again at each attempt with its number and channel [R26-60] [R26-61] [R26-62] [R26-63]', () =>
    withServer(async (server, pauses) => {
      const seen: unknown[] = [];
      server.on(ROUTES.wait, { body: pending(2) }, { body: pending(3) }, { body: settled({}, 3) });
      const onInputRequested = (intent: { id: string }, suspension: AskedSuspension): void => {
        const { channel_hint, notify_to } = suspension;
        seen.push([intent.id, messageOf(suspension), channel_hint, notify_to]);
      };

      const agent = agentOf(server, pauses, { hooks: { onInputRequested } });
      await agent.requestInput(INTENT_ID, { question: 'Refund?' });

      assert.deepEqual(seen, [
        [INTENT_ID, 'Input needed: Should we refund order #12345?', 'slack', null],
        [INTENT_ID, 'Reminder (2)', 'email', null],
        [INTENT_ID, 'URGENT', 'pagerduty', 'supervisor@example.com'],
      ]);
      const asked = server.requests(ROUTES.wait).map(({ query }) => query.get('after_attempt'));
      assert.deepEqual(asked, ['1', '2', '3']);
    }));

  it('is called for the latest of several missed attempts only', () =>
    withServer(async (server, pauses) => {
      const seen: number[] = [];
      server.on(ROUTES.wait, { body: pending(3) }, { body: settled({}, 3) });
      const onInputRequested = (_intent: unknown, { context }: AskedSuspension): number =>
        seen.push(context._attempt);

      const agent = agentOf(server, pauses, { hooks: { onInputRequested } });
      await agent.requestInput(INTENT_ID, { question: 'Refund?' });

      assert.deepEqual(seen, [1, 3]);
    }));

  it('overrides reserved keys on its copy alone', () =>
    withServer(async (server, pauses) => {
      const contexts: unknown[] = [];
      const view = pending(1, { context: { _attempt: 99, order_id: '12345' } });
      server.on(ROUTES.suspend, { status: 201, body: view });
      const onInputRequested = (_intent: unknown, { context }: AskedSuspension): number =>
        contexts.push(context);

      const agent = agentOf(server, pauses, { hooks: { onInputRequested } });
      await agent.requestInput(INTENT_ID, { question: 'Q?', context: { order_id: '12345' } });

      assert.deepEqual(contexts, [{ order_id: '12345', _attempt: 1, _max_attempts: 3 }]);
      const [sent] = server.requests(ROUTES.suspend);
      assert.deepEqual(sent?.body['context'], { order_id: '12345' });
    }));

  it('has no channel where none is in force', () =>
    withServer(async (server, pauses) => {
      const hints: unknown[] = [];
      const { channel_hint: _hint, ...record } = pending().record;
      const attempts = pending().schedule.attempts.map((entry) => ({
        ...entry,
        channel_hint: null,
      }));
      server.on(ROUTES.suspend, {
        status: 201,
        body: { ...pending(), record, schedule: { attempts } },
      });
      const onInputRequested = (_intent: unknown, suspension: AskedSuspension): number =>
        hints.push('channel_hint' in suspension);

      const agent = agentOf(server, pauses, { hooks: { onInputRequested } });
      await agent.requestInput(INTENT_ID, { question: 'Refund?' });

      assert.deepEqual(hints, [false]);
    }));
});
