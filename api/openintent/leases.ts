import type { Binding } from '../http/route.js';
import { LEASES } from '../operations/intent.js';
import { openIntentRoute } from './route.js';
import { acquireSchema, renewSchema } from './schemas.js';
import { wireLease } from './wire.js';

const HELD = '/intents/:intentId/leases';
const LEASE = '/intents/:intentId/leases/:leaseId';

/** Leases, held by the key's principal. */
export const LEASE_ROUTES: readonly Binding[] = [
  openIntentRoute(LEASES.listLeases, {
    method: 'get',
    path: HELD,
    handle: async ({ run, id }) => ({ leases: (await run(id('intentId'))).map(wireLease) }),
  }),
  openIntentRoute(LEASES.acquireLease, {
    method: 'post',
    path: HELD,
    body: acquireSchema,
    handle: async ({ run, id, body: { scope, duration_seconds } }) =>
      wireLease(await run(id('intentId'), scope, duration_seconds)),
  }),
  openIntentRoute(LEASES.renewLease, {
    method: 'patch',
    path: LEASE,
    body: renewSchema,
    handle: async ({ run, id, body: { duration_seconds } }) =>
      wireLease(await run(id('intentId'), id('leaseId'), duration_seconds)),
  }),
  openIntentRoute(LEASES.releaseLease, {
    method: 'delete',
    path: LEASE,
    async handle({ run, id }) {
      await run(id('intentId'), id('leaseId'));
      return { message: 'Lease released' };
    },
  }),
];
