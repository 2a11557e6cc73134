import type { Request } from 'express';
import {
  SUSPEND_CODES,
  cancelRequestSchema,
  respondRequestSchema,
  suspendRequestSchema,
} from '../../contracts/suspension-requests.js';
import type { RespondRequest, SuspendRequest } from '../../contracts/suspension-requests.js';
import {
  askedViewSchema,
  handedOverSchema,
  respondResultSchema,
} from '../../contracts/suspension-view.js';
import { settledRecordSchema } from '../../contracts/suspension.js';
import type { Gateway } from '../gateway/index.js';
import { ignoredFields, jsonOf } from '../http/input.js';
import type { SecretCheck } from '../http/input.js';
import { callerOf, withResponder } from '../http/keys-and-roles.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { EXAMPLES } from '../openapi/examples.js';

const ASKED = { body: askedViewSchema, example: EXAMPLES.view, headers: ['Location'] } as const;
const SUSPEND_REPLIES = {
  201: { ...ASKED, description: 'The question is open.' },
  200: { ...ASKED, description: 'The `request_key` asked it before: as it stands now.' },
} as const;
const QUESTION = jsonOf(suspendRequestSchema, EXAMPLES.question, SUSPEND_CODES);

type Opened = Awaited<ReturnType<Gateway['suspend']>>;

function openedReply(req: Request, body: SuspendRequest, { created, view, ...told }: Opened) {
  const ignored = ignoredFields(req.body, body);
  const warnings = [
    ...ignored.map((name) => `${name} is not known here and was ignored.`),
    ...told.warnings,
  ];
  const asked = { ...view, ...(warnings.length > 0 && { warnings }) };
  return reply(created ? 201 : 200, asked, { Location: `/v1/suspensions/${view.id}` });
}

/** `POST /intents/{id}/suspend` asks (AM-33), and `POST /suspensions` without an intent. */
export function suspendRoutes(gateway: Gateway, refuseSecrets: SecretCheck): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/intents/:intentId/suspend',
      id: 'suspend',
      access: 'agent',
      summary: 'Asks a question; the intent waits for its answer',
      body: QUESTION,
      replies: SUSPEND_REPLIES,
      errors: [
        'intent_not_active',
        'intent_suspended',
        'intent_closed',
        'secret_refused',
        'request_key_reused',
        'state_too_large',
        'moving',
        'workflow_unavailable',
        'store_unavailable',
      ],
      async handle({ req, params, body }) {
        await refuseSecrets(body);
        const opened = await gateway.suspend(callerOf(req), params.intentId, body);
        return openedReply(req, body, opened);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/suspensions',
      id: 'openSuspension',
      access: 'agent',
      summary: 'Asks a question that holds up no intent: who asked waits for the suspension',
      body: QUESTION,
      replies: SUSPEND_REPLIES,
      errors: ['request_key_reused', 'secret_refused', 'workflow_unavailable', 'store_unavailable'],
      async handle({ req, body }) {
        await refuseSecrets(body);
        return openedReply(req, body, await gateway.openSuspension(callerOf(req), body));
      },
    }),
  ];
}

const CANCELLED = {
  200: {
    description: 'The settled record.',
    body: settledRecordSchema,
    example: EXAMPLES.cancelled,
  },
} as const;
const REASON = 'The customer withdrew.';

/** `POST /intents/{id}/suspend/cancel` withdraws (AM-34), and `POST /suspensions/{id}/cancel`. */
export function cancelRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/intents/:intentId/suspend/cancel',
      id: 'cancelSuspension',
      access: 'agent',
      summary: 'Withdraws the open question; for who asked it, or an admin',
      body: jsonOf(
        cancelRequestSchema,
        { suspension_id: EXAMPLES.suspensionId, reason: REASON },
        { suspension_id: 'missing_suspension_id' },
      ),
      replies: CANCELLED,
      errors: [
        'intent_not_suspended',
        'question_not_written',
        'suspension_mismatch',
        'suspension_settled',
        'moving',
        'workflow_unavailable',
        'store_unavailable',
      ],
      async handle({ req, params, body }) {
        return reply(200, await gateway.cancel(callerOf(req), params.intentId, body));
      },
    }),
    defineRoute({
      method: 'post',
      path: '/suspensions/:suspensionId/cancel',
      id: 'cancelBySuspension',
      access: 'agent',
      summary: 'Withdraws a question; for who asked it, or an admin',
      body: jsonOf(cancelRequestSchema.pick({ reason: true }), { reason: REASON }),
      replies: CANCELLED,
      errors: ['suspension_settled', 'moving', 'workflow_unavailable', 'store_unavailable'],
      async handle({ req, params: { suspensionId: suspension_id }, body: { reason } }) {
        const request = { suspension_id, ...(reason !== undefined && { reason }) };
        return reply(200, await gateway.cancel(callerOf(req), undefined, request));
      },
    }),
  ];
}

const HANDED_OVER = 'The answer is delivered but not yet accepted; the Location tells its outcome.';

const RESPOND_REPLIES = {
  200: {
    description: 'The answer counts.',
    body: respondResultSchema,
    example: EXAMPLES.result,
  },
  202: {
    description: 'No worker took it within 10 s: it is kept, and judged by when it came in.',
    body: handedOverSchema,
    example: {
      intent_id: EXAMPLES.intentId,
      suspension_id: EXAMPLES.suspensionId,
      status: 'handed_over',
      detail: HANDED_OVER,
    },
    headers: ['Location'],
  },
} as const;

const RESPOND_ERRORS = [
  'responded_by_mismatch',
  'suspension_settled',
  'invalid_value',
  'idempotency_key_reused',
  'moving',
  'workflow_unavailable',
  'store_unavailable',
] as const;

/**
 * `POST /intents/{id}/suspend/respond` (R25-71 … 86), and `POST /suspensions/{id}/respond` for any
 * suspension, whatever it holds up: 200 once the answer counts; 202 where it was delivered and no worker
 * has taken it yet. What is wrong with the request alone is refused here, in the order of AM-15.
 * `agents` are principals that never answer.
 */
export function respondRoutes(gateway: Gateway, agents: ReadonlySet<string>): readonly Route[] {
  async function answer(
    req: Request,
    body: RespondRequest,
    key: string | undefined,
    intentId?: string,
  ) {
    const caller = callerOf(req);
    const request = withResponder(caller, body, agents);
    const outcome = await gateway.respond(caller, intentId, request, key);
    if (outcome.accepted) return reply(200, outcome.result);
    const { suspension_id } = outcome;
    const told = { suspension_id, status: 'handed_over', detail: HANDED_OVER } as const;
    const location = { Location: `/v1/suspensions/${suspension_id}` };
    return reply(202, { intent_id: intentId ?? null, ...told }, location);
  }

  return [
    defineRoute({
      method: 'post',
      path: '/intents/:intentId/suspend/respond',
      id: 'respond',
      access: 'operator',
      summary: 'Answers the open question',
      headers: ['Idempotency-Key'],
      body: jsonOf(
        respondRequestSchema,
        { suspension_id: EXAMPLES.suspensionId, value: 'approve' },
        { suspension_id: 'missing_suspension_id' },
      ),
      replies: RESPOND_REPLIES,
      errors: [
        ...RESPOND_ERRORS,
        'intent_not_suspended',
        'question_not_written',
        'suspension_mismatch',
      ],
      handle: ({ req, params, headers, body }) =>
        answer(req, body, headers['Idempotency-Key'], params.intentId),
    }),
    defineRoute({
      method: 'post',
      path: '/suspensions/:suspensionId/respond',
      id: 'respondBySuspension',
      access: 'operator',
      summary: 'Answers a question, whatever it holds up',
      headers: ['Idempotency-Key'],
      body: jsonOf(respondRequestSchema.omit({ suspension_id: true }), { value: 'approve' }),
      replies: RESPOND_REPLIES,
      errors: RESPOND_ERRORS,
      handle: ({ req, params: { suspensionId: suspension_id }, headers, body }) =>
        answer(req, { ...body, suspension_id }, headers['Idempotency-Key']),
    }),
  ];
}
