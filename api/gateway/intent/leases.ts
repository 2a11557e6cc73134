import type { Lease } from '../../../contracts/intent.js';
import {
  acquireLeaseUpdate,
  releaseLeaseUpdate,
  renewLeaseUpdate,
} from '../../../workflows/intent/messages.js';
import { sentBy } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Consistency } from '../reads/consistency.js';
import type { IntentWriter } from './writes.js';

/**
 * Leases of the calling principal on an intent; durations in seconds. Each throws what
 * `IntentWriter` throws, among it `lease_held`, `lease_not_found` and `too_many_leases`.
 */
export function createLeases(write: IntentWriter, consistency: Pick<Consistency, 'touch'>) {
  return {
    async acquireLease(
      caller: Caller,
      intentId: string,
      scope: string,
      duration_seconds: number,
    ): Promise<Lease> {
      const input = { ...sentBy(caller), scope, duration_seconds };
      const lease = await write(intentId, acquireLeaseUpdate, input);
      consistency.touch(intentId);
      return lease;
    },
    async renewLease(
      caller: Caller,
      intentId: string,
      lease_id: string,
      duration_seconds: number,
    ): Promise<Lease> {
      const input = { ...sentBy(caller), lease_id, duration_seconds };
      const lease = await write(intentId, renewLeaseUpdate, input);
      consistency.touch(intentId);
      return lease;
    },
    async releaseLease(caller: Caller, intentId: string, lease_id: string): Promise<Lease> {
      const input = { ...sentBy(caller), lease_id };
      const lease = await write(intentId, releaseLeaseUpdate, input);
      consistency.touch(intentId);
      return lease;
    },
  };
}
