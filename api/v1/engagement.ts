import { engagementDecisionSchema, engagementSignalsSchema } from '../../contracts/engagement.js';
import type { FieldCodes } from '../../contracts/parse-fields.js';
import type { Gateway } from '../gateway/index.js';
import { checkContextSize, jsonOf } from '../http/input.js';
import { callerOf } from '../http/keys-and-roles.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { EXAMPLES } from '../openapi/examples.js';

const SIGNAL_CODES: FieldCodes = {
  confidence: 'invalid_signals',
  risk: 'invalid_signals',
  reversibility: 'invalid_signals',
};

/** `POST /intents/{id}/engagement`: should the agent ask? The decision is recorded and returned. */
export function engagementRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/intents/:intentId/engagement',
      id: 'engage',
      access: 'agent',
      summary: 'Decides whether the agent should ask, and records the decision',
      body: jsonOf(engagementSignalsSchema, EXAMPLES.decision.signals, SIGNAL_CODES),
      replies: {
        200: {
          description: 'The decision.',
          body: engagementDecisionSchema,
          example: EXAMPLES.decision,
        },
      },
      errors: ['intent_closed', 'moving', 'workflow_unavailable', 'store_unavailable'],
      async handle({ req, params, body }) {
        checkContextSize(body.context);
        return reply(200, await gateway.engage(callerOf(req), params.intentId, body));
      },
    }),
  ];
}
