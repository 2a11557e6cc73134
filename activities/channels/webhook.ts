import { createHash } from 'node:crypto';
import type { WebhookConfig } from '../../contracts/webhook.js';
import type { Channel } from '../ports.js';
import { webhookEvent } from './webhook/event.js';
import { createWebhookSender } from './webhook/sender.js';
import type { WebhookSurroundings } from './webhook/sender.js';

/**
 * A channel that posts each message to the configured URL; see `createWebhookSender`.
 *
 * @param config with the secrets themselves in place of the variables that hold them
 */
export function createWebhookChannel(
  config: WebhookConfig,
  surroundings?: WebhookSurroundings,
): Channel {
  const url = new URL(config.url);
  const send = createWebhookSender(config, surroundings);
  return {
    async deliver(message, { idempotencyKey, signal }) {
      const body = JSON.stringify(webhookEvent(message, idempotencyKey));
      const id = webhookId(idempotencyKey);
      return { ...(await send({ url, id, body, signal })), reference: id };
    },
  };
}

/**
 * The id of a delivery's webhook, the same over all its tries. Headers end up in logs on the way, so
 * it does not show the suspension's id (R25-100).
 */
export function webhookId(deliveryId: string): string {
  return `msg_${createHash('sha256').update(deliveryId).digest('hex').slice(0, 32)}`;
}
