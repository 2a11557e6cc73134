import { Webhook } from 'standardwebhooks';
import type { FromSlack } from '../../../contracts/channel/slack-interaction.js';
import type {
  OpenAnswer,
  SignedMessage,
  WebhookAnswer,
} from '../../../contracts/channel/webhook-answer.js';
import type { ServerConfig } from '../../../contracts/server/config.js';
import type { RespondResult } from '../../../contracts/suspension/view.js';
import { personAnsweredFor } from '../../../domain/directory/answers.js';
import { callerByLink } from '../../../domain/directory/links.js';
import { demand } from '../../errors.js';
import type { RefusalError } from '../../errors.js';
import { refused } from '../../parts/refusals.js';
import { useCase } from '../usecase.js';
import type { Call, Services } from '../usecase.js';
import { ANSWER_REFUSALS, respond } from './respond.js';

/* Answers from channels and from Slack. Their signature is the proof, so these need no key. */

/**
 * Answers as a person who answered elsewhere, by the rules of every answer; undefined if the answer is handed over and not
 * judged yet. A repeated message gets the first result, for its id is the key of the answer.
 */
export const answerByWebhook = useCase({
  name: 'answerByWebhook',
  resource: 'suspension',
  refusals: [
    'signature_refused',
    'not_answered_for',
    'invalid_request',
    'too_many_requests',
    'forbidden',
    'suspension_not_found',
    ...ANSWER_REFUSALS,
  ],
  async run(
    { config: { directory }, openAnswer, partsOf }: Call & Services,
    message: SignedMessage,
    { person: principal, metadata, ...answer }: WebhookAnswer,
  ): Promise<RespondResult | undefined> {
    const channel = openAnswer(message);
    if (channel === undefined) throw unsigned();
    const person = demand(personAnsweredFor(directory, channel, principal));
    if (directory === undefined) throw unsigned();
    const request = { ...answer, metadata: { ...metadata, via: channel.name } };
    const key = `webhook:${channel.name}:${message.id}`;
    const call = { caller: callerByLink(directory, person), parts: partsOf(person.space) };
    const outcome = await respond.run(call, undefined, request, key);
    return outcome.accepted ? outcome.result : undefined;
  },
});

function unsigned(): RefusalError {
  return refused(
    'signature_refused',
    'No channel that may answer has signed this message in the last five minutes.',
    {
      field: 'webhook-signature',
      accepted: 'a signature by Standard Webhooks over webhook-id, webhook-timestamp and the body',
    },
  );
}

/** Takes an interaction of a person in Slack. A refused answer is a message in Slack, not a refusal of this request. */
export const answerBySlack = useCase({
  name: 'answerBySlack',
  resource: 'suspension',
  refusals: ['signature_refused', 'invalid_request', 'too_many_requests'],
  run: ({ slack }: Call & Services, message: FromSlack) => slack.take(message),
});

/**
 * Returns a function that finds the channel which signed an answer, by Standard Webhooks: over id, time and body, with one of
 * the secrets under `answers` of a channel, and at most five minutes ago.
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
