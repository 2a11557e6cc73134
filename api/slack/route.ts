import express from 'express';
import type { Request, RequestHandler } from 'express';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { FromSlack } from '../../contracts/slack-interaction.js';
import { runFor } from '../http/route.js';
import type { Binding, RouteCall } from '../http/route.js';
import { SLACK } from '../operations/slack.js';
import type { FindSigners } from './signature.js';

/** Reads the bytes of a request of Slack, which are what it has signed. */
export const slackBody: RequestHandler = express.raw({ limit: LIMITS.bodyBytes, type: () => true });

const looked = new WeakMap<Request, FromSlack>();

/** Looks once at who has signed a request whose body was read. It refuses nobody. */
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
 * A request with those who have signed it.
 *
 * @throws Error on a route that is not behind `findSigners`, which is a defect
 */
export function fromSlack(req: Request): FromSlack {
  const found = looked.get(req);
  if (found === undefined) throw new Error('This route is not behind findSigners.');
  return found;
}

/** Where Slack posts what people do with its messages. The form of these requests is Slack's, so no document of ours has it. */
export const SLACK_ROUTES: readonly Binding[] = [
  {
    operation: SLACK.answerBySlack,
    method: 'post',
    path: '/interactions',
    takesBody: false,
    async serve(call: RouteCall) {
      const { req, res } = call;
      const acknowledgement = await runFor(call, SLACK.answerBySlack)(fromSlack(req));
      if (acknowledgement === undefined) res.status(200).end();
      else res.status(200).json(acknowledgement);
    },
  },
];
