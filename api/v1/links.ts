import {
  answerLinkRequestSchema,
  linkAnsweredSchema,
  linkHandedOverSchema,
  linkViewSchema,
  readLinkRequestSchema,
} from '../../contracts/channel/links.js';
import { webhookAnswerSchema } from '../../contracts/channel/webhook-answer.js';
import { respondResultSchema } from '../../contracts/suspension/view.js';
import { jsonOf } from '../http/input.js';
import { bytesOf } from '../http/json-body.js';
import { reply } from '../http/reply.js';
import { answerByWebhook, answerLink, readLink } from '../usecases/suspension/links.js';
import { v1Route, type Route } from './route.js';

const READ_AGAIN =
  'The answer is delivered but not yet accepted; read the link again to see what became of it.';
const SEND_AGAIN =
  'The answer is delivered but not yet accepted; send it again to learn what became of it.';
const HANDED_OVER = {
  description: 'No worker took it within 10 s: it is kept, and judged by when it came in.',
  body: linkHandedOverSchema,
} as const;

/** Requests of the page of a link. Tokens come in bodies, which no log keeps, and never in a URL. */
export const LINK_ROUTES: readonly Route[] = [
  v1Route(readLink, 'POST /links/read', {
    summary: 'Shows the question of a link; decides nothing and uses nothing up',
    body: jsonOf(readLinkRequestSchema),
    replies: { 200: { description: 'The question is open.', body: linkViewSchema } },
    handle: async ({ run, body: { token } }) => reply(200, await run(token)),
  }),
  v1Route(answerLink, 'POST /links/answer', {
    summary: 'Answers the question of a link, as the person that it was sent to',
    body: jsonOf(answerLinkRequestSchema),
    replies: {
      200: { description: 'The answer counts.', body: linkAnsweredSchema },
      202: HANDED_OVER,
    },
    async handle({ run, body }) {
      const answered = await run(body);
      if (answered !== undefined) return reply(200, answered);
      return reply(202, { status: 'handed_over', detail: READ_AGAIN });
    },
  }),
];

export const WEBHOOK_ANSWER_ROUTES: readonly Route[] = [
  v1Route(answerByWebhook, 'POST /webhooks/answers', {
    summary: 'Brings the answer of a person of the directory, signed by a channel',
    headers: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    body: jsonOf(webhookAnswerSchema),
    replies: {
      200: {
        description: 'The answer counts. Without `resolution`, more people have to answer.',
        body: respondResultSchema,
      },
      202: HANDED_OVER,
    },
    async handle({ run, call, headers, body }) {
      const message = {
        id: headers['webhook-id'],
        timestamp: headers['webhook-timestamp'],
        signature: headers['webhook-signature'],
        body: bytesOf(call.req),
      };
      const answered = await run(message, body);
      if (answered !== undefined) return reply(200, answered);
      return reply(202, { status: 'handed_over', detail: SEND_AGAIN });
    },
  }),
];
