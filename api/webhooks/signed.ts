import { Webhook } from 'standardwebhooks';
import type { ServerConfig } from '../../contracts/config.js';
import type { OpenAnswer } from '../../contracts/webhook-answer.js';

/**
 * Returns what finds the channel that has signed an answer, by Standard Webhooks: over id, time and body, with one of the
 * secrets under `answers` of a channel, and at most five minutes ago.
 *
 * @param config with the secrets themselves in place of the variables that hold them
 */
export function answerOpener({ notifications }: Pick<ServerConfig, 'notifications'>): OpenAnswer {
  const answering = Object.entries(notifications.channels).flatMap(([name, channel]) => {
    if (channel.type !== 'webhook' || channel.answers === undefined) return [];
    const { secrets, people } = channel.answers;
    return [{ name, people, keys: secrets.map((secret) => new Webhook(secret)) }];
  });
  return ({ id, timestamp, signature, body }) => {
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    };
    const text = Buffer.from(body).toString();
    const found = answering.find(({ keys }) => keys.some((key) => isBy(key, text, headers)));
    return found && { name: found.name, people: found.people };
  };
}

function isBy(key: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    key.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
