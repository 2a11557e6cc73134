import type { Request } from 'express';
import { settledRecordSchema } from '../../contracts/suspension.js';
import {
  cancelRequestSchema,
  SUSPEND_CODES,
  suspendRequestSchema,
} from '../../contracts/suspension-requests.js';
import type { SuspendRequest } from '../../contracts/suspension-requests.js';
import { askedViewSchema } from '../../contracts/suspension-view.js';
import type { Gateway } from '../gateway/types.js';
import { jsonOf } from '../http/body.js';
import { ignoredFields } from '../http/ignored-fields.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import type { SecretCheck } from '../http/secret-check.js';
import { callerOf } from '../middleware/authenticate.js';
import { EXAMPLES } from '../openapi/examples.js';

const ASKED = { body: askedViewSchema, example: EXAMPLES.view, headers: ['Location'] } as const;
const REPLIES = {
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
      ...{ method: 'post', path: '/intents/:intentId/suspend', id: 'suspend', access: 'agent' },
      summary: 'Asks a question; the intent waits for its answer',
      body: QUESTION,
      replies: REPLIES,
      errors: [
        ...(['intent_not_active', 'intent_suspended', 'intent_closed', 'secret_refused'] as const),
        ...(['request_key_reused', 'state_too_large', 'moving'] as const),
        ...(['workflow_unavailable', 'store_unavailable'] as const),
      ],
      async handle({ req, params, body }) {
        await refuseSecrets(body);
        const opened = await gateway.suspend(callerOf(req), params.intentId, body);
        return openedReply(req, body, opened);
      },
    }),
    defineRoute({
      ...{ method: 'post', path: '/suspensions', id: 'openSuspension', access: 'agent' },
      summary: 'Asks a question that holds up no intent: who asked waits for the suspension',
      body: QUESTION,
      replies: REPLIES,
      errors: [
        ...(['request_key_reused', 'secret_refused'] as const),
        ...(['workflow_unavailable', 'store_unavailable'] as const),
      ],
      async handle({ req, body }) {
        await refuseSecrets(body);
        return openedReply(req, body, await gateway.openSuspension(callerOf(req), body));
      },
    }),
  ];
}

const CANCELLED = {
  200: {
    ...{ description: 'The settled record.', body: settledRecordSchema },
    example: EXAMPLES.cancelled,
  },
} as const;
const REASON = 'The customer withdrew.';

/** `POST /intents/{id}/suspend/cancel` withdraws (AM-34), and `POST /suspensions/{id}/cancel`. */
export function cancelRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'post', path: '/intents/:intentId/suspend/cancel', id: 'cancelSuspension' },
      ...{ access: 'agent', summary: 'Withdraws the open question; for who asked it, or an admin' },
      body: jsonOf(
        cancelRequestSchema,
        { suspension_id: EXAMPLES.suspensionId, reason: REASON },
        { suspension_id: 'missing_suspension_id' },
      ),
      replies: CANCELLED,
      errors: [
        ...(['intent_not_suspended', 'question_not_written'] as const),
        ...(['suspension_mismatch', 'suspension_settled'] as const),
        ...(['moving', 'workflow_unavailable', 'store_unavailable'] as const),
      ],
      async handle({ req, params, body }) {
        return reply(200, await gateway.cancel(callerOf(req), params.intentId, body));
      },
    }),
    defineRoute({
      ...{ method: 'post', path: '/suspensions/:suspensionId/cancel', id: 'cancelBySuspension' },
      ...{ access: 'agent', summary: 'Withdraws a question; for who asked it, or an admin' },
      body: jsonOf(cancelRequestSchema.pick({ reason: true }), { reason: REASON }),
      replies: CANCELLED,
      errors: [
        ...(['suspension_settled', 'moving'] as const),
        ...(['workflow_unavailable', 'store_unavailable'] as const),
      ],
      async handle({ req, params: { suspensionId: suspension_id }, body: { reason } }) {
        const request = { suspension_id, ...(reason !== undefined && { reason }) };
        return reply(200, await gateway.cancel(callerOf(req), undefined, request));
      },
    }),
  ];
}
