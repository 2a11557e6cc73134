import type { ServerConfig } from '../../contracts/config.js';
import type { RespondResult } from '../../contracts/suspension-view.js';
import type { OpenAnswer, SignedMessage, WebhookAnswer } from '../../contracts/webhook-answer.js';
import { personAnsweredFor } from '../../domain/directory/answers.js';
import { callerByLink } from '../../domain/directory/links.js';
import { RefusalError, demand } from '../errors.js';
import type { Gateway } from '../gateway/index.js';

interface Deps {
  readonly gateways: (space: string) => Pick<Gateway, 'respond'>;
  readonly config: Pick<ServerConfig, 'directory'>;
  readonly open: OpenAnswer;
}

/** What a webhook does that brings an answer. */
export type WebhookAnswers = ReturnType<typeof createWebhookAnswers>;

function unsigned(): RefusalError {
  return new RefusalError({
    code: 'signature_refused',
    detail: 'No channel that may answer has signed this message in the last five minutes.',
    field: 'webhook-signature',
    accepted: 'a signature by Standard Webhooks over webhook-id, webhook-timestamp and the body',
  });
}

/** Answers that people have given elsewhere, as the channels bring them that the configuration lets do so. */
export function createWebhookAnswers({ gateways, config, open }: Deps) {
  return {
    /**
     * The answer of the person, judged as every other; undefined if it is handed over and not judged yet. A message that
     * comes again gets the first result, for its id is the key of the answer.
     */
    async answer(message: SignedMessage, body: WebhookAnswer): Promise<RespondResult | undefined> {
      const channel = open(message);
      if (channel === undefined) throw unsigned();
      const { person: principal, metadata, ...answer } = body;
      const { directory } = config;
      const person = demand(personAnsweredFor(directory, channel, principal));
      if (directory === undefined) throw unsigned();
      const request = { ...answer, metadata: { ...metadata, via: channel.name } };
      const key = `webhook:${channel.name}:${message.id}`;
      const caller = callerByLink(directory, person);
      const outcome = await gateways(person.space).respond(caller, undefined, request, key);
      return outcome.accepted ? outcome.result : undefined;
    },
  };
}
