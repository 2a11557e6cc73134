import { createHash } from 'node:crypto';
import type { WebhookConfig } from '../../../contracts/server/config.js';
import type { Channel, OutgoingMessage } from '../channel.js';
import { createWebhookSender, type WebhookSurroundings } from './sender.js';

/**
 * A channel that posts each message to the configured URL; see `createWebhookSender`.
 *
 * @param config - with the secrets themselves
 */
export function createWebhookChannel(
  config: WebhookConfig,
  surroundings?: Partial<WebhookSurroundings>,
): Channel {
  const url = new URL(config.url);
  const send = createWebhookSender(config, surroundings);
  return {
    async deliver(message, { idempotencyKey, signal }) {
      const body = JSON.stringify(webhookEvent(message, idempotencyKey));
      const id = webhookId(idempotencyKey);
      return { ...(await send({ url, id, body, secrets: config.secrets, signal })), reference: id };
    },
  };
}

/** Returns the id of a delivery's webhook, the same for all its tries. Logs show it, so it does not contain the suspension's id (R25-100). */
export function webhookId(deliveryId: string): string {
  return `msg_${createHash('sha256').update(deliveryId).digest('hex').slice(0, 32)}`;
}

/** Body of a webhook: a question to an operator, its re-notification or delegation, or an alert. All tries have the same body. */
interface WebhookEvent {
  readonly type:
    | 'suspension.requested'
    | 'suspension.renotified'
    | 'suspension.delegated'
    | 'approval.sla_breached';
  /** When the attempt was due, or a stage should have decided (ISO-8601). */
  readonly timestamp: string;
  readonly data: Omit<
    OutgoingMessage,
    'text' | 'choices' | 'approval' | 'expires_at' | 'due_at'
  > & {
    readonly delivery_id: string;
    /** The wording of this attempt (R26-63). */
    readonly question: string;
    readonly choices: NonNullable<OutgoingMessage['choices']>;
    readonly expires_at: string | null;
    /** Only for approvals: the hash that an answer has to name. */
    readonly proposal_hash?: string;
  };
}

/**
 * Makes the body from a redacted message. The receiver must treat `suspension_id`, which it needs to answer, as a
 * secret (R25-100).
 */
function webhookEvent(message: OutgoingMessage, delivery_id: string): WebhookEvent {
  const { text, due_at, choices = [], expires_at = null, approval, ...rest } = message;
  return {
    type: typeOf(message),
    timestamp: due_at,
    data: {
      delivery_id,
      ...rest,
      question: text,
      choices,
      expires_at,
      ...(approval && { proposal_hash: approval.proposal_hash }),
    },
  };
}

function typeOf({ attempt, alert, delegated_by }: OutgoingMessage): WebhookEvent['type'] {
  if (alert) return 'approval.sla_breached';
  if (delegated_by !== undefined) return 'suspension.delegated';
  return attempt === 1 ? 'suspension.requested' : 'suspension.renotified';
}
