import type { Request, RequestHandler } from 'express';
import type { FromSlack } from '../../contracts/channel/slack-interaction.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { RefusalError } from '../errors.js';
import { runFor } from '../http/route.js';
import type { Binding, RouteCall } from '../http/route.js';
import { answerBySlack } from '../usecases/suspension/signed-answers.js';
import type { SlackInteractions } from './interactions.js';
import type { FindSigners } from './signature.js';

const looked = new WeakMap<Request, FromSlack>();

/** Finds the channels that signed a request whose bytes were read. It refuses nobody. */
export function findSigners(signers: FindSigners): RequestHandler {
  return (req, _res, next) => {
    const body = Buffer.isBuffer(req.body) ? req.body : new Uint8Array();
    const timestamp = req.get('X-Slack-Request-Timestamp') ?? '';
    const signature = req.get('X-Slack-Signature') ?? '';
    looked.set(req, { channels: signers({ timestamp, signature, body }), body });
    next();
  };
}

/**
 * Returns the body of a request, with the channels that signed it.
 *
 * @throws Error on a route that is not behind `findSigners`, which is a defect
 */
export function fromSlack(req: Request): FromSlack {
  const found = looked.get(req);
  if (found === undefined) throw new Error('This route is not behind findSigners.');
  return found;
}

/**
 * Returns a function that takes a request, if its signature proves that it comes from Slack. It resolves with the body of the
 * reply, if there is one.
 *
 * @param interactions - undefined in an app without channels whose buttons come back
 */
export function takeSigned(interactions?: Pick<SlackInteractions, 'take'>) {
  return async ({ channels, body }: FromSlack): Promise<JsonObject | undefined> => {
    if (interactions === undefined || channels.length === 0) {
      throw new RefusalError({
        code: 'signature_refused',
        detail: 'No app of a channel has signed this request in the last five minutes.',
        field: 'X-Slack-Signature',
        accepted: 'the signature of Slack over X-Slack-Request-Timestamp and the body',
      });
    }
    return interactions.take(payloadIn(body), channels);
  };
}

/** Reads the field `payload` of a posted form, which is JSON. */
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

/** The route to which Slack posts interactions. Slack defines their form, so our OpenAPI document does not show it. */
export const SLACK_ROUTES: readonly Binding[] = [
  {
    operation: answerBySlack,
    method: 'post',
    path: '/interactions',
    takesBody: false,
    async serve(call: RouteCall) {
      const { req, res } = call;
      const acknowledgement = await runFor(call, answerBySlack)(fromSlack(req));
      if (acknowledgement === undefined) res.status(200).end();
      else res.status(200).json(acknowledgement);
    },
  },
];
