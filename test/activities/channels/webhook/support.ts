import { createWebhookChannel } from '../../../../activities/channels/webhook/channel.js';
import {
  resolveByDns,
  type WebhookSurroundings,
} from '../../../../activities/channels/webhook/sender.js';
import { redact } from '../../../../domain/suspension/telling/redaction.js';
import type { HandedOver } from '../../../../activities/channels/channel.js';
import type { NotificationRequest } from '../../../../contracts/channel/notification.js';
import { webhookConfigSchema, type WebhookConfig } from '../../../../contracts/server/config.js';
import { requestWith } from '../../../domain/suspension/notification-samples.js';

/** Two signing secrets; made up, and used nowhere else. */
export const OLD_SECRET = `whsec_${Buffer.alloc(24, 'old').toString('base64')}`;
export const NEW_SECRET = `whsec_${Buffer.alloc(32, 'new').toString('base64')}`;

/** A channel's configuration that may reach loopback. */
export function webhookTo(url: string, changes: Partial<WebhookConfig> = {}): WebhookConfig {
  const config = { type: 'webhook', url, secrets: [NEW_SECRET], allow_private_network: true };
  return webhookConfigSchema.parse({ ...config, ...changes });
}

export interface SendOptions extends Partial<WebhookSurroundings> {
  readonly request?: NotificationRequest;
  readonly signal?: AbortSignal;
  /** Questions the configured timeout; seconds, also below one. */
  readonly timeout_seconds?: number;
}

/** Delivers one message, the first of three attempts by default, once. */
export function sendTo(config: WebhookConfig, options: SendOptions = {}): Promise<HandedOver> {
  const { request = requestWith(), signal = new AbortController().signal } = options;
  const { resolve = resolveByDns, now = () => new Date() } = options;
  const { timeout_seconds = config.timeout_seconds } = options;
  const message = redact(request, {
    context_keys: ['order'],
    personal_data_keys: [],
    e2e_encrypted: false,
  });
  const channel = createWebhookChannel({ ...config, timeout_seconds }, { resolve, now });
  return channel.deliver(message, { idempotencyKey: request.delivery_id, signal });
}
