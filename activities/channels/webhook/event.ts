import type { OutgoingMessage } from '../../ports.js';

/** Body of a webhook: a question to an operator, or its re-notification. The same over all tries. */
export interface WebhookEvent {
  readonly type: 'suspension.requested' | 'suspension.renotified';
  /** When the attempt was due (ISO-8601). */
  readonly timestamp: string;
  readonly data: Omit<OutgoingMessage, 'text' | 'choices' | 'expires_at' | 'due_at'> & {
    readonly delivery_id: string;
    /** In the wording of its attempt (R26-63). */
    readonly question: string;
    readonly choices: NonNullable<OutgoingMessage['choices']>;
    readonly expires_at: string | null;
  };
}

/**
 * What a webhook carries: all that a redacted message holds. Its `suspension_id` is there in full, for
 * nobody can answer without it; the receiver is to treat it as a secret (R25-100).
 */
export function webhookEvent(message: OutgoingMessage, delivery_id: string): WebhookEvent {
  const { text, due_at, choices = [], expires_at = null, ...rest } = message;
  return {
    type: message.attempt === 1 ? 'suspension.requested' : 'suspension.renotified',
    timestamp: due_at,
    data: { delivery_id, ...rest, question: text, choices, expires_at },
  };
}
