import type { Refusal } from '../../contracts/kernel/problem.js';
import { boundedRefusal } from '../../domain/kernel/bounded.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { cutTo } from '../../domain/kernel/text.js';
import { isEntityId } from '../../contracts/constants/names.js';
import { problemOf, requestIdOf } from '../http/problem.js';
import {
  claimRequestSchema,
  commentRequestSchema,
  delegateRequestSchema,
  releaseRequestSchema,
} from '../../contracts/suspension/verbs.js';
import {
  bulkAnswersSchema,
  suspensionViewSchema,
  type BulkAnswers,
} from '../../contracts/suspension/view.js';
import {
  SUSPEND_CODES,
  amendRequestSchema,
  bulkAnswerRequestSchema,
} from '../../contracts/suspension/requests.js';
import { jsonOf } from '../http/input.js';
import { reply } from '../http/reply.js';
import {
  amendSuspension,
  claimSuspension,
  commentOnSuspension,
  delegateSuspension,
  releaseSuspension,
} from '../usecases/suspension/verbs.js';
import { respondToMany, type BulkOutcome } from '../usecases/suspension/respond-to-many.js';
import { v1Route, type Route } from './route.js';

type Result = BulkAnswers['results'][number];

/** The most bytes of all problems of one reply, without the choices, which appear once. */
const PROBLEMS_BYTES = 60 * 1_024;
/** The divisors by which the texts of each problem may be cut, compared with a problem alone. */
const PARTS = [1, 4, 16, 64, 128] as const;
/** The most bytes of an echoed id that no question can have. */
const ID_BYTES = 60;

/**
 * Returns the outcomes of many answers. Only the first problem has the choices, and the others refer to it. If the
 * problems are too long together, all texts are cut alike.
 */
function bulkResults(outcomes: readonly BulkOutcome[], requestId: string): BulkAnswers {
  const once = withChoicesOnce(outcomes);
  let results: readonly Result[] = [];
  for (const parts of PARTS) {
    results = once.map((outcome) => resultOf(outcome, requestId, parts));
    if (problemsBytes(results) <= PROBLEMS_BYTES) break;
  }
  return { results };
}

function withChoicesOnce(outcomes: readonly BulkOutcome[]): readonly BulkOutcome[] {
  const said = new Map<string, number>();
  return outcomes.map((one, index) => {
    if (one.outcome !== 'refused' || one.refusal.valid_choices === undefined) return one;
    const { valid_choices, ...refusal } = one.refusal;
    const all = JSON.stringify([...valid_choices].sort());
    const first = said.get(all);
    if (first === undefined) {
      said.set(all, index);
      return one;
    }
    const accepted = `one of the valid_choices of results[${first}].problem`;
    return { ...one, refusal: { ...refusal, accepted } };
  });
}

function resultOf(outcome: BulkOutcome, requestId: string, parts: number): Result {
  if (outcome.outcome !== 'refused') return outcome;
  const { refusal, suspension_id: id, ...rest } = outcome;
  return {
    suspension_id: isEntityId(id) ? id : cutTo(id, ID_BYTES),
    ...rest,
    problem: problemOf(boundedRefusal<Refusal>(refusal, parts), requestId),
  };
}

function problemsBytes(results: readonly Result[]): number {
  return results.reduce((sum, { problem, ...rest }) => {
    if (problem === undefined) return sum;
    const { valid_choices: _said, ...own } = problem;
    return sum + jsonBytes({ ...rest, problem: own });
  }, 0);
}

const AS_IT_STANDS = {
  200: { description: 'The question as it stands.', body: suspensionViewSchema },
} as const;

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
