import assert from 'node:assert/strict';
import { once } from 'node:events';
import { CancelledFailure } from '@temporalio/common';
import { notify as notifyWith, type NotifyDependencies } from '../../activities/notify.js';
import type { Channel } from '../../activities/channels/channel.js';
import { createChannels } from '../../activities/channels/routing.js';
import type { Activities } from '../../activities/types.js';
import { SUSPENSION_ID, requestWith } from '../domain/suspension/notification-samples.js';
import { configWith, environment, memoryLog, memoryStore, recordingChannel } from './support.js';

const NOW = '2026-11-21T10:00:00.000Z';

function notifyOver(
  channel: Channel,
  dependencies: Partial<NotifyDependencies> = {},
): Activities['notify'] {
  const whole = {
    channels: new Map([['console', channel]]),
    deliveries: memoryLog(),
    store: memoryStore(),
    config: configWith(),
    now: () => new Date(NOW),
    ...dependencies,
  };
  return (request, rest) => notifyWith(whole, request, rest);
}

describe('notify activity', () => {
  it('delivers, and records receipt and instant', async () => {
    const { channel, sent } = recordingChannel('m-1');
    const log = memoryLog();

    const receipt = await environment().env.run(
      notifyOver(channel, { deliveries: log }),
      requestWith(),
    );

    assert.deepEqual(receipt, { channel: 'console', delivered_at: NOW, reference: 'm-1' });
    assert.equal(sent[0]?.message.text, 'Input needed: Refund 120 EUR?');
    assert.deepEqual(
      [...log.entries],
      [[`${SUSPENSION_ID}:1`, { channel: 'console', delivered_at: NOW, reference: 'm-1' }]],
    );
  });

  it('tells nobody over a channel that sends nothing, and records no try', async () => {
    const log = memoryLog();
    const config = configWith({ default_channel: 'none' });
    const channels = createChannels(config.notifications);
    const notify = notifyOver(channels.get('none') ?? assert.fail(), {
      deliveries: log,
      channels,
      config,
    });
    const receipt = await environment().env.run(notify, requestWith({ channel_hint: null }));
    assert.deepEqual(receipt, { channel: 'none', delivered_at: NOW, told: 'nobody' });
    assert.deepEqual([[...log.entries], log.tries], [[], []]);
  });

  it('sends one attempt once, however often asked', async () => {
    const { channel, sent } = recordingChannel('m-1');
    const notify = notifyOver(channel);
    const { env } = environment();

    await env.run(notify, requestWith());
    const again = await env.run(notify, requestWith());

    assert.equal(sent.length, 1);
    const known = { channel: 'console', delivered_at: NOW, reference: 'm-1' };
    assert.deepEqual(again, { ...known, duplicate: true });
  });

  it('sends every attempt under a key of its own', async () => {
    const { channel, sent } = recordingChannel();
    const notify = notifyOver(channel);
    const { env } = environment();

    for (const attempt of [1, 2, 3]) await env.run(notify, requestWith({ attempt }));

    assert.deepEqual(
      sent.map(({ idempotencyKey }) => idempotencyKey),
      [`${SUSPENSION_ID}:1`, `${SUSPENSION_ID}:2`, `${SUSPENSION_ID}:3`],
    );
  });

  it('redacts by the configuration before the channel [R25-101]', async () => {
    const { channel, sent } = recordingChannel();
    const config = configWith({ context_keys: ['amount', 'phone'], personal_data_keys: ['Phone'] });
    const request = requestWith({ context: { amount: 120, card: '4111', phone: '555-0100' } });

    await environment().env.run(notifyOver(channel, { config }), request);

    const entries = { amount: 120, phone: '•••', _attempt: 1, _max_attempts: 3 };
    assert.deepEqual(sent[0]?.message.context, entries);
    assert.equal(sent[0].message.withheld, 1);
  });

  it('sends all only first over an encrypted channel [R26-87]', async () => {
    const { channel, sent } = recordingChannel();
    const config = configWith({ channels: { console: { type: 'console', e2e_encrypted: true } } });
    const notify = notifyOver(channel, { config });
    const { env } = environment();

    for (const attempt of [1, 2]) {
      await env.run(notify, requestWith({ attempt, context: { card: '4111' } }));
    }

    assert.deepEqual(
      sent.map(({ message }) => message.context),
      [
        { card: '4111', _attempt: 1, _max_attempts: 3 },
        { _attempt: 2, _max_attempts: 3 },
      ],
    );
  });

  it('delivers to nobody who is not listed [R26-88]', async () => {
    const { channel, sent } = recordingChannel();
    const log = memoryLog();
    const notify = notifyOver(channel, {
      deliveries: log,
      config: configWith({ allowed_recipients: ['lead'] }),
    });

    await assert.rejects(environment().env.run(notify, requestWith({ notify_to: 'stranger' })), {
      type: 'recipient_not_allowed',
      nonRetryable: true,
    });

    assert.deepEqual(sent, []);
    assert.equal(log.entries.size, 0);
  });

  it('refuses a channel that is not configured for good', async () => {
    const { channel, sent } = recordingChannel();

    await assert.rejects(
      environment().env.run(notifyOver(channel), requestWith({ channel_hint: 'pagerduty' })),
      { type: 'channel_not_configured', nonRetryable: true },
    );

    assert.deepEqual(sent, []);
  });

  it('records as a try what the configuration forbids', async () => {
    const log = memoryLog();
    const notify = notifyOver(recordingChannel().channel, {
      deliveries: log,
      config: configWith({ allowed_recipients: ['dana'] }),
    });
    for (const [type, changes] of [
      ['channel_not_configured', { channel_hint: 'pagerduty' }],
      ['recipient_not_allowed', { notify_to: 'stranger' }],
    ] as const) {
      await assert.rejects(environment(2).env.run(notify, requestWith(changes)), { type });
    }
    assert.deepEqual(
      log.tries,
      [
        ['pagerduty', 'channel_not_configured'],
        ['console', 'recipient_not_allowed'],
      ].map(([channel, outcome]) => ({
        delivery_id: requestWith().delivery_id,
        try_number: 2,
        at: NOW,
        channel,
        outcome,
        status_code: null,
        duration_ms: 0,
      })),
    );
  });
});

describe('notify activity, when its log is down', () => {
  const failure = (): Promise<never> => Promise.reject(new Error('connection refused'));
  const silence = (): Promise<never> => new Promise(() => undefined);
  const timing = { logWaitMs: 1, heartbeatMs: 1_000 };
  const rows = [
    { state: 'refuses', call: failure, reason: 'connection refused' },
    { state: 'is silent', call: silence, reason: 'no answer within 1 ms' },
  ];

  for (const { state, call, reason } of rows) {
    it(`still delivers, once, while the log ${state}`, async () => {
      const { channel, sent } = recordingChannel();
      const { env, logged } = environment();
      const notify = notifyOver(channel, {
        deliveries: { find: call, record: call, recordTry: call },
        timing,
      });

      const receipt = await env.run(notify, requestWith());

      assert.deepEqual(receipt, { channel: 'console', delivered_at: NOW });
      assert.equal(sent.length, 1);
      assert.deepEqual(
        logged.map(({ message, meta }) => [message, String(meta?.['reason'])]),
        [
          ['delivery_log_unread', reason],
          ['delivery_try_not_recorded', reason],
          ['delivery_not_recorded', reason],
        ],
      );
    });
  }

  it('does not write the suspension id into logs [R25-100]', async () => {
    const { env, logged } = environment();
    const log = { find: failure, record: failure, recordTry: failure };

    await env.run(notifyOver(recordingChannel().channel, { deliveries: log }), requestWith());

    assert.deepEqual(
      logged.map(({ meta }) => String(meta?.['suspension'])),
      ['5f0c8a52…', '5f0c8a52…', '5f0c8a52…'],
    );
    assert.ok(!JSON.stringify(logged.map(({ meta }) => meta)).includes(SUSPENSION_ID));
  });
});

describe('notify activity, when its channel fails', () => {
  it('passes the error on, records nothing, and sends later', async () => {
    const { channel, sent } = recordingChannel();
    const failures = [new Error('channel down')];
    const flaky: Channel = {
      async deliver(message, options) {
        const failure = failures.pop();
        if (failure !== undefined) throw failure;
        return channel.deliver(message, options);
      },
    };
    const log = memoryLog();
    const notify = notifyOver(flaky, { deliveries: log });
    const { env } = environment();

    await assert.rejects(env.run(notify, requestWith()), {
      name: 'Error',
      message: 'channel down',
    });
    assert.equal(log.entries.size, 0);

    const receipt = await env.run(notify, requestWith());
    assert.deepEqual(receipt, { channel: 'console', delivered_at: NOW });
    assert.equal(sent.length, 1);
  });

  it('aborts the delivery on cancellation and records nothing', async () => {
    const { env } = environment();
    const log = memoryLog();
    const signals: AbortSignal[] = [];
    const endless: Channel = {
      async deliver(_message, { signal }) {
        signals.push(signal);
        const aborted = once(signal, 'abort');
        env.cancel();
        await aborted;
        throw signal.reason;
      },
    };

    await assert.rejects(
      env.run(notifyOver(endless, { deliveries: log }), requestWith()),
      CancelledFailure,
    );

    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true],
    );
    assert.equal(log.entries.size, 0);
  });

  it('shows life while the channel takes its time', async () => {
    const { env } = environment();
    const slow: Channel = {
      async deliver() {
        await once(env, 'heartbeat');
        return {};
      },
    };
    const timing = { logWaitMs: 1_000, heartbeatMs: 1 };

    const receipt = await env.run(notifyOver(slow, { timing }), requestWith());

    assert.deepEqual(receipt, { channel: 'console', delivered_at: NOW });
  });
});
