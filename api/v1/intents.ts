import { z } from 'zod';
import {
  createIntentRequestSchema,
  intentSchema,
  stateRequestSchema,
  statusRequestSchema,
} from '../../contracts/intent.js';
import { jsonOf } from '../http/input.js';
import { intentPageSchema } from '../http/queries.js';
import { reply, staleness, versionTag } from '../http/reply.js';
import { statePatchesOf } from '../http/state-patches.js';
import { INTENTS } from '../operations/intent.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const intentListSchema = z.object({ intents: z.array(intentSchema).readonly() });
const WRITTEN = {
  200: { description: 'The intent, one version on.', body: intentSchema, headers: ['ETag'] },
} as const;

/** Intents: created, listed, read, and written under `If-Match`. */
export const INTENT_ROUTES: readonly Route[] = [
  v1Route(INTENTS.listIntents, {
    method: 'get',
    path: '/intents',
    summary: 'Lists intents, newest first',
    query: intentPageSchema,
    replies: {
      200: {
        description: 'A page of intents.',
        body: intentListSchema,
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, query: { status, ...page } }) {
      const read = await run({ ...page, ...(status && { status }) });
      return reply(200, { intents: read.value }, staleness(read));
    },
  }),
  v1Route(INTENTS.createIntent, {
    method: 'post',
    path: '/intents',
    summary: 'Creates an intent',
    headers: ['Idempotency-Key'],
    body: jsonOf(createIntentRequestSchema),
    replies: {
      201: { description: 'The intent.', body: intentSchema, headers: ['ETag', 'Location'] },
    },
    async handle({ run, body, headers }) {
      const intent = await run(body, headers['Idempotency-Key']);
      return reply(201, intent, { ...versionTag(intent), Location: `/v1/intents/${intent.id}` });
    },
  }),
  v1Route(INTENTS.getIntent, {
    method: 'get',
    path: '/intents/:intentId',
    summary: 'Reads an intent; the open or last question is state._suspension',
    replies: {
      200: {
        description: 'The intent.',
        body: intentSchema,
        headers: ['ETag', 'Holdpoint-Stale'],
      },
    },
    async handle({ run, params }) {
      const read = await run(params.intentId);
      return reply(200, read.value, { ...versionTag(read.value), ...staleness(read) });
    },
  }),
  v1Route(INTENTS.setStatus, {
    method: 'post',
    path: '/intents/:intentId/status',
    summary: 'Changes the status; abandoning withdraws an open question first',
    headers: ['If-Match'],
    body: jsonOf(statusRequestSchema),
    replies: WRITTEN,
    async handle({ run, params, headers, body }) {
      const intent = await run(params.intentId, headers['If-Match'], body);
      return reply(200, intent, versionTag(intent));
    },
  }),
  v1Route(INTENTS.patchState, {
    method: 'post',
    path: '/intents/:intentId/state',
    summary: 'Changes the state by patches, or by keys to set',
    headers: ['If-Match'],
    body: { schema: stateRequestSchema, read: statePatchesOf },
    replies: WRITTEN,
    async handle({ run, params, headers, body }) {
      const intent = await run(params.intentId, headers['If-Match'], body);
      return reply(200, intent, versionTag(intent));
    },
  }),
];
