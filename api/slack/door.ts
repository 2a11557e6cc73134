import type { JsonObject } from '../../contracts/primitives.js';
import type { FromSlack } from '../../contracts/slack-interaction.js';
import { RefusalError } from '../errors.js';
import type { SlackInteractions } from './interactions.js';

interface Deps {
  /** Undefined in an app without channels whose buttons come back. */
  readonly interactions: Pick<SlackInteractions, 'take'> | undefined;
}

/** What Slack posts: taken if its signature proves that it comes from there. */
export function createSlackDoor({ interactions }: Deps) {
  return {
    /** What the reply holds, if anything. */
    async take({ channels, body }: FromSlack): Promise<JsonObject | undefined> {
      if (interactions === undefined || channels.length === 0) {
        throw new RefusalError({
          code: 'signature_refused',
          detail: 'No app of a channel has signed this request in the last five minutes.',
          field: 'X-Slack-Signature',
          accepted: 'the signature of Slack over X-Slack-Request-Timestamp and the body',
        });
      }
      return interactions.take(payloadIn(body), channels);
    },
  };
}
export type SlackDoor = ReturnType<typeof createSlackDoor>;

/** The field `payload` of a posted form, which is JSON. */
function payloadIn(body: Uint8Array): unknown {
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
