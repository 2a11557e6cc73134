import assert from 'node:assert/strict';
import type { ZodError } from 'zod';
import {
  apiVariables,
  secretVariables,
  withApiSecrets,
  withSecrets,
} from '../../runtime/config-secrets.js';
import { StartupError } from '../../runtime/program.js';
import { serverConfigSchema, type ServerConfig } from '../../contracts/server/config.js';

const SECRET = `whsec_${Buffer.alloc(24, 'a').toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(64, 'b').toString('base64')}`;

function configWith(...secrets: readonly string[]): ServerConfig {
  const ops = { type: 'webhook', url: 'https://example.com', secrets };
  const channels = { console: { type: 'console' }, 'on call': ops };
  return serverConfigSchema.parse({ notifications: { channels } });
}

function secretsOf({ notifications }: ServerConfig): unknown {
  const channel = notifications.channels['on call'];
  return channel?.type === 'webhook' ? channel.secrets : undefined;
}

describe('secrets of channels', () => {
  it('come from the environment or the file', () => {
    const config = configWith('$OPS_SECRET', OTHER);
    const env = { OPS_SECRET: SECRET, OTHER: 'unused' };
    assert.deepEqual(secretsOf(withSecrets(config, env)), [SECRET, OTHER]);
    assert.deepEqual(secretVariables(config), ['OPS_SECRET']);
  });

  it('are those of subscriptions as well', () => {
    const config = serverConfigSchema.parse({ subscriptions: { secrets: ['$EVENTS', OTHER] } });
    const { secrets } = withSecrets(config, { EVENTS: SECRET }).subscriptions;
    assert.deepEqual(secrets, [SECRET, OTHER]);
    assert.deepEqual(secretVariables(config), ['EVENTS']);
    assert.throws(() => withSecrets(config, {}), {
      message: 'subscriptions.secrets[0]: the environment variable EVENTS is not set.',
    });
  });

  it('of subscriptions alone reach the API', () => {
    const { notifications } = configWith('$OPS_SECRET');
    const config = {
      ...serverConfigSchema.parse({ subscriptions: { secrets: ['$EVENTS'] } }),
      notifications,
    };
    const own = withApiSecrets(config, { EVENTS: SECRET });
    assert.deepEqual(own.subscriptions.secrets, [SECRET]);
    assert.deepEqual(own.notifications, notifications);
    assert.deepEqual(apiVariables(config), ['EVENTS']);
    assert.deepEqual(secretVariables(config), ['OPS_SECRET', 'EVENTS']);
  });

  it('leave everything else as it is', () => {
    const config = configWith(SECRET);
    assert.deepEqual(withSecrets(config, {}), config);
    assert.deepEqual(secretVariables(config), []);
  });

  for (const [what, value, message] of [
    ['missing', undefined, 'is not set.'],
    ['empty', '', 'is not set.'],
    ['a password', 'hunter2', 'must hold "whsec_" and 24 to 64 random bytes in base64.'],
    ['a variable again', '$OTHER', 'must hold "whsec_" and 24 to 64 random bytes in base64.'],
  ] as const) {
    it(`are refused in one line where the variable is ${what}`, () => {
      const field = 'notifications.channels["on call"].secrets[1]';
      assert.throws(
        () => withSecrets(configWith(SECRET, '$OPS_SECRET'), { OPS_SECRET: value }),
        new StartupError(`${field}: the environment variable OPS_SECRET ${message}`),
      );
    });
  }

  const bytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString('base64')}`;
  for (const count of [24, 25, 26, 32, 62, 63, 64]) {
    it(`may have ${count} bytes`, () => {
      assert.deepEqual(secretsOf(configWith(bytes(count))), [bytes(count)]);
    });
  }

  for (const [what, secret] of [
    ['23 bytes', bytes(23)],
    ['65 bytes', bytes(65)],
    ['no prefix', bytes(24).slice(6)],
    ['base64 for URLs', `whsec_${'-_'.repeat(16)}`],
    ['no padding', bytes(25).replaceAll('=', '')],
    ['a line break', `${bytes(24)}\n`],
  ] as const) {
    it(`are refused with ${what}`, () => {
      assert.throws(
        () => configWith(secret),
        (error: ZodError) => {
          assert.deepEqual(
            error.issues.map(({ path }) => path.join('.')),
            ['notifications.channels.on call.secrets.0'],
          );
          return true;
        },
      );
    });
  }

  const withAnswers = (answers: object | undefined) =>
    serverConfigSchema.parse({
      directory: {},
      notifications: {
        default_channel: 'chat',
        channels: { chat: { type: 'slack', bot_token: '$BOT', answers } },
      },
    });
  const slackIn = (config: ReturnType<typeof withSecrets>) => {
    const own = config.notifications.channels['chat'];
    assert.ok(own?.type === 'slack');
    return own;
  };

  it('takes the secrets of Slack from the environment of the worker', () => {
    const slack = withAnswers(undefined);
    assert.deepEqual(secretVariables(slack), ['BOT']);
    assert.deepEqual(apiVariables(slack), []);
    assert.equal(slackIn(withSecrets(slack, { BOT: 'xoxb-1-a' })).bot_token, 'xoxb-1-a');
    assert.equal(slackIn(withApiSecrets(slack, {})).bot_token, '$BOT');
  });

  it('takes what answers in Slack need from the environment of the API alone', () => {
    const slack = withAnswers({ signing_secret: '$SIGN', app_token: '$APP' });
    assert.deepEqual(secretVariables(slack), ['BOT']);
    assert.deepEqual(apiVariables(slack), ['BOT', 'SIGN', 'APP']);
    const env = { BOT: 'xoxb-1-a', SIGN: 'ab'.repeat(16), APP: 'xapp-1-a' };
    const own = slackIn(withApiSecrets(slack, env));
    assert.deepEqual(
      [own.bot_token, own.answers?.signing_secret, own.answers?.app_token],
      [env.BOT, env.SIGN, env.APP],
    );
    assert.equal(slackIn(withSecrets(slack, env)).answers?.signing_secret, '$SIGN');
  });

  for (const [variable, field, form] of [
    ['BOT', 'bot_token', /a bot token/],
    ['SIGN', 'answers.signing_secret', /a signing secret of 32 hexadecimal digits/],
    ['APP', 'answers.app_token', /an app-level token/],
  ] as const) {
    it(`refuses what cannot be the ${field} of Slack, without showing it`, () => {
      const slack = withAnswers({ signing_secret: '$SIGN', app_token: '$APP' });
      const env = { BOT: 'xoxb-1-a', SIGN: 'ab'.repeat(16), APP: 'xapp-1-a' };
      assert.throws(
        () => withApiSecrets(slack, { ...env, [variable]: 'xoxp-secret' }),
        (error: Error) => {
          assert.ok(error.message.startsWith(`notifications.channels.chat.${field}: `));
          assert.match(error.message, form);
          return !error.message.includes('xoxp-secret');
        },
      );
    });
  }

  it('takes no answers in Slack without a way in', () => {
    assert.throws(() => withAnswers({}), /signing_secret, app_token, or both/);
    assert.throws(() => withAnswers({ signing_secret: 'short' }), /signing secret/);
    assert.equal(slackIn(withAnswers({ signing_secret: '$SIGN' })).answers?.approvals, true);
  });
});
