import { createEmailChannel } from '../../../../activities/channels/email/channel.js';
import type { Addressee, HandedOver } from '../../../../activities/channels/channel.js';
import {
  emailConfigSchema,
  type EmailConfig,
} from '../../../../contracts/channel/channel-config.js';
import type { NotificationRequest } from '../../../../contracts/channel/notification.js';
import { redact } from '../../../../domain/suspension/telling/redaction.js';
import { requestWith } from '../../../domain/suspension/notification-samples.js';

export const NOW = new Date('2026-11-21T10:00:00.000Z');
export const LINK = 'https://hold.example.com/inbox/link#a.b.c.d.e';
export const ANA: Addressee = {
  principal: 'ana',
  name: 'Ana Ruiz',
  address: 'ana@example.com',
  link: LINK,
};

/** The configuration of a channel that may use this server without TLS. */
export function mailOver(url: string, changes: Partial<EmailConfig> = {}): EmailConfig {
  const from = 'Holdpoint <holdpoint@example.com>';
  return emailConfigSchema.parse({
    type: 'email',
    smtp: url,
    from,
    allow_plain: true,
    ...changes,
  });
}

/** Mails one message, the first of three attempts by default, once. */
export function mailTo(
  config: EmailConfig,
  request: Partial<NotificationRequest> = {},
  to: Addressee = ANA,
  signal: AbortSignal = new AbortController().signal,
): Promise<HandedOver> {
  const whole = requestWith(request);
  const rules = { context_keys: ['order'], personal_data_keys: [], e2e_encrypted: false };
  const inbox = 'https://hold.example.com/inbox';
  const channel = createEmailChannel(config, { now: () => NOW, inbox });
  const idempotencyKey = `${whole.delivery_id}/${to.principal}`;
  return channel.deliver(redact(whole, rules), { idempotencyKey, signal, to });
}
