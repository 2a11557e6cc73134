import { changeEligibilityRequestSchema } from '../../contracts/suspension/decision.js';
import {
  engagementDecisionSchema,
  engagementSignalsSchema,
} from '../../contracts/suspension/engagement.js';
import {
  openSuspensionRequestSchema,
  pauseRequestSchema,
  resumeRequestSchema,
  saysPause,
  type OpenSuspensionRequest,
} from '../../contracts/suspension/pause-requests.js';
import {
  SUSPEND_CODES,
  cancelRequestSchema,
  respondRequestSchema,
  suspendRequestSchema,
} from '../../contracts/suspension/requests.js';
import {
  askedViewSchema,
  blockedListSchema,
  handedOverSchema,
  inboxCountsSchema,
  inboxFilterSchema,
  inboxPageSchema,
  respondResultSchema,
  suspensionViewSchema,
} from '../../contracts/suspension/view.js';
import { candidatesSchema } from '../../contracts/suspension/verbs.js';
import { defined } from '../../contracts/constants/defined.js';
import { settledRecordSchema } from '../../contracts/suspension/suspension.js';
import { jsonOf, type BodySpec } from '../http/input.js';
import {
  candidatesQuerySchema,
  inboxQuerySchema,
  inboxRequestOf,
  waitQuerySchema,
} from '../http/queries.js';
import { reply } from '../http/reply.js';
import type { ResultOf } from '../usecases/usecase.js';
import { engage } from '../usecases/intent/write.js';
import { changeEligibility, listCandidates } from '../usecases/suspension/eligibility.js';
import { countSuspensions, listSuspensions } from '../usecases/suspension/inbox.js';
import { openSuspension } from '../usecases/suspension/open.js';
import { getBlocks, getSuspension } from '../usecases/suspension/read.js';
import { respond } from '../usecases/suspension/respond.js';
import { resumeSuspension } from '../usecases/suspension/resume.js';
import { suspend } from '../usecases/suspension/suspend.js';
import { waitForSuspension } from '../usecases/suspension/wait.js';
import { cancelSuspension } from '../usecases/suspension/withdraw.js';
import { READ, askedUnder, namingKey } from './replies.js';
import { v1Route, type Route } from './route.js';

const QUESTION = jsonOf(suspendRequestSchema, SUSPEND_CODES);
const PAUSE = jsonOf(pauseRequestSchema);
/** A question or a pause, by its reason. */
const OPENING: BodySpec<OpenSuspensionRequest> = {
  schema: openSuspensionRequestSchema,
  codes: SUSPEND_CODES,
  read: (raw) => (saysPause(raw) ? PAUSE.read(raw) : QUESTION.read(raw)),
};
const ID_MISSING = { suspension_id: 'missing_suspension_id' } as const;
/** The refusals of an id that does not name the open question of the intent. */
const INTENT_ERRORS = [
  'intent_not_suspended',
  'question_not_written',
  'suspension_mismatch',
] as const;
const ASKED = { body: askedViewSchema, headers: ['Location'] } as const;
const SUSPEND_REPLIES = {
  201: { ...ASKED, description: 'The question is open, or the `Idempotency-Key` asked it before.' },
  200: { ...ASKED, description: 'The `request_key` asked it before: as it stands now.' },
} as const;
const CANCELLED = {
  200: { description: 'The settled record.', body: settledRecordSchema },
} as const;
const RESPOND_REPLIES = {
  200: {
    description: 'The answer counts. Without `resolution`, more people have to answer.',
    body: respondResultSchema,
  },
  202: {
    description: 'No worker took it within 10 s: it is kept, and judged by when it came in.',
    body: handedOverSchema,
    headers: ['Location'],
  },
} as const;

type Opened = ResultOf<typeof suspend>;

/** Under an `Idempotency-Key`, a repeated request gets the reply of the first one. */
function openedReply({ created, view, warnings }: Opened, key?: string) {
  const asked = { ...view, ...(warnings.length > 0 && { warnings }) };
  return reply(created || key !== undefined ? 201 : 200, asked, {
    Location: `/v1/suspensions/${view.id}`,
  });
}

function answeredReply(outcome: ResultOf<typeof respond>, intent_id: string | null) {
  if (outcome.accepted) return reply(200, outcome.result);
  const { suspension_id } = outcome;
  const detail = 'The answer is delivered but not yet accepted; read its outcome at Location.';
  const handedOver = { intent_id, suspension_id, status: 'handed_over', detail } as const;
  return reply(202, handedOver, { Location: `/v1/suspensions/${suspension_id}` });
}

/** Agents ask and withdraw questions, for an intent or without one. */
const ASKING_ROUTES: readonly Route[] = [
  v1Route(openSuspension, 'POST /suspensions', {
    summary: 'Asks a question that holds up no intent, or pauses for another reason',
    headers: ['Idempotency-Key'],
    body: OPENING,
    replies: SUSPEND_REPLIES,
    async handle({ run, headers, body }) {
      const key = namingKey(headers['Idempotency-Key'], body);
      return openedReply(await askedUnder(key, body, run), key);
    },
  }),
  v1Route(suspend, 'POST /intents/:intentId/suspend', {
    summary: 'Asks a question; the intent waits for its answer',
    headers: ['Idempotency-Key'],
    body: QUESTION,
    replies: SUSPEND_REPLIES,
    async handle({ run, params, headers, body }) {
      const key = namingKey(headers['Idempotency-Key'], body);
      const ask = (asked: typeof body) => run(params.intentId, asked);
      return openedReply(await askedUnder(key, body, ask), key);
    },
  }),
  v1Route(cancelSuspension, 'POST /suspensions/:suspensionId/cancel', {
    id: 'cancelBySuspension',
    summary: 'Withdraws a question; for its asker, or an admin',
    body: jsonOf(cancelRequestSchema.pick({ reason: true })),
    keyed: true,
    replies: CANCELLED,
    async handle({ run, params: { suspensionId: suspension_id }, body: { reason } }) {
      return reply(200, await run(undefined, defined({ suspension_id, reason })));
    },
  }),
  v1Route(cancelSuspension, 'POST /intents/:intentId/suspend/cancel', {
    summary: 'Withdraws the open question; for its asker, or an admin',
    body: jsonOf(cancelRequestSchema, ID_MISSING),
    keyed: true,
    replies: CANCELLED,
    errors: INTENT_ERRORS,
    handle: async ({ run, params, body }) => reply(200, await run(params.intentId, body)),
  }),
];

/**
 * Answers of operators: 200 once the answer counts, 202 if it was delivered and no worker has taken it yet (R25-71 …
 * 86). Pauses are resumed by their signal.
 */
const ANSWER_ROUTES: readonly Route[] = [
  v1Route(respond, 'POST /suspensions/:suspensionId/respond', {
    id: 'respondBySuspension',
    summary: 'Answers a question, whatever it holds up',
    headers: ['Idempotency-Key'],
    body: jsonOf(respondRequestSchema.omit({ suspension_id: true })),
    replies: RESPOND_REPLIES,
    async handle({ run, params: { suspensionId: suspension_id }, headers, body }) {
      const request = { ...body, suspension_id };
      return answeredReply(await run(undefined, request, headers['Idempotency-Key']), null);
    },
  }),
  v1Route(respond, 'POST /intents/:intentId/suspend/respond', {
    summary: 'Answers the open question',
    headers: ['Idempotency-Key'],
    body: jsonOf(respondRequestSchema, ID_MISSING),
    replies: RESPOND_REPLIES,
    errors: INTENT_ERRORS,
    handle: async ({ run, params: { intentId }, headers, body }) =>
      answeredReply(await run(intentId, body, headers['Idempotency-Key']), intentId),
  }),
  v1Route(resumeSuspension, 'POST /suspensions/:suspensionId/resume', {
    summary: 'Resumes a suspension: a pause by its signal, a question by an answer',
    headers: ['Idempotency-Key'],
    body: jsonOf(resumeRequestSchema),
    replies: RESPOND_REPLIES,
    handle: async ({ run, params: { suspensionId }, headers, body }) =>
      answeredReply(await run(suspensionId, body, headers['Idempotency-Key']), null),
  }),
];

const SIGNALS = jsonOf(engagementSignalsSchema, {
  confidence: 'invalid_signals',
  risk: 'invalid_signals',
  reversibility: 'invalid_signals',
});

/** Routes that open, end or change a question, and the one that decides whether to ask. */
export const SUSPENSION_ROUTES: readonly Route[] = [
  ...ASKING_ROUTES,
  ...ANSWER_ROUTES,
  v1Route(changeEligibility, 'PUT /suspensions/:suspensionId/eligibility', {
    summary: 'Changes who may answer an open question; for admins',
    body: jsonOf(changeEligibilityRequestSchema),
    keyed: true,
    replies: { 200: { description: 'The question as it stands.', body: suspensionViewSchema } },
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
  v1Route(engage, 'POST /intents/:intentId/engagement', {
    summary: 'Decides whether the agent should ask, and records the decision',
    body: SIGNALS,
    keyed: true,
    replies: { 200: { description: 'The decision.', body: engagementDecisionSchema } },
    handle: async ({ run, params, body }) => reply(200, await run(params.intentId, body)),
  }),
];

const VIEW = READ.declare('Record, schedule, attempt and timeline.', suspensionViewSchema);

export const SUSPENSION_READ_ROUTES: readonly Route[] = [
  v1Route(listSuspensions, 'GET /suspensions', {
    summary: 'Finds, sorts and pages questions; an agent sees its own',
    query: inboxQuerySchema,
    replies: READ.declare('A page of questions.', inboxPageSchema),
    handle: async ({ run, query }) => READ.reply(await run(inboxRequestOf(query))),
  }),
  v1Route(countSuspensions, 'GET /suspensions/counts', {
    summary: 'Counts the questions that a filter finds',
    query: inboxFilterSchema,
    replies: READ.declare('How many are open, and how the others ended.', inboxCountsSchema),
    handle: async ({ run, query }) => READ.reply(await run(query)),
  }),
  v1Route(getSuspension, 'GET /suspensions/:suspensionId', {
    summary: 'Reads a question',
    replies: VIEW,
    handle: async ({ run, params }) => READ.reply(await run(params.suspensionId)),
  }),
  v1Route(getBlocks, 'GET /suspensions/:suspensionId/blocks', {
    summary: 'Lists everything that waits for the answer to a question',
    replies: READ.declare('What waits.', blockedListSchema),
    async handle({ run, params }) {
      const { value: blocks, stale } = await run(params.suspensionId);
      return READ.reply({ value: { blocks }, stale });
    },
  }),
  v1Route(listCandidates, 'GET /suspensions/:suspensionId/candidates', {
    summary: 'Lists the people to whom the caller may delegate a question',
    query: candidatesQuerySchema,
    replies: READ.declare('The people, those who may answer anyway first.', candidatesSchema),
    handle: async ({ run, params, query }) => READ.reply(await run(params.suspensionId, query)),
  }),
  v1Route(waitForSuspension, 'GET /suspensions/:suspensionId/wait', {
    summary: 'Waits until a question is settled, has passed an attempt, or the time is over',
    query: waitQuerySchema,
    replies: VIEW,
    async handle({ run, call, params, query: { timeout_seconds, after_attempt } }) {
      const options = defined({ timeoutSeconds: timeout_seconds, afterAttempt: after_attempt });
      const signal = call.longPolls.signalFor(call.res, 'long_polls');
      return READ.reply(await run(params.suspensionId, { ...options, signal }));
    },
  }),
];
