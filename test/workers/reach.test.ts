import assert from 'node:assert/strict';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { loadLinkKeys } from '../../runtime/link-tokens.js';
import { newKey } from '../../runtime/own-secrets.js';
import { StartupError } from '../../runtime/program.js';
import { openDatabase } from '../../store/database.js';
import { reachOf } from '../../workers/channel-checks.js';
import { BOT_TOKEN, SIGNING_SECRET } from '../support/slack.js';

describe('the channels of a worker', () => {
  const chat = { type: 'slack', bot_token: BOT_TOKEN, answers: { signing_secret: SIGNING_SECRET } };
  const config = serverConfigSchema.parse({
    directory: {},
    notifications: { default_channel: 'chat', channels: { chat } },
  });
  // Nothing is read, so nothing is connected.
  const sources = {
    db: openDatabase('postgres://127.0.0.1:9/nowhere'),
    traceparent: () => undefined,
  };

  it('need keys for the buttons of answers in Slack, as the API does', () => {
    assert.throws(
      () => reachOf(config, undefined, sources),
      (error) => error instanceof StartupError && /HOLDPOINT_LINK_KEYS/.test(error.message),
    );
  });

  it('are there once it has them', () => {
    const keys = loadLinkKeys({ HOLDPOINT_LINK_KEYS: newKey() });
    assert.ok(reachOf(config, keys, sources).channels);
  });
});
