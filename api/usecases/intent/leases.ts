import type { Lease } from '../../../contracts/intent/intent.js';
import {
  acquireLeaseUpdate,
  releaseLeaseUpdate,
  renewLeaseUpdate,
} from '../../../workflows/intent/messages.js';
import { sentBy } from '../../parts/caller.js';
import { FIRST, READ, WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/* Leases on scopes of an intent, with durations in seconds; the principal of the key holds them. */

const LEASE_WRITE = ['intent_closed', ...WRITE] as const;

export const listLeases = useCase({
  name: 'listLeases',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  run: ({ parts }: Call, intentId: string): Promise<readonly Lease[]> =>
    parts.reads.listLeases(intentId),
});

export const acquireLease = useCase({
  name: 'acquireLease',
  resource: 'intent',
  refusals: ['lease_held', 'too_many_leases', ...LEASE_WRITE],
  async run(
    { caller, parts }: Call,
    intentId: string,
    scope: string,
    duration_seconds: number,
  ): Promise<Lease> {
    const input = { ...sentBy(caller), scope, duration_seconds };
    const lease = await parts.write(intentId, acquireLeaseUpdate, input);
    parts.consistency.touch(intentId);
    return lease;
  },
});

export const renewLease = useCase({
  name: 'renewLease',
  resource: 'lease',
  refusals: LEASE_WRITE,
  async run(
    { caller, parts }: Call,
    intentId: string,
    lease_id: string,
    duration_seconds: number,
  ): Promise<Lease> {
    const input = { ...sentBy(caller), lease_id, duration_seconds };
    const lease = await parts.write(intentId, renewLeaseUpdate, input);
    parts.consistency.touch(intentId);
    return lease;
  },
});

export const releaseLease = useCase({
  name: 'releaseLease',
  resource: 'lease',
  refusals: LEASE_WRITE,
  async run({ caller, parts }: Call, intentId: string, lease_id: string): Promise<Lease> {
    const lease = await parts.write(intentId, releaseLeaseUpdate, { ...sentBy(caller), lease_id });
    parts.consistency.touch(intentId);
    return lease;
  },
});
