import { z } from 'zod';
import {
  acquireLeaseRequestSchema,
  leaseSchema,
  renewLeaseRequestSchema,
} from '../../contracts/intent.js';
import { jsonOf } from '../http/input.js';
import { reply } from '../http/reply.js';
import { LEASES } from '../operations/intent.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const leaseListSchema = z.object({ leases: z.array(leaseSchema).readonly() });
const HELD = '/intents/:intentId/leases';
const LEASE = '/intents/:intentId/leases/:leaseId';

/** Leases on scopes of an intent: listed, taken, renewed, released. */
export const LEASE_ROUTES: readonly Route[] = [
  v1Route(LEASES.listLeases, {
    method: 'get',
    path: HELD,
    summary: 'Lists the leases that are not over',
    replies: { 200: { description: 'The leases.', body: leaseListSchema } },
    handle: async ({ run, params }) => reply(200, { leases: await run(params.intentId) }),
  }),
  v1Route(LEASES.acquireLease, {
    method: 'post',
    path: HELD,
    summary: 'Takes a lease on one scope of the intent',
    body: jsonOf(acquireLeaseRequestSchema),
    replies: { 201: { description: 'The lease.', body: leaseSchema, headers: ['Location'] } },
    async handle({ run, params: { intentId }, body: { scope, duration_seconds } }) {
      const lease = await run(intentId, scope, duration_seconds);
      return reply(201, lease, { Location: `/v1/intents/${intentId}/leases/${lease.id}` });
    },
  }),
  v1Route(LEASES.renewLease, {
    method: 'patch',
    path: LEASE,
    summary: 'Renews a lease, from now',
    body: jsonOf(renewLeaseRequestSchema),
    replies: { 200: { description: 'The lease.', body: leaseSchema } },
    handle: async ({ run, params: { intentId, leaseId }, body }) =>
      reply(200, await run(intentId, leaseId, body.duration_seconds)),
  }),
  v1Route(LEASES.releaseLease, {
    method: 'delete',
    path: LEASE,
    summary: 'Releases a lease',
    replies: { 200: { description: 'The lease as it ended.', body: leaseSchema } },
    handle: async ({ run, params: { intentId, leaseId } }) =>
      reply(200, await run(intentId, leaseId)),
  }),
];
