import {
  acquireLeaseUpdate,
  releaseLeaseUpdate,
  renewLeaseUpdate,
} from '../../workflows/intent/messages.js';
import type { Consistency } from './consistency.js';
import type { IntentWriter } from './intent-writer.js';
import type { Gateway } from './types.js';

type Methods = Pick<Gateway, 'acquireLease' | 'renewLease' | 'releaseLease'>;

/**
 * Leases of the calling principal on an intent; durations in seconds. Each throws what
 * `IntentWriter` throws, among it `lease_held`, `lease_not_found` and `too_many_leases`.
 */
export function createLeases(
  write: IntentWriter,
  consistency: Pick<Consistency, 'touch'>,
): Methods {
  return {
    async acquireLease({ principal: actor }, intentId, scope, duration_seconds) {
      const input = { actor, scope, duration_seconds };
      const lease = await write(intentId, acquireLeaseUpdate, input);
      consistency.touch(intentId);
      return lease;
    },
    async renewLease({ principal: actor }, intentId, lease_id, duration_seconds) {
      const input = { actor, lease_id, duration_seconds };
      const lease = await write(intentId, renewLeaseUpdate, input);
      consistency.touch(intentId);
      return lease;
    },
    async releaseLease({ principal: actor }, intentId, lease_id) {
      const lease = await write(intentId, releaseLeaseUpdate, { actor, lease_id });
      consistency.touch(intentId);
      return lease;
    },
  };
}
