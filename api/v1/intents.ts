import { z } from 'zod';
import {
  acquireLeaseRequestSchema,
  createIntentRequestSchema,
  intentSchema,
  intentSummarySchema,
  leaseSchema,
  renewLeaseRequestSchema,
  stateRequestSchema,
  statusRequestSchema,
} from '../../contracts/intent/intent.js';
import { intentErasureSchema, suspensionErasureSchema } from '../../contracts/log/erasure.js';
import { jsonOf } from '../http/input.js';
import { intentPageSchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import { statePatchesOf } from '../http/state-patches.js';
import { createIntent } from '../usecases/intent/create.js';
import { erasePersonalData, eraseSuspension } from '../usecases/intent/erase.js';
import { getIntent, listIntents } from '../usecases/intent/read.js';
import {
  acquireLease,
  listLeases,
  patchState,
  releaseLease,
  renewLease,
  setStatus,
} from '../usecases/intent/write.js';
import { CREATED, PAGE, VERSIONED, VERSIONED_CREATED, VERSIONED_READ } from './replies.js';
import { v1Route, type Route } from './route.js';

const WRITTEN = VERSIONED.declare('The intent, one version on.', intentSchema);

export const INTENT_ROUTES: readonly Route[] = [
  v1Route(listIntents, 'GET /intents', {
    summary: 'Lists intents, newest first',
    query: intentPageSchema,
    replies: PAGE.declare('intents', intentSummarySchema, 'A page of intents, in summary.'),
    handle: async ({ run, query }) => PAGE.reply('intents', await run(query), query),
  }),
  v1Route(createIntent, 'POST /intents', {
    summary: 'Creates an intent',
    headers: ['Idempotency-Key'],
    body: jsonOf(createIntentRequestSchema),
    replies: VERSIONED_CREATED.declare('The intent.', intentSchema),
    async handle({ run, body, headers }) {
      const intent = await run(body, headers['Idempotency-Key']);
      return VERSIONED_CREATED.reply(intent, `/v1/intents/${intent.id}`);
    },
  }),
  v1Route(getIntent, 'GET /intents/:intentId', {
    summary: 'Reads an intent; the open or last question is state._suspension',
    replies: VERSIONED_READ.declare('The intent.', intentSchema),
    handle: async ({ run, params }) => VERSIONED_READ.reply(await run(params.intentId)),
  }),
  v1Route(setStatus, 'POST /intents/:intentId/status', {
    summary: 'Changes the status; abandoning withdraws an open question first',
    headers: ['If-Match'],
    body: jsonOf(statusRequestSchema),
    keyed: true,
    replies: WRITTEN,
    handle: async ({ run, params, headers, body }) =>
      VERSIONED.reply(await run(params.intentId, headers['If-Match'], body)),
  }),
  v1Route(patchState, 'POST /intents/:intentId/state', {
    summary: 'Changes the state by patches, or by keys to set',
    headers: ['If-Match'],
    body: { schema: stateRequestSchema, read: statePatchesOf },
    keyed: true,
    replies: WRITTEN,
    handle: async ({ run, params, headers, body }) =>
      VERSIONED.reply(await run(params.intentId, headers['If-Match'], body)),
  }),
];

const leaseListSchema = z.object({ leases: z.array(leaseSchema).readonly() });

export const LEASE_ROUTES: readonly Route[] = [
  v1Route(listLeases, 'GET /intents/:intentId/leases', {
    summary: 'Lists the leases that are not over',
    replies: { 200: { description: 'The leases.', body: leaseListSchema } },
    handle: async ({ run, params }) => reply(200, { leases: await run(params.intentId) }),
  }),
  v1Route(acquireLease, 'POST /intents/:intentId/leases', {
    summary: 'Takes a lease on one scope of the intent',
    body: jsonOf(acquireLeaseRequestSchema),
    keyed: true,
    replies: CREATED.declare('The lease.', leaseSchema),
    async handle({ run, params: { intentId }, body: { scope, duration_seconds } }) {
      const lease = await run(intentId, scope, duration_seconds);
      return CREATED.reply(lease, `/v1/intents/${intentId}/leases/${lease.id}`);
    },
  }),
  v1Route(renewLease, 'PATCH /intents/:intentId/leases/:leaseId', {
    summary: 'Renews a lease, from now',
    body: jsonOf(renewLeaseRequestSchema),
    keyed: true,
    replies: { 200: { description: 'The lease.', body: leaseSchema } },
    handle: async ({ run, params: { intentId, leaseId }, body }) =>
      reply(200, await run(intentId, leaseId, body.duration_seconds)),
  }),
  v1Route(releaseLease, 'DELETE /intents/:intentId/leases/:leaseId', {
    summary: 'Releases a lease',
    keyed: true,
    replies: { 200: { description: 'The lease as it ended.', body: leaseSchema } },
    handle: async ({ run, params: { intentId, leaseId } }) =>
      reply(200, await run(intentId, leaseId)),
  }),
];

const ERASED = 'What was erased, by whom and when.';

export const ERASURE_ROUTES: readonly Route[] = [
  v1Route(erasePersonalData, 'DELETE /intents/:intentId/personal-data', {
    summary: 'Erases the personal data of an intent; its log can still be checked',
    keyed: true,
    replies: { 200: { description: ERASED, body: intentErasureSchema } },
    handle: async ({ run, params }) => reply(200, await run(params.intentId)),
  }),
  v1Route(eraseSuspension, 'DELETE /suspensions/:suspensionId/personal-data', {
    summary: 'Erases the personal data of a question that belongs to no intent',
    keyed: true,
    replies: { 200: { description: ERASED, body: suspensionErasureSchema } },
    handle: async ({ run, params }) => reply(200, await run(params.suspensionId)),
  }),
];
