import assert from 'node:assert/strict';
import { pino } from 'pino';
import { slackSettings, startSlack } from '../../../api/slack/start.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import type { LinkKeys } from '../../../runtime/link-tokens.js';
import { StartupError } from '../../../runtime/program.js';
import { BOT_TOKEN, SIGNING_SECRET } from '../../support/slack.js';

const KEYS: LinkKeys = [new Uint8Array(32).fill(5)];

function configWith(answers: object | undefined) {
  const chat = { type: 'slack', bot_token: BOT_TOKEN, answers };
  const notifications = { default_channel: 'chat', channels: { chat } };
  return serverConfigSchema.parse({ directory: {}, notifications });
}

describe('answers in Slack', () => {
  const log = pino({ level: 'silent' });
  const partsOf = () => assert.fail('nobody has answered');

  it('are not taken where no channel has any', () => {
    const config = configWith(undefined);
    assert.equal(slackSettings(config, undefined), undefined);
    assert.equal(startSlack(undefined, { config, partsOf, log }), undefined);
  });

  it('need keys for the tokens of buttons', () => {
    const config = configWith({ signing_secret: SIGNING_SECRET });
    assert.throws(
      () => slackSettings(config, undefined),
      (error) => error instanceof StartupError && /HOLDPOINT_LINK_KEYS/.test(error.message),
    );
  });

  it('have links where the configuration says where people reach the API', () => {
    const config = configWith({ signing_secret: SIGNING_SECRET });
    assert.equal(slackSettings(config, KEYS)?.makeLink, undefined);
    const reachable = { ...config, public_url: 'https://hold.example.com' };
    assert.notEqual(slackSettings(reachable, KEYS)?.makeLink, undefined);
  });

  it('end with nothing under way', async () => {
    const config = configWith({ signing_secret: SIGNING_SECRET });
    const slack = startSlack(slackSettings(config, KEYS), { config, partsOf, log });
    assert.equal(await slack?.take({ type: 'view_closed' }, ['chat']), undefined);
    await slack?.close();
  });
});
