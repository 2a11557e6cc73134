import assert from 'node:assert/strict';
import {
  assertAllowedRecipient,
  createChannels,
  selectChannel,
} from '../../../activities/channels/routing.js';
import { ASKED_CHANNELS } from '../../../contracts/channel/follow-up.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { BOT_TOKEN } from '../../support/slack.js';
import { configWith } from '../support.js';

const TWO = configWith({
  default_channel: 'desk',
  channels: { desk: { type: 'console' }, sealed: { type: 'console', e2e_encrypted: true } },
}).notifications;

describe('allowlist of recipients', () => {
  it('passes everyone where none is configured [R26-88]', () => {
    assert.doesNotThrow(() => assertAllowedRecipient('anyone', undefined));
  });

  it('passes a listed identity and no recipient [R26-88]', () => {
    assert.doesNotThrow(() => assertAllowedRecipient('lead', ['lead']));
    assert.doesNotThrow(() => assertAllowedRecipient(null, []));
  });

  for (const notifyTo of ['stranger', 'Lead', 'lead ']) {
    it(`refuses "${notifyTo}" beside the listed "lead" [R26-88]`, () => {
      assert.throws(() => assertAllowedRecipient(notifyTo, ['lead']), {
        name: 'ApplicationFailure',
        type: 'recipient_not_allowed',
        nonRetryable: true,
        details: [{ notify_to: notifyTo }],
      });
    });
  }
});

describe('choice of a channel', () => {
  const channels = createChannels(TWO);

  it('takes the channel that the hint names [R26-62, JC-06]', () => {
    const selected = selectChannel('sealed', TWO, channels);
    assert.equal(selected.name, 'sealed');
    assert.equal(selected.channel, channels.get('sealed'));
    assert.equal(selected.e2e_encrypted, true);
  });

  it('takes the default channel without a hint', () => {
    const selected = selectChannel(null, TWO, channels);
    assert.equal(selected.name, 'desk');
    assert.equal(selected.e2e_encrypted, false);
  });

  it('has of each type a channel that can be asked exactly where the API expects an answer', () => {
    const channels = {
      console: { type: 'console' },
      webhook: { type: 'webhook', url: 'https://ops.example.com', secrets: ['$OPS'] },
      email: { type: 'email', smtp: 'smtp://mail.example.com', from: 'hold@example.com' },
      slack: { type: 'slack', bot_token: BOT_TOKEN },
    };
    const { notifications } = serverConfigSchema.parse({
      directory: {},
      notifications: { default_channel: 'console', channels },
    });
    const made = [...createChannels(notifications)];
    const asked = made.filter(([, channel]) => channel.check !== undefined).map(([type]) => type);
    assert.deepEqual(asked, ASKED_CHANNELS);
  });

  it('has a console channel without any configuration', () => {
    const { notifications } = configWith();
    assert.equal(selectChannel(null, notifications, createChannels(notifications)).name, 'console');
  });

  for (const hint of ['pagerduty', 'constructor', '']) {
    it(`refuses the hint "${hint}" and names what there is`, () => {
      assert.throws(() => selectChannel(hint, TWO, channels), {
        name: 'ApplicationFailure',
        type: 'channel_not_configured',
        nonRetryable: true,
        details: [{ channel: hint, configured: ['desk', 'sealed'] }],
      });
    });
  }

  it('refuses a default channel that does not exist', () => {
    const config = { ...TWO, default_channel: 'gone' };
    assert.throws(() => selectChannel(null, config, channels), { type: 'channel_not_configured' });
  });
});
