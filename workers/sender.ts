import { createWebhookSender } from '../activities/channels/webhook/sender.js';
import type { WebhookSender } from '../activities/channels/webhook/sender.js';
import type { ServerConfig } from '../contracts/config.js';

/** How events are posted to subscriptions; undefined where there are no secrets to sign with. */
export function senderOf({ subscriptions }: ServerConfig): WebhookSender | undefined {
  const { secrets, ...posting } = subscriptions;
  return secrets && createWebhookSender({ secrets, ...posting });
}
