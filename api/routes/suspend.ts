import { settledRecordSchema } from '../../contracts/suspension.js';
import { cancelRequestSchema, suspendRequestSchema } from '../../contracts/suspension-requests.js';
import { askedViewSchema } from '../../contracts/suspension-view.js';
import type { Gateway } from '../gateway/types.js';
import { jsonOf } from '../http/body.js';
import { ignoredFields } from '../http/ignored-fields.js';
import type { FieldCodes } from '../http/parse.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { callerOf } from '../middleware/authenticate.js';
import { EXAMPLES } from '../openapi/examples.js';

const SUSPEND_CODES: FieldCodes = {
  choices: 'invalid_choices',
  confidence: 'invalid_signals',
  retry_policy: 'invalid_retry_policy',
  agent_retry_policy: 'invalid_retry_policy',
};

const ASKED = { body: askedViewSchema, example: EXAMPLES.view, headers: ['Location'] } as const;

function askRoute(gateway: Gateway): Route {
  return defineRoute({
    ...{ method: 'post', path: '/intents/:intentId/suspend', id: 'suspend', access: 'agent' },
    summary: 'Asks a question; the intent waits for its answer',
    body: jsonOf(suspendRequestSchema, EXAMPLES.question, SUSPEND_CODES),
    replies: {
      201: { ...ASKED, description: 'The question is open.' },
      200: { ...ASKED, description: 'The `request_key` asked it before: as it stands now.' },
    },
    errors: [
      ...(['intent_not_active', 'intent_suspended', 'intent_closed'] as const),
      ...(['request_key_reused', 'state_too_large', 'moving'] as const),
      ...(['workflow_unavailable', 'store_unavailable'] as const),
    ],
    async handle({ req, params, body }) {
      const { created, view, ...told } = await gateway.suspend(
        callerOf(req),
        params.intentId,
        body,
      );
      const ignored = ignoredFields(req.body, body);
      const warnings = [
        ...ignored.map((name) => `${name} is not known here and was ignored.`),
        ...told.warnings,
      ];
      const asked = { ...view, ...(warnings.length > 0 && { warnings }) };
      return reply(created ? 201 : 200, asked, { Location: `/v1/suspensions/${view.id}` });
    },
  });
}

function cancelRoute(gateway: Gateway): Route {
  return defineRoute({
    ...{ method: 'post', path: '/intents/:intentId/suspend/cancel', id: 'cancelSuspension' },
    ...{ access: 'agent', summary: 'Withdraws the open question; for who asked it, or an admin' },
    body: jsonOf(
      cancelRequestSchema,
      { suspension_id: EXAMPLES.suspensionId, reason: 'The customer withdrew.' },
      { suspension_id: 'missing_suspension_id' },
    ),
    replies: {
      200: {
        ...{ description: 'The settled record.', body: settledRecordSchema },
        example: EXAMPLES.cancelled,
      },
    },
    errors: [
      ...(['intent_not_suspended', 'suspension_mismatch', 'suspension_settled'] as const),
      ...(['moving', 'workflow_unavailable', 'store_unavailable'] as const),
    ],
    async handle({ req, params, body }) {
      return reply(200, await gateway.cancel(callerOf(req), params.intentId, body));
    },
  });
}

/** `POST /intents/{id}/suspend` asks (AM-33), `…/suspend/cancel` withdraws (AM-34). */
export function suspendRoutes(gateway: Gateway): readonly Route[] {
  return [askRoute(gateway), cancelRoute(gateway)];
}
