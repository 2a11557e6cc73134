import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import { configuredQuestion } from '../../../domain/suspension/asking/configured-question.js';
import { granted, requestWith } from '../samples.js';

const CHANNELS = { console: { type: 'console' }, quiet: { type: 'none' } };

/** The findings about a question where `quiet` is the default channel, and sends nothing. */
function found(fields: Partial<SuspendRequest>, notifications: object = {}) {
  const config = serverConfigSchema.parse({
    notifications: { channels: CHANNELS, default_channel: 'quiet', ...notifications },
  });
  const { findings } = granted(
    configuredQuestion(requestWith(fields), config, { contextBytes: 65_536 }, 'default'),
  );
  return { silent: findings.tells_nobody_at_first ?? false, warnings: findings.warnings ?? [] };
}

function laddered(...entries: readonly object[]): Partial<SuspendRequest> {
  const escalation_ladder = entries.map((entry) => ({ attempt: 1, ...entry }));
  return {
    retry_policy: { max_attempts: 3, interval_seconds: 60, escalation_ladder },
  } as Partial<SuspendRequest>;
}

describe('a channel that sends nothing', () => {
  it('needs no delivery where it is the default one, or named', () => {
    assert.deepEqual(found({}), { silent: true, warnings: [] });
    assert.equal(found({}, { default_channel: 'console' }).silent, false);
    const named = found({ channel_hint: 'quiet' }, { default_channel: 'console' });
    assert.deepEqual(named, { silent: true, warnings: [] });
    assert.equal(found({ channel_hint: 'console' }).silent, false);
  });

  it('is no reason to be silent about a channel that is not configured, or a name that it inherits', () => {
    for (const channel_hint of ['pager', 'toString']) {
      const { silent, warnings } = found({ channel_hint });
      assert.equal(silent, false);
      assert.match(warnings.join(), /is not configured/);
    }
  });

  it('concerns the first attempt alone, and all of its messages', () => {
    assert.equal(found(laddered({ attempt: 2, channel_hint: 'console' })).silent, true);
    assert.equal(found(laddered({ channel_hint: 'console' })).silent, false);
    assert.equal(found(laddered({ channel_hint: '' }, { channel_hint: 'console' })).silent, false);
    assert.equal(found(laddered({ channel_hint: '' }, { channel_hint: 'quiet' })).silent, true);
  });

  it('warns of whom a ladder names, at any attempt, once', () => {
    const ladder = [
      { channel_hint: 'quiet', notify_to: 'bob' },
      { attempt: 2, channel_hint: 'console', notify_to: 'ursula' },
      { attempt: 3, channel_hint: '', notify_to: 'bob' },
    ];
    assert.deepEqual(found(laddered(...ladder)), {
      silent: true,
      warnings: ['The channel quiet sends nothing, so it does not notify bob.'],
    });
  });

  it('leaves it to a delivery to note a recipient that is not allowed [R26-88]', () => {
    const to = (notify_to: string) => laddered({ channel_hint: 'quiet', notify_to });
    const allowed_recipients = ['bob'];
    assert.equal(found(to('mallory'), { allowed_recipients }).silent, false);
    assert.equal(found(to('bob'), { allowed_recipients }).silent, true);
  });

  it('is the default channel none without a definition, unless there is one', () => {
    const { notifications } = serverConfigSchema.parse({
      notifications: { default_channel: 'none' },
    });
    assert.deepEqual(notifications.channels['none'], { type: 'none' });
    assert.equal(notifications.channels['console']?.type, 'console');
    const own = { default_channel: 'none', channels: { none: { type: 'console' } } };
    assert.equal(
      serverConfigSchema.parse({ notifications: own }).notifications.channels['none']?.type,
      'console',
    );
    assert.equal(found({}, { ...own, channels: {} }).silent, true);
  });
});
