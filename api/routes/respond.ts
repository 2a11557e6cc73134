import type { Request } from 'express';
import { handedOverSchema, respondResultSchema } from '../../contracts/suspension-view.js';
import { respondRequestSchema } from '../../contracts/suspension-requests.js';
import type { RespondRequest } from '../../contracts/suspension-requests.js';
import type { Gateway } from '../gateway/types.js';
import { jsonOf } from '../http/body.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { callerOf } from '../middleware/authenticate.js';
import { withResponder } from '../middleware/roles.js';
import { EXAMPLES } from '../openapi/examples.js';

const HANDED_OVER = 'The answer is delivered but not yet accepted; the Location tells its outcome.';

const REPLIES = {
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

const ERRORS = [
  ...(['responded_by_mismatch', 'suspension_settled', 'invalid_value'] as const),
  ...(['idempotency_key_reused', 'moving'] as const),
  ...(['workflow_unavailable', 'store_unavailable'] as const),
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
      ...{ method: 'post', path: '/intents/:intentId/suspend/respond', id: 'respond' },
      ...{ access: 'operator', summary: 'Answers the open question' },
      headers: ['Idempotency-Key'],
      body: jsonOf(
        respondRequestSchema,
        { suspension_id: EXAMPLES.suspensionId, value: 'approve' },
        { suspension_id: 'missing_suspension_id' },
      ),
      replies: REPLIES,
      errors: [...ERRORS, 'intent_not_suspended', 'question_not_written', 'suspension_mismatch'],
      handle: ({ req, params, headers, body }) =>
        answer(req, body, headers['Idempotency-Key'], params.intentId),
    }),
    defineRoute({
      ...{ method: 'post', path: '/suspensions/:suspensionId/respond', id: 'respondBySuspension' },
      ...{ access: 'operator', summary: 'Answers a question, whatever it holds up' },
      headers: ['Idempotency-Key'],
      body: jsonOf(respondRequestSchema.omit({ suspension_id: true }), { value: 'approve' }),
      replies: REPLIES,
      errors: ERRORS,
      handle: ({ req, params: { suspensionId: suspension_id }, headers, body }) =>
        answer(req, { ...body, suspension_id }, headers['Idempotency-Key']),
    }),
  ];
}
