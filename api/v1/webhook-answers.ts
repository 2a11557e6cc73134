import { linkHandedOverSchema } from '../../contracts/links.js';
import { respondResultSchema } from '../../contracts/suspension-view.js';
import { webhookAnswerSchema } from '../../contracts/webhook-answer.js';
import { jsonOf } from '../http/input.js';
import { bytesOf } from '../http/json-body.js';
import { reply } from '../http/reply.js';
import { WEBHOOK_ANSWERS } from '../operations/webhook-answer.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const HANDED_OVER = {
  status: 'handed_over',
  detail: 'The answer is delivered but not yet accepted; send it again to learn what became of it.',
} as const;

/** Answers that come by a signed webhook. */
export const WEBHOOK_ANSWER_ROUTES: readonly Route[] = [
  v1Route(WEBHOOK_ANSWERS.answerByWebhook, {
    method: 'post',
    path: '/webhooks/answers',
    summary: 'Brings the answer of a person of the directory, signed by a channel',
    headers: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    body: jsonOf(webhookAnswerSchema),
    replies: {
      200: {
        description: 'The answer counts. Without `resolution`, more people have to answer.',
        body: respondResultSchema,
      },
      202: {
        description: 'No worker took it within 10 s: it is kept, and judged by when it came in.',
        body: linkHandedOverSchema,
      },
    },
    async handle({ run, call, headers, body }) {
      const message = {
        id: headers['webhook-id'],
        timestamp: headers['webhook-timestamp'],
        signature: headers['webhook-signature'],
        body: bytesOf(call.req),
      };
      const answered = await run(message, body);
      return answered === undefined ? reply(202, HANDED_OVER) : reply(200, answered);
    },
  }),
];
