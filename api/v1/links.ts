import {
  answerLinkRequestSchema,
  linkAnsweredSchema,
  linkHandedOverSchema,
  linkViewSchema,
  readLinkRequestSchema,
} from '../../contracts/links.js';
import { jsonOf } from '../http/input.js';
import { reply } from '../http/reply.js';
import { LINKS } from '../operations/link.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const HANDED_OVER = {
  status: 'handed_over',
  detail:
    'The answer is delivered but not yet accepted; read the link again to see what became of it.',
} as const;

/** What the page of a link posts. Tokens come in bodies, which no log keeps, and never in a URL. */
export const LINK_ROUTES: readonly Route[] = [
  v1Route(LINKS.readLink, {
    method: 'post',
    path: '/links/read',
    summary: 'Shows the question of a link; decides nothing and uses nothing up',
    body: jsonOf(readLinkRequestSchema),
    replies: { 200: { description: 'The question is open.', body: linkViewSchema } },
    handle: async ({ run, body: { token } }) => reply(200, await run(token)),
  }),
  v1Route(LINKS.answerLink, {
    method: 'post',
    path: '/links/answer',
    summary: 'Answers the question of a link, as the person that it was sent to',
    body: jsonOf(answerLinkRequestSchema),
    replies: {
      200: { description: 'The answer counts.', body: linkAnsweredSchema },
      202: {
        description: 'No worker took it within 10 s: it is kept, and judged by when it came in.',
        body: linkHandedOverSchema,
      },
    },
    async handle({ run, body }) {
      const answered = await run(body);
      return answered === undefined ? reply(202, HANDED_OVER) : reply(200, answered);
    },
  }),
];
