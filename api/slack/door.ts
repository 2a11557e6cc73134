import type { JsonObject } from '../../contracts/primitives.js';
import type { SignedBySlack } from '../../contracts/slack-interaction.js';
import { RefusalError } from '../errors.js';
import type { SlackInteractions } from './interactions.js';
import type { FindSigners } from './signature.js';

interface Deps {
  readonly signers: FindSigners;
  /** Undefined in an app without channels whose buttons come back. */
  readonly interactions: Pick<SlackInteractions, 'take'> | undefined;
}

/** What Slack posts: taken if its signature proves that it comes from there. */
export function createSlackDoor({ signers, interactions }: Deps) {
  return {
    /** What the reply holds, if anything. */
    async take(message: SignedBySlack): Promise<JsonObject | undefined> {
      const channels = signers(message);
      if (interactions === undefined || channels.length === 0) {
        throw new RefusalError({
          code: 'signature_refused',
          detail: 'No app of a channel has signed this request in the last five minutes.',
          field: 'X-Slack-Signature',
          accepted: 'the signature of Slack over X-Slack-Request-Timestamp and the body',
        });
      }
      return interactions.take(payloadIn(message), channels);
    },
  };
}
export type SlackDoor = ReturnType<typeof createSlackDoor>;

/** The field `payload` of a posted form, which is JSON. */
function payloadIn({ body }: SignedBySlack): unknown {
  const text = new URLSearchParams(Buffer.from(body).toString('utf8')).get('payload') ?? '';
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const refusal = {
      code: 'invalid_request',
      detail: 'The body has no payload in JSON.',
      field: 'payload',
      accepted: 'a form with the field payload, as Slack posts it',
    } as const;
    throw new RefusalError(refusal, { cause });
  }
}
