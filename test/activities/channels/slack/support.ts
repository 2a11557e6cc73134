import {
  createSlackChannel,
  type SlackSurroundings,
} from '../../../../activities/channels/slack/channel.js';
import type { Addressee, DeliverOptions } from '../../../../activities/channels/channel.js';
import type { NotificationRequest } from '../../../../contracts/channel/notification.js';
import {
  slackConfigSchema,
  type SlackConfig,
} from '../../../../contracts/channel/channel-config.js';
import { redact, type RedactionRules } from '../../../../domain/suspension/telling/redaction.js';
import { buttonMaker, buttonOpener, type LinkKeys } from '../../../../runtime/link-tokens.js';
import { BOT_TOKEN, SIGNING_SECRET } from '../../../support/slack.js';
import { requestWith } from '../../../domain/suspension/notification-samples.js';

export const NOW = Date.parse('2026-11-21T10:00:00.000Z');
export const INBOX = 'https://hold.example.com/inbox';
export const LINK = `${INBOX}/link#a.b.c.d.e`;
export const ANA: Addressee = { principal: 'ana', name: 'Ana', address: 'U1', link: LINK };
const KEYS: LinkKeys = [new Uint8Array(32).fill(5)];
export const openButton = buttonOpener(KEYS, () => NOW);

/** The configuration of a channel to this fake. */
export function slackOver(api_url: string, changes: Partial<SlackConfig> = {}): SlackConfig {
  const answers = { signing_secret: SIGNING_SECRET };
  return slackConfigSchema.parse({
    type: 'slack',
    bot_token: BOT_TOKEN,
    api_url,
    answers,
    ...changes,
  });
}

/** A channel to Slack with all that it may use. */
export function channelOver(config: SlackConfig, around: Partial<SlackSurroundings> = {}) {
  return createSlackChannel('chat', config, {
    inbox: INBOX,
    button: buttonMaker(KEYS, () => NOW),
    ...around,
  });
}

/** The people of the group finance, as a conversation is told of them. */
const FINANCE = ['U1', 'U2'].map((slack) => ({
  principal: slack.toLowerCase(),
  slack,
  space: 'default',
  answers_by_link: true,
}));

/** Delivers one message, the first of three attempts by default, to one person unless the channel has a conversation. */
export function slackTo(
  config: SlackConfig,
  request: Partial<NotificationRequest> = {},
  around: Partial<SlackSurroundings> = {},
  signal: AbortSignal = new AbortController().signal,
  redaction: Partial<RedactionRules> = {},
) {
  const whole = requestWith(request);
  const rules = {
    context_keys: ['order', 'risk_class', 'tool_call', 'visible_context'],
    personal_data_keys: ['iban'],
    e2e_encrypted: false,
    ...redaction,
  };
  const options: DeliverOptions = {
    idempotencyKey: whole.delivery_id,
    signal,
    ...(config.conversation === undefined
      ? { to: ANA }
      : { addressed: whole.notify_to === 'finance' ? FINANCE : [] }),
    ...(whole.alert === undefined && { asks: { space: 'default', question_version: 1 } }),
  };
  return channelOver(config, around).deliver(redact(whole, rules), options);
}
