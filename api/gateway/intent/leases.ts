import {
  acquireLeaseUpdate,
  releaseLeaseUpdate,
  renewLeaseUpdate,
  type LeaseHolder,
} from '../../../workflows/intent/messages.js';
import type { Consistency } from '../reads/read-your-writes.js';
import type { IntentWriter } from './writes.js';
import type { Caller, Gateway } from '../types.js';

type Methods = Pick<Gateway, 'acquireLease' | 'renewLease' | 'releaseLease'>;

/** The key's principal holds a lease, also where the compatible door names another in the events. */
function holderOf({ principal: actor, door }: Caller): LeaseHolder {
  return { actor, ...(door && door.actor !== actor && { recorded_as: door.actor }) };
}

/**
 * Leases of the calling principal on an intent; durations in seconds. Each throws what
 * `IntentWriter` throws, among it `lease_held`, `lease_not_found` and `too_many_leases`.
 */
export function createLeases(
  write: IntentWriter,
  consistency: Pick<Consistency, 'touch'>,
): Methods {
  return {
    async acquireLease(caller, intentId, scope, duration_seconds) {
      const input = { ...holderOf(caller), scope, duration_seconds };
      const lease = await write(intentId, acquireLeaseUpdate, input);
      consistency.touch(intentId);
      return lease;
    },
    async renewLease(caller, intentId, lease_id, duration_seconds) {
      const input = { ...holderOf(caller), lease_id, duration_seconds };
      const lease = await write(intentId, renewLeaseUpdate, input);
      consistency.touch(intentId);
      return lease;
    },
    async releaseLease(caller, intentId, lease_id) {
      const input = { ...holderOf(caller), lease_id };
      const lease = await write(intentId, releaseLeaseUpdate, input);
      consistency.touch(intentId);
      return lease;
    },
  };
}
