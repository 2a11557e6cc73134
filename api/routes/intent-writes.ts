import { intentSchema, stateRequestSchema, statusRequestSchema } from '../../contracts/intent.js';
import type { Gateway } from '../gateway/types.js';
import { jsonOf } from '../http/body.js';
import { intentFor } from '../http/mask.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { statePatchesOf } from '../http/state-patches.js';
import { callerOf } from '../middleware/authenticate.js';
import { EXAMPLES } from '../openapi/examples.js';
import { versionTag } from './intent-reply.js';

const WRITTEN = {
  200: {
    description: 'The intent, one version on.',
    body: intentSchema,
    example: EXAMPLES.intent,
    headers: ['ETag'],
  },
} as const;

/** `POST /intents/{id}/status` and `…/state`: versioned writes that need `If-Match`. */
export function intentWriteRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'post', path: '/intents/:intentId/status', id: 'setStatus', access: 'agent' },
      summary: 'Changes the status; abandoning withdraws an open question first',
      headers: ['If-Match'],
      body: jsonOf(statusRequestSchema, { status: 'completed' }),
      replies: WRITTEN,
      errors: [
        ...(['version_conflict', 'invalid_transition', 'intent_suspended'] as const),
        ...(['dependencies_incomplete', 'intent_closed', 'moving'] as const),
        ...(['workflow_unavailable', 'store_unavailable'] as const),
      ],
      async handle({ req, params, headers, body }) {
        const caller = callerOf(req);
        const intent = await gateway.setStatus(caller, params.intentId, headers['If-Match'], body);
        return reply(200, intentFor(caller, intent), versionTag(intent));
      },
    }),
    defineRoute({
      ...{ method: 'post', path: '/intents/:intentId/state', id: 'patchState', access: 'agent' },
      summary: 'Changes the state by patches, or by keys to set',
      headers: ['If-Match'],
      body: {
        schema: stateRequestSchema,
        read: statePatchesOf,
        example: { patches: [{ op: 'set', path: 'order/refunded', value: true }] },
      },
      replies: WRITTEN,
      errors: [
        ...(['version_conflict', 'intent_suspended', 'intent_closed', 'invalid_patch'] as const),
        ...(['state_too_large', 'moving', 'workflow_unavailable', 'store_unavailable'] as const),
      ],
      async handle({ req, params, headers, body }) {
        const caller = callerOf(req);
        const intent = await gateway.patchState(caller, params.intentId, headers['If-Match'], body);
        return reply(200, intentFor(caller, intent), versionTag(intent));
      },
    }),
  ];
}
