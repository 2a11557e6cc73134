import {
  claimRequestSchema,
  commentRequestSchema,
  delegateRequestSchema,
  releaseRequestSchema,
} from '../../contracts/suspension/verbs.js';
import { bulkAnswersSchema, suspensionViewSchema } from '../../contracts/suspension/view.js';
import {
  SUSPEND_CODES,
  amendRequestSchema,
  bulkAnswerRequestSchema,
} from '../../contracts/suspension/requests.js';
import { jsonOf } from '../http/input.js';
import { requestIdOf } from '../http/problem.js';
import { reply } from '../http/reply.js';
import { amendSuspension } from '../usecases/suspension/amend.js';
import {
  claimSuspension,
  commentOnSuspension,
  delegateSuspension,
  releaseSuspension,
} from '../usecases/suspension/verbs.js';
import { respondToMany } from '../usecases/suspension/respond-to-many.js';
import { bulkResults } from './bulk-results.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const AS_IT_STANDS = {
  200: { description: 'The question as it stands.', body: suspensionViewSchema },
} as const;

/** Actions of people on open questions, one or many. */
export const SUSPENSION_VERB_ROUTES: readonly Route[] = [
  v1Route(claimSuspension, 'POST /suspensions/:suspensionId/claim', {
    summary: 'Claims a question for half an hour',
    body: jsonOf(claimRequestSchema),
    keyed: true,
    replies: AS_IT_STANDS,
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
  v1Route(releaseSuspension, 'POST /suspensions/:suspensionId/release', {
    summary: 'Ends a claim, or takes back a delegation',
    body: jsonOf(releaseRequestSchema),
    keyed: true,
    replies: AS_IT_STANDS,
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
  v1Route(commentOnSuspension, 'POST /suspensions/:suspensionId/comments', {
    summary: 'Adds a remark to a question; for its asker, and people who may answer',
    body: jsonOf(commentRequestSchema),
    keyed: true,
    replies: AS_IT_STANDS,
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
  v1Route(delegateSuspension, 'POST /suspensions/:suspensionId/delegate', {
    summary: 'Passes a question on to somebody, who is notified',
    body: jsonOf(delegateRequestSchema),
    keyed: true,
    replies: AS_IT_STANDS,
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
  v1Route(respondToMany, 'POST /suspensions/respond', {
    summary: 'Gives one answer to many questions',
    headers: ['Idempotency-Key'],
    body: jsonOf(bulkAnswerRequestSchema),
    replies: {
      200: { description: 'The outcome of each answer, in order.', body: bulkAnswersSchema },
    },
    async handle({ run, call, headers, body }) {
      const outcomes = await run(body, headers['Idempotency-Key']);
      return reply(200, bulkResults(outcomes, requestIdOf(call.res)));
    },
  }),
];

/** The asker corrects its question. This path would also fit others, so it comes last. */
export const SUSPENSION_AMEND_ROUTES: readonly Route[] = [
  v1Route(amendSuspension, 'PATCH /suspensions/:suspensionId', {
    summary: 'Corrects an open question; for its asker, or an admin',
    body: jsonOf(amendRequestSchema, SUSPEND_CODES),
    keyed: true,
    replies: AS_IT_STANDS,
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
];
