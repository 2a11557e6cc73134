import { z } from 'zod';
import {
  acquireLeaseRequestSchema,
  leaseSchema,
  renewLeaseRequestSchema,
} from '../../contracts/intent.js';
import type { Gateway } from '../gateway/index.js';
import { jsonOf } from '../http/input.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { callerOf } from '../http/keys-and-roles.js';
import { EXAMPLES } from '../openapi/examples.js';

const leaseListSchema = z.object({ leases: z.array(leaseSchema).readonly() });
const LEASES = '/intents/:intentId/leases';
const LEASE = '/intents/:intentId/leases/:leaseId';
const WRITE_ERRORS = [
  'intent_closed',
  'moving',
  'workflow_unavailable',
  'store_unavailable',
] as const;

function heldLeases(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: LEASES,
      id: 'listLeases',
      access: 'any',
      summary: 'Lists the leases that are not over',
      replies: {
        200: {
          description: 'The leases.',
          body: leaseListSchema,
          example: { leases: [EXAMPLES.lease] },
        },
      },
      errors: ['workflow_unavailable', 'store_unavailable'],
      async handle({ params }) {
        return reply(200, { leases: await gateway.listLeases(params.intentId) });
      },
    }),
    defineRoute({
      method: 'post',
      path: LEASES,
      id: 'acquireLease',
      access: 'agent',
      summary: 'Takes a lease on one scope of the intent',
      body: jsonOf(acquireLeaseRequestSchema, { scope: 'refunds', duration_seconds: 60 }),
      replies: {
        201: {
          description: 'The lease.',
          body: leaseSchema,
          example: EXAMPLES.lease,
          headers: ['Location'],
        },
      },
      errors: ['lease_held', 'too_many_leases', ...WRITE_ERRORS],
      async handle({ req, params: { intentId }, body: { scope, duration_seconds: seconds } }) {
        const lease = await gateway.acquireLease(callerOf(req), intentId, scope, seconds);
        return reply(201, lease, { Location: `/v1/intents/${intentId}/leases/${lease.id}` });
      },
    }),
  ];
}

function oneLease(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'patch',
      path: LEASE,
      id: 'renewLease',
      access: 'agent',
      summary: 'Renews a lease, from now',
      body: jsonOf(renewLeaseRequestSchema, { duration_seconds: 60 }),
      replies: {
        200: { description: 'The lease.', body: leaseSchema, example: EXAMPLES.lease },
      },
      errors: WRITE_ERRORS,
      async handle({ req, params: { intentId, leaseId }, body }) {
        const caller = callerOf(req);
        const seconds = body.duration_seconds;
        return reply(200, await gateway.renewLease(caller, intentId, leaseId, seconds));
      },
    }),
    defineRoute({
      method: 'delete',
      path: LEASE,
      id: 'releaseLease',
      access: 'agent',
      summary: 'Releases a lease',
      replies: {
        200: { description: 'The lease as it ended.', body: leaseSchema, example: EXAMPLES.lease },
      },
      errors: WRITE_ERRORS,
      async handle({ req, params: { intentId, leaseId } }) {
        return reply(200, await gateway.releaseLease(callerOf(req), intentId, leaseId));
      },
    }),
  ];
}

/** `GET` and `POST /intents/{id}/leases`, `PATCH` (renew) and `DELETE` (release) of one lease. */
export function leaseRoutes(gateway: Gateway): readonly Route[] {
  return [...heldLeases(gateway), ...oneLease(gateway)];
}
