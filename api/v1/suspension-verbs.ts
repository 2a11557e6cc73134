import {
  claimRequestSchema,
  commentRequestSchema,
  delegateRequestSchema,
  releaseRequestSchema,
} from '../../contracts/suspension-verbs.js';
import { bulkAnswersSchema, suspensionViewSchema } from '../../contracts/suspension-view.js';
import {
  SUSPEND_CODES,
  amendRequestSchema,
  bulkAnswerRequestSchema,
} from '../../contracts/suspension-requests.js';
import { jsonOf } from '../http/input.js';
import { requestIdOf } from '../http/problem.js';
import { reply } from '../http/reply.js';
import { SUSPENSIONS } from '../operations/suspension.js';
import { bulkResults } from './bulk-results.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const AS_IT_STANDS = {
  200: { description: 'The question as it stands.', body: suspensionViewSchema },
} as const;

/** What people do to open questions, one or many. */
export const SUSPENSION_VERB_ROUTES: readonly Route[] = [
  v1Route(SUSPENSIONS.claimSuspension, {
    method: 'post',
    path: '/suspensions/:suspensionId/claim',
    summary: 'Says that you look after a question, for half an hour',
    body: jsonOf(claimRequestSchema),
    keyed: true,
    replies: AS_IT_STANDS,
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
  v1Route(SUSPENSIONS.releaseSuspension, {
    method: 'post',
    path: '/suspensions/:suspensionId/release',
    summary: 'Ends a claim, or takes back a delegation',
    body: jsonOf(releaseRequestSchema),
    keyed: true,
    replies: AS_IT_STANDS,
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
  v1Route(SUSPENSIONS.commentOnSuspension, {
    method: 'post',
    path: '/suspensions/:suspensionId/comments',
    summary: 'Adds a remark to a question; for who may answer, or who asked',
    body: jsonOf(commentRequestSchema),
    keyed: true,
    replies: AS_IT_STANDS,
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
  v1Route(SUSPENSIONS.delegateSuspension, {
    method: 'post',
    path: '/suspensions/:suspensionId/delegate',
    summary: 'Passes a question on to somebody, who is notified',
    body: jsonOf(delegateRequestSchema),
    keyed: true,
    replies: AS_IT_STANDS,
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
  v1Route(SUSPENSIONS.respondToMany, {
    method: 'post',
    path: '/suspensions/respond',
    summary: 'Gives one answer to many questions',
    headers: ['Idempotency-Key'],
    body: jsonOf(bulkAnswerRequestSchema),
    replies: {
      200: { description: 'What became of each answer, in order.', body: bulkAnswersSchema },
    },
    async handle({ run, call, headers, body }) {
      const outcomes = await run(body, headers['Idempotency-Key']);
      return reply(200, bulkResults(outcomes, requestIdOf(call.res)));
    },
  }),
];

/** What who asked does to its question; its path takes what no other path names. */
export const SUSPENSION_AMEND_ROUTES: readonly Route[] = [
  v1Route(SUSPENSIONS.amendSuspension, {
    method: 'patch',
    path: '/suspensions/:suspensionId',
    summary: 'Corrects an open question; for who asked it, or an admin',
    body: jsonOf(amendRequestSchema, SUSPEND_CODES),
    keyed: true,
    replies: AS_IT_STANDS,
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
];
