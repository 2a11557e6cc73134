import type { Gateway } from '../../gateway/types.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { doorCaller } from '../identity.js';
import { acquireSchema, renewSchema } from '../schemas.js';
import { wireLease } from '../wire.js';

const LEASES = '/intents/:intentId/leases';
const LEASE = '/intents/:intentId/leases/:leaseId';

/** Leases (§6), held by the key's principal. */
export function leaseRoutes(gateway: Gateway): readonly DoorRoute[] {
  return [
    doorRoute({
      ...{ method: 'get', path: LEASES, access: 'any' },
      async handle({ id }) {
        return { leases: (await gateway.listLeases(id('intentId'))).map(wireLease) };
      },
    }),
    doorRoute({
      ...{ method: 'post', path: LEASES, access: 'agent', body: acquireSchema },
      async handle({ req, id, body: { scope, duration_seconds: seconds } }) {
        const caller = doorCaller(req);
        return wireLease(await gateway.acquireLease(caller, id('intentId'), scope, seconds));
      },
    }),
    doorRoute({
      ...{ method: 'patch', path: LEASE, access: 'agent', body: renewSchema },
      async handle({ req, id, body: { duration_seconds: seconds } }) {
        const [caller, intentId, leaseId] = [doorCaller(req), id('intentId'), id('leaseId')];
        return wireLease(await gateway.renewLease(caller, intentId, leaseId, seconds));
      },
    }),
    doorRoute({
      ...{ method: 'delete', path: LEASE, access: 'agent' },
      async handle({ req, id }) {
        await gateway.releaseLease(doorCaller(req), id('intentId'), id('leaseId'));
        return { message: 'Lease released' };
      },
    }),
  ];
}
