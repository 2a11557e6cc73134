import express from 'express';
import type { Request, RequestHandler } from 'express';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { SignedBySlack } from '../../contracts/slack-interaction.js';
import { runFor } from '../http/route.js';
import type { Binding, RouteCall } from '../http/route.js';
import { SLACK } from '../operations/slack.js';

/** Reads the bytes of a request of Slack, which are what it has signed. */
export const slackBody: RequestHandler = express.raw({ limit: LIMITS.bodyBytes, type: () => true });

/** A request of Slack whose body was read. */
export function signedBySlack(req: Request): SignedBySlack {
  return {
    timestamp: req.get('X-Slack-Request-Timestamp') ?? '',
    signature: req.get('X-Slack-Signature') ?? '',
    body: Buffer.isBuffer(req.body) ? req.body : new Uint8Array(),
  };
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
      const acknowledgement = await runFor(call, SLACK.answerBySlack)(signedBySlack(req));
      if (acknowledgement === undefined) res.status(200).end();
      else res.status(200).json(acknowledgement);
    },
  },
];
