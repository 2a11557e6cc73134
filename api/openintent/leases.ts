import type { Gateway } from '../gateway/index.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { acquireSchema, renewSchema } from './schemas.js';
import { wireLease } from './wire.js';

const LEASES = '/intents/:intentId/leases';
const LEASE = '/intents/:intentId/leases/:leaseId';

/** Leases (§6), held by the key's principal. */
export function leaseRoutes(gateway: Gateway): readonly OpenIntentRoute[] {
  return [
    openIntentRoute({
      method: 'get',
      path: LEASES,
      access: 'any',
      async handle({ id }) {
        return { leases: (await gateway.listLeases(id('intentId'))).map(wireLease) };
      },
    }),
    openIntentRoute({
      method: 'post',
      path: LEASES,
      access: 'agent',
      body: acquireSchema,
      async handle({ req, id, body: { scope, duration_seconds: seconds } }) {
        const caller = openIntentCaller(req);
        return wireLease(await gateway.acquireLease(caller, id('intentId'), scope, seconds));
      },
    }),
    openIntentRoute({
      method: 'patch',
      path: LEASE,
      access: 'agent',
      body: renewSchema,
      async handle({ req, id, body: { duration_seconds: seconds } }) {
        const [caller, intentId, leaseId] = [openIntentCaller(req), id('intentId'), id('leaseId')];
        return wireLease(await gateway.renewLease(caller, intentId, leaseId, seconds));
      },
    }),
    openIntentRoute({
      method: 'delete',
      path: LEASE,
      access: 'agent',
      async handle({ req, id }) {
        await gateway.releaseLease(openIntentCaller(req), id('intentId'), id('leaseId'));
        return { message: 'Lease released' };
      },
    }),
  ];
}
