import { changeEligibilityRequestSchema } from '../../contracts/decision.js';
import { engagementDecisionSchema, engagementSignalsSchema } from '../../contracts/engagement.js';
import {
  openSuspensionRequestSchema,
  pauseRequestSchema,
  resumeRequestSchema,
  saysPause,
} from '../../contracts/pause-requests.js';
import type { OpenSuspensionRequest } from '../../contracts/pause-requests.js';
import {
  SUSPEND_CODES,
  cancelRequestSchema,
  respondRequestSchema,
  suspendRequestSchema,
} from '../../contracts/suspension-requests.js';
import {
  askedViewSchema,
  blockedListSchema,
  handedOverSchema,
  inboxCountsSchema,
  inboxFilterSchema,
  inboxPageSchema,
  respondResultSchema,
  suspensionViewSchema,
} from '../../contracts/suspension-view.js';
import { settledRecordSchema } from '../../contracts/suspension.js';
import { jsonOf } from '../http/input.js';
import type { BodySpec } from '../http/input.js';
import { inboxQuerySchema, inboxRequestOf, waitQuerySchema } from '../http/queries.js';
import { reply, staleness } from '../http/reply.js';
import type { ResultOf } from '../operations/operation.js';
import { SUSPENSIONS } from '../operations/suspension.js';
import { askedUnder } from './asked-once.js';
import { READ } from './replies.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const QUESTION = jsonOf(suspendRequestSchema, SUSPEND_CODES);
const PAUSE = jsonOf(pauseRequestSchema);
/** A question, or a pause: the reason says which. */
const OPENING: BodySpec<OpenSuspensionRequest> = {
  schema: openSuspensionRequestSchema,
  codes: SUSPEND_CODES,
  read: (raw) => (saysPause(raw) ? PAUSE.read(raw) : QUESTION.read(raw)),
};
const ID_MISSING = { suspension_id: 'missing_suspension_id' } as const;
/** Of the intent's question, which its id has to name. */
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

type Opened = ResultOf<typeof SUSPENSIONS.suspend>;

/** Under an `Idempotency-Key` the reply to the repeat is that to the first request. */
function openedReply({ created, view, warnings }: Opened, key?: string) {
  const asked = { ...view, ...(warnings.length > 0 && { warnings }) };
  return reply(created || key !== undefined ? 201 : 200, asked, {
    Location: `/v1/suspensions/${view.id}`,
  });
}

function answeredReply(outcome: ResultOf<typeof SUSPENSIONS.respond>, intent_id: string | null) {
  if (outcome.accepted) return reply(200, outcome.result);
  const { suspension_id } = outcome;
  const detail = 'The answer is delivered but not yet accepted; read its outcome at Location.';
  const handedOver = { intent_id, suspension_id, status: 'handed_over', detail } as const;
  return reply(202, handedOver, { Location: `/v1/suspensions/${suspension_id}` });
}

/** Questions asked and withdrawn by agents, of an intent or by their own ids. */
const ASKING_ROUTES: readonly Route[] = [
  v1Route(SUSPENSIONS.openSuspension, {
    method: 'post',
    path: '/suspensions',
    summary: 'Asks a question that holds up no intent, or pauses for another reason',
    headers: ['Idempotency-Key'],
    body: OPENING,
    replies: SUSPEND_REPLIES,
    async handle({ run, headers, body }) {
      const key = headers['Idempotency-Key'];
      return openedReply(await askedUnder(key, body, run), key);
    },
  }),
  v1Route(SUSPENSIONS.suspend, {
    method: 'post',
    path: '/intents/:intentId/suspend',
    summary: 'Asks a question; the intent waits for its answer',
    headers: ['Idempotency-Key'],
    body: QUESTION,
    replies: SUSPEND_REPLIES,
    async handle({ run, params, headers, body }) {
      const key = headers['Idempotency-Key'];
      const ask = (asked: typeof body) => run(params.intentId, asked);
      return openedReply(await askedUnder(key, body, ask), key);
    },
  }),
  v1Route(SUSPENSIONS.cancelSuspension, {
    method: 'post',
    path: '/suspensions/:suspensionId/cancel',
    id: 'cancelBySuspension',
    summary: 'Withdraws a question; for who asked it, or an admin',
    body: jsonOf(cancelRequestSchema.pick({ reason: true })),
    keyed: true,
    replies: CANCELLED,
    async handle({ run, params: { suspensionId: suspension_id }, body: { reason } }) {
      const request = { suspension_id, ...(reason !== undefined && { reason }) };
      return reply(200, await run(undefined, request));
    },
  }),
  v1Route(SUSPENSIONS.cancelSuspension, {
    method: 'post',
    path: '/intents/:intentId/suspend/cancel',
    summary: 'Withdraws the open question; for who asked it, or an admin',
    body: jsonOf(cancelRequestSchema, ID_MISSING),
    keyed: true,
    replies: CANCELLED,
    errors: INTENT_ERRORS,
    handle: async ({ run, params, body }) => reply(200, await run(params.intentId, body)),
  }),
];

/**
 * Answers of operators: 200 once the answer counts, 202 where it was delivered and no worker has taken
 * it yet (R25-71 … 86).
 */
const ANSWER_ROUTES: readonly Route[] = [
  v1Route(SUSPENSIONS.respond, {
    method: 'post',
    path: '/suspensions/:suspensionId/respond',
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
  v1Route(SUSPENSIONS.respond, {
    method: 'post',
    path: '/intents/:intentId/suspend/respond',
    summary: 'Answers the open question',
    headers: ['Idempotency-Key'],
    body: jsonOf(respondRequestSchema, ID_MISSING),
    replies: RESPOND_REPLIES,
    errors: INTENT_ERRORS,
    handle: async ({ run, params: { intentId }, headers, body }) =>
      answeredReply(await run(intentId, body, headers['Idempotency-Key']), intentId),
  }),
];

/** One way to resume for every reason: a signal for a pause, an answer for a question. */
const RESUME_ROUTES: readonly Route[] = [
  v1Route(SUSPENSIONS.resumeSuspension, {
    method: 'post',
    path: '/suspensions/:suspensionId/resume',
    summary: 'Resumes a suspension: a pause by its signal, a question by an answer',
    headers: ['Idempotency-Key'],
    body: jsonOf(resumeRequestSchema),
    replies: RESPOND_REPLIES,
    handle: async ({ run, params: { suspensionId }, headers, body }) =>
      answeredReply(await run(suspensionId, body, headers['Idempotency-Key']), null),
  }),
];

const ELIGIBILITY = jsonOf(changeEligibilityRequestSchema);

/** Who may answer. */
const ELIGIBILITY_ROUTES: readonly Route[] = [
  v1Route(SUSPENSIONS.changeEligibility, {
    method: 'put',
    path: '/suspensions/:suspensionId/eligibility',
    summary: 'Changes who may answer an open question; for admins',
    body: ELIGIBILITY,
    keyed: true,
    replies: { 200: { description: 'The question as it stands.', body: suspensionViewSchema } },
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
];

const SIGNALS = jsonOf(engagementSignalsSchema, {
  confidence: 'invalid_signals',
  risk: 'invalid_signals',
  reversibility: 'invalid_signals',
});

/** Everything that opens or ends a question, and whether to ask one. */
export const SUSPENSION_ROUTES: readonly Route[] = [
  ...ASKING_ROUTES,
  ...ANSWER_ROUTES,
  ...RESUME_ROUTES,
  ...ELIGIBILITY_ROUTES,
  v1Route(SUSPENSIONS.engage, {
    method: 'post',
    path: '/intents/:intentId/engagement',
    summary: 'Decides whether the agent should ask, and records the decision',
    body: SIGNALS,
    keyed: true,
    replies: { 200: { description: 'The decision.', body: engagementDecisionSchema } },
    handle: async ({ run, params, body }) => reply(200, await run(params.intentId, body)),
  }),
];

const VIEW = READ.declare('Record, schedule, attempt and timeline.', suspensionViewSchema);

/** Questions found, counted, read and waited for. */
export const SUSPENSION_READ_ROUTES: readonly Route[] = [
  v1Route(SUSPENSIONS.listSuspensions, {
    method: 'get',
    path: '/suspensions',
    summary: 'Finds, sorts and pages questions; an agent sees its own',
    query: inboxQuerySchema,
    replies: READ.declare('A page of questions.', inboxPageSchema),
    handle: async ({ run, query }) => READ.reply(await run(inboxRequestOf(query))),
  }),
  v1Route(SUSPENSIONS.countSuspensions, {
    method: 'get',
    path: '/suspensions/counts',
    summary: 'Counts the questions that a filter finds',
    query: inboxFilterSchema,
    replies: READ.declare('How many are open, and how the others ended.', inboxCountsSchema),
    handle: async ({ run, query }) => READ.reply(await run(query)),
  }),
  v1Route(SUSPENSIONS.getSuspension, {
    method: 'get',
    path: '/suspensions/:suspensionId',
    summary: 'Reads a question',
    replies: VIEW,
    handle: async ({ run, params }) => READ.reply(await run(params.suspensionId)),
  }),
  v1Route(SUSPENSIONS.getBlocks, {
    method: 'get',
    path: '/suspensions/:suspensionId/blocks',
    summary: 'Lists what waits for the answer to a question',
    replies: READ.declare('What waits.', blockedListSchema),
    async handle({ run, params }) {
      const { value: blocks, stale } = await run(params.suspensionId);
      return READ.reply({ value: { blocks }, stale });
    },
  }),
  v1Route(SUSPENSIONS.waitForSuspension, {
    method: 'get',
    path: '/suspensions/:suspensionId/wait',
    summary: 'Waits until a question is settled, has passed an attempt, or the time is over',
    query: waitQuerySchema,
    replies: VIEW,
    async handle({ run, call, params, query: { timeout_seconds, after_attempt } }) {
      const read = await run(params.suspensionId, {
        timeoutSeconds: timeout_seconds,
        ...(after_attempt !== undefined && { afterAttempt: after_attempt }),
        signal: call.longPolls.signalFor(call.res, 'long_polls'),
      });
      return reply(200, read.value, staleness(read));
    },
  }),
];
