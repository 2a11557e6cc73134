import assert from 'node:assert/strict';
import { createChannels } from '../../../../activities/channels/routing.js';
import { notify } from '../../../../activities/notify.js';
import type { Activities } from '../../../../activities/types.js';
import type { NotificationRequest } from '../../../../contracts/channel/notification.js';
import { startReceiver, status, type Answer, type Receiver } from '../../../support/subscribers.js';
import { SUSPENSION_ID, requestWith } from '../../../domain/suspension/notification-samples.js';
import { configWith, environment, memoryLog, memoryStore } from '../../support.js';
import { NEW_SECRET, webhookTo } from './support.js';

const BEGUN = Date.parse('2026-11-21T10:00:00.000Z');

describe('tries of a delivery', () => {
  let receiver: Receiver;
  let log: ReturnType<typeof memoryLog>;
  afterEach(() => receiver.close());

  /** The activity over a webhook; its clock moves a second at each look. */
  async function notifyOver(...answers: readonly Answer[]): Promise<Activities['notify']> {
    receiver = await startReceiver(...answers);
    log = memoryLog();
    const config = configWith({
      default_channel: 'ops',
      channels: { ops: webhookTo(receiver.url) },
    });
    let looks = 0;
    const now = () => new Date(BEGUN + looks++ * 1_000);
    const channels = createChannels(config.notifications);
    const dependencies = { store: memoryStore(), channels, deliveries: log, config, now };
    return (request) => notify(dependencies, request);
  }

  it('are all recorded, and the delivery once', async () => {
    const run = await notifyOver(status(500), status(500), status(200));
    for (const number of [1, 2]) {
      await assert.rejects(environment(number).env.run(run, requestWith()), {
        name: 'ApplicationFailure',
        type: 'response_not_2xx',
        message: `the webhook answered 500 (try ${number})`,
        nonRetryable: false,
      });
    }
    const receipt = await environment(3).env.run(run, requestWith());
    const again = await environment(4).env.run(run, requestWith());

    const id = receiver.received[0]?.headers['webhook-id'];
    assert.deepEqual(receipt, {
      channel: 'ops',
      delivered_at: '2026-11-21T10:00:05.000Z',
      reference: id,
      tries: 3,
    });
    assert.deepEqual(again, { ...(receipt as object), duplicate: true });
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']),
      [id, id, id],
    );
    assert.equal(log.entries.size, 1);
    assert.deepEqual(
      log.tries.map((tried) => [tried.try_number, tried.outcome, tried.status_code]),
      [
        [1, 'response_not_2xx', 500],
        [2, 'response_not_2xx', 500],
        [3, 'delivered', 200],
      ],
    );
    assert.deepEqual(log.tries[0], {
      delivery_id: `${SUSPENSION_ID}:1`,
      try_number: 1,
      at: '2026-11-21T10:00:00.000Z',
      channel: 'ops',
      outcome: 'response_not_2xx',
      status_code: 500,
      duration_ms: 1_000,
    });
  });

  it('are not repeated after 410', async () => {
    const run = await notifyOver(status(410));
    const tried = environment().env.run(run, requestWith());
    await assert.rejects(tried, { type: 'endpoint_gone', nonRetryable: true });
    assert.deepEqual(
      log.tries.map(({ outcome, status_code }) => [outcome, status_code]),
      [['endpoint_gone', 410]],
    );
    assert.equal(log.entries.size, 0);
  });

  it('are repeated when the receiver asks for it', async () => {
    const run = await notifyOver(status(429, { 'retry-after': '90' }));
    const tried = environment().env.run(run, requestWith());
    await assert.rejects(tried, { nextRetryDelay: 90_000 });
  });

  it('are recorded as called off where nobody wants them any more', async () => {
    const { env, logged } = environment();
    const run = await notifyOver(() => env.cancel());
    await assert.rejects(env.run(run, requestWith()), { name: 'CancelledFailure' });
    assert.deepEqual(
      log.tries.map(({ outcome, status_code }) => [outcome, status_code]),
      [['called_off', null]],
    );
    assert.deepEqual(logged, []);
  });

  it('hold up no error where they cannot be recorded', async () => {
    const run = await notifyOver(status(500));
    log.recordTry = () => Promise.reject(new Error('the store is down'));
    const { env, logged } = environment();
    await assert.rejects(env.run(run, requestWith()), { type: 'response_not_2xx' });
    assert.deepEqual(
      logged.map(({ message }) => message),
      ['delivery_try_failed', 'delivery_try_not_recorded'],
    );
  });

  it('are logged without id, address or secret [R25-100]', async () => {
    const run = await notifyOver(status(500));
    const { env, logged } = environment();
    await assert.rejects(env.run(run, requestWith()), { type: 'response_not_2xx' });
    const [{ meta } = {}] = logged;
    const { attempt, channel, outcome, status_code } = meta ?? {};
    assert.deepEqual(
      { attempt, channel, outcome, status_code },
      { attempt: 1, channel: 'ops', outcome: 'response_not_2xx', status_code: 500 },
    );
    const lines = logged.map(({ message, meta: said }) => [message, said]);
    const text = JSON.stringify([lines, log.tries.map(({ delivery_id: _id, ...rest }) => rest)]);
    for (const hidden of [SUSPENSION_ID, NEW_SECRET, receiver.url]) {
      assert.ok(!text.includes(hidden), hidden);
    }
  });
});

describe('tries over the console', () => {
  it('are recorded alike', async () => {
    const config = configWith();
    const writer = { write: (_text: string, done: () => void) => done() };
    const channels = createChannels(config.notifications, writer);
    const log = memoryLog();
    const stores = { store: memoryStore(), deliveries: log };
    const dependencies = { ...stores, channels, config, now: () => new Date(BEGUN) };
    const run = (request: NotificationRequest) => notify(dependencies, request);
    await environment().env.run(run, requestWith());
    assert.deepEqual(log.tries, [
      {
        delivery_id: `${SUSPENSION_ID}:1`,
        try_number: 1,
        at: '2026-11-21T10:00:00.000Z',
        channel: 'console',
        outcome: 'delivered',
        status_code: null,
        duration_ms: 0,
      },
    ]);
  });

  it('are recorded as failed where the channel fails', async () => {
    const config = configWith();
    const writer = {
      write: (_text: string, done: (error: Error) => void) => done(new Error('pipe closed')),
    };
    const channels = createChannels(config.notifications, writer);
    const log = memoryLog();
    const stores = { store: memoryStore(), deliveries: log };
    const dependencies = { ...stores, channels, config, now: () => new Date(BEGUN) };
    const run = (request: NotificationRequest) => notify(dependencies, request);
    await assert.rejects(environment().env.run(run, requestWith()), { message: 'pipe closed' });
    assert.deepEqual(
      log.tries.map(({ outcome }) => outcome),
      ['channel_failed'],
    );
  });
});
