import { z } from 'zod';
import {
  createIntentRequestSchema,
  intentSchema,
  stateRequestSchema,
  statusRequestSchema,
} from '../../contracts/intent.js';
import type { Gateway } from '../gateway/index.js';
import { jsonOf } from '../http/input.js';
import { callerOf } from '../http/keys-and-roles.js';
import { intentPageSchema } from '../http/queries.js';
import { reply, staleness, versionTag } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { statePatchesOf } from '../http/state-patches.js';
import { intentFor } from '../http/visibility.js';
import { EXAMPLES } from '../openapi/examples.js';

const intentListSchema = z.object({ intents: z.array(intentSchema).readonly() });

function listRoute(gateway: Gateway): Route {
  return defineRoute({
    method: 'get',
    path: '/intents',
    id: 'listIntents',
    access: 'any',
    summary: 'Lists intents, newest first',
    query: intentPageSchema,
    replies: {
      200: {
        description: 'A page of intents.',
        body: intentListSchema,
        example: { intents: [EXAMPLES.intent] },
        headers: ['Holdpoint-Stale'],
      },
    },
    errors: ['store_unavailable'],
    async handle({ req, query: { status, ...page } }) {
      const read = await gateway.listIntents({ ...page, ...(status && { status }) });
      const intents = read.value.map((intent) => intentFor(callerOf(req), intent));
      return reply(200, { intents }, staleness(read));
    },
  });
}

/** What creating an intent is refused with. */
export const CREATION_ERRORS = [
  'intent_not_found',
  'intent_closed',
  'state_too_large',
  'idempotency_key_reused',
  'moving',
  'workflow_unavailable',
  'store_unavailable',
] as const;

function createRoute(gateway: Gateway): Route {
  return defineRoute({
    method: 'post',
    path: '/intents',
    id: 'createIntent',
    access: 'agent',
    summary: 'Creates an intent',
    headers: ['Idempotency-Key'],
    body: jsonOf(createIntentRequestSchema, { title: EXAMPLES.intent.title, status: 'active' }),
    replies: {
      201: {
        description: 'The intent.',
        body: intentSchema,
        example: EXAMPLES.intent,
        headers: ['ETag', 'Location'],
      },
    },
    errors: CREATION_ERRORS,
    async handle({ req, body, headers }) {
      const caller = callerOf(req);
      const intent = await gateway.createIntent(caller, body, headers['Idempotency-Key']);
      const located = { ...versionTag(intent), Location: `/v1/intents/${intent.id}` };
      return reply(201, intentFor(caller, intent), located);
    },
  });
}

function readRoute(gateway: Gateway): Route {
  return defineRoute({
    method: 'get',
    path: '/intents/:intentId',
    id: 'getIntent',
    access: 'any',
    summary: 'Reads an intent; the open or last question is state._suspension',
    replies: {
      200: {
        description: 'The intent.',
        body: intentSchema,
        example: EXAMPLES.intent,
        headers: ['ETag', 'Holdpoint-Stale'],
      },
    },
    errors: ['workflow_unavailable', 'store_unavailable'],
    async handle({ req, params }) {
      const read = await gateway.getIntent(params.intentId);
      const headers = { ...versionTag(read.value), ...staleness(read) };
      return reply(200, intentFor(callerOf(req), read.value), headers);
    },
  });
}

/** `POST /intents`, `GET /intents` (newest first) and `GET /intents/{id}`. */
export function intentRoutes(gateway: Gateway): readonly Route[] {
  return [listRoute(gateway), createRoute(gateway), readRoute(gateway)];
}

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
      method: 'post',
      path: '/intents/:intentId/status',
      id: 'setStatus',
      access: 'agent',
      summary: 'Changes the status; abandoning withdraws an open question first',
      headers: ['If-Match'],
      body: jsonOf(statusRequestSchema, { status: 'completed' }),
      replies: WRITTEN,
      errors: [
        'version_conflict',
        'invalid_transition',
        'intent_suspended',
        'dependencies_incomplete',
        'intent_closed',
        'moving',
        'workflow_unavailable',
        'store_unavailable',
      ],
      async handle({ req, params, headers, body }) {
        const caller = callerOf(req);
        const intent = await gateway.setStatus(caller, params.intentId, headers['If-Match'], body);
        return reply(200, intentFor(caller, intent), versionTag(intent));
      },
    }),
    defineRoute({
      method: 'post',
      path: '/intents/:intentId/state',
      id: 'patchState',
      access: 'agent',
      summary: 'Changes the state by patches, or by keys to set',
      headers: ['If-Match'],
      body: {
        schema: stateRequestSchema,
        read: statePatchesOf,
        example: { patches: [{ op: 'set', path: 'order/refunded', value: true }] },
      },
      replies: WRITTEN,
      errors: [
        'version_conflict',
        'intent_suspended',
        'intent_closed',
        'invalid_patch',
        'state_too_large',
        'moving',
        'workflow_unavailable',
        'store_unavailable',
      ],
      async handle({ req, params, headers, body }) {
        const caller = callerOf(req);
        const intent = await gateway.patchState(caller, params.intentId, headers['If-Match'], body);
        return reply(200, intentFor(caller, intent), versionTag(intent));
      },
    }),
  ];
}
