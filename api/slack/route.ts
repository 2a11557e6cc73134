import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServerConfig } from '../../contracts/server/config.js';
import type { FromSlack, SignedBySlack } from '../../contracts/channel/slack.js';
import type { Request, RequestHandler } from 'express';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { RefusalError } from '../errors.js';
import { runFor, type Binding, type RouteCall } from '../http/route.js';
import { answerBySlack } from '../usecases/suspension/links.js';
import type { SlackInteractions } from './interactions.js';

/** The greatest difference between the time of a request and this clock. */
const TOLERANCE_SECONDS = 300;

/** Returns the names of the channels whose secret signed a request; none for an old request. */
type FindSigners = (message: SignedBySlack) => readonly string[];

/**
 * Returns a function that finds the channels with the secret that signed a request; all channels of one app share it.
 * @param config with the secrets themselves in place of the variables that hold them
 */
export function signerFinder(
  { notifications }: Pick<ServerConfig, 'notifications'>,
  now: () => number = Date.now,
): FindSigners {
  const secrets = Object.entries(notifications.channels).flatMap(([name, channel]) => {
    const secret = channel.type === 'slack' ? channel.answers?.signing_secret : undefined;
    return secret === undefined ? [] : [{ name, secret }];
  });
  return (message) =>
    secrets.filter(({ secret }) => isSignedWith(secret, message, now())).map(({ name }) => name);
}

/** Whether Slack signed a request with this secret (`v0`), within five minutes of now. It compares in constant time. */
function isSignedWith(
  secret: string,
  { timestamp, signature, body }: SignedBySlack,
  now: number,
): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  const isRecent = Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
  const given = Buffer.from(/^v0=([\da-f]{64})$/.exec(signature)?.[1] ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected) && isRecent;
}

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
 * Returns a function that handles a request if its signature proves that it comes from Slack, and resolves with the
 * body of the reply, if any.
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
