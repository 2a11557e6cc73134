import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { startServer } from '../../../api/server.js';
import type { RunningServer } from '../../../api/server.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { KEYS, RealStack } from '../../support/real-stack.js';
import { openSse, startReceiver, status } from '../../support/subscribers.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
/** Of an intent: an engagement, a question that expires to its fallback, one that is withdrawn, and one that is answered. */
const STORY = [
  'intent_created',
  'engagement.decision',
  'intent.suspended',
  'intent.suspension_renotified',
  'intent.suspension_escalated',
  'intent.suspension_expired',
  'status_changed',
  'intent.suspended',
  'intent.suspension_cancelled',
  'status_changed',
  'intent.suspended',
  'intent.resumed',
];
interface Delivered {
  readonly event: IntentEvent;
}

const EXPIRES = {
  question: 'Refund?',
  response_type: 'confirm',
  fallback_policy: 'complete_with_fallback',
  fallback_value: 'no',
  retry_policy: {
    max_attempts: 2,
    interval_seconds: 4,
    escalation_ladder: [{ attempt: 2, channel_hint: 'console', notify_to: 'lead@example.com' }],
  },
};

describe('subscribers of an intent', () => {
  let stack: RealStack;
  let server: RunningServer;
  before(async () => {
    stack = await RealStack.start({
      subscriptions: { secrets: [SECRET] },
    });
    server = await startServer({ app: stack.app, host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await server.close();
    await stack.close();
  });

  it('get every event of its suspensions, in the order of the log [R25-18]', async () => {
    const created = await stack.post('/v1/intents', 'agent', { title: 'Refund', status: 'active' });
    const intent_id = String(created.body.id);
    const intent = `/v1/intents/${intent_id}`;
    const url = `${server.url}${intent}/subscribe?last_event_id=0`;
    const stream = await openSse(url, KEYS.agent.key);
    await stream.until(1);
    let arrived = (): void => undefined;
    const whole = new Promise<void>((resolve) => (arrived = resolve));
    const receiver = await startReceiver((response, { body }) => {
      if (body.includes('"intent.resumed"')) arrived();
      status(200)(response, receiver.received[0] ?? assert.fail());
    });
    const subscription = { intent_id, webhook_url: receiver.publicUrl, event_types: [] };
    const made = await stack.post('/v1/subscriptions', 'agent', subscription);
    assert.equal(made.status, 201, made.text);
    await stack.post(`${intent}/engagement`, 'agent', { confidence: 0.2, risk: 0.9 });
    const asked = await stack.post(`${intent}/suspend`, 'agent', EXPIRES);
    assert.equal(asked.status, 201, asked.text);
    await stream.until(STORY.indexOf('status_changed') + 1);
    const second = { question: 'Refund half of it?', response_type: 'confirm' };
    await stack.post(`${intent}/suspend`, 'agent', second);
    const cancelled = await stack.post(`${intent}/suspend/cancel`, 'agent', { reason: 'settled' });
    assert.equal(cancelled.status, 200, cancelled.text);
    const third = await stack.post(`${intent}/suspend`, 'agent', second);
    const answer = { suspension_id: third.body.id, value: 'yes' };
    const answered = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.equal(answered.status, 200, answered.text);
    await stream.until(STORY.length);
    await whole;

    const { body } = await stack.get(`${intent}/events`);
    const log = (body.events as IntentEvent[]).toReversed();
    assert.deepEqual(
      log.map(({ event_type }) => event_type),
      STORY,
    );
    assert.deepEqual(
      stream.frames.map(({ data }) => JSON.parse(data) as IntentEvent),
      log,
    );
    const shown = receiver.received.map(({ body: sent }) => JSON.parse(sent) as Delivered);
    assert.deepEqual(
      shown.map(({ event }) => event.event_type),
      STORY.slice(1),
    );
    stream.reply.destroy();
    await receiver.close();
  });
});
