import type { Caller } from '../../contracts/people/caller.js';
import type { Lease } from '../../contracts/intent/intent.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { EventDraft } from './entity.js';
import { authorize } from '../policy/authorize.js';
import { jsonBytes } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { CLOCK_ACTOR } from '../suspension/record/events.js';
import { plusSeconds, toInstant, toMillis } from '../kernel/time.js';

type Leases = readonly Lease[];

interface LeaseChange {
  readonly leases: Lease[];
  readonly lease: Lease;
}

interface Acquisition {
  readonly id: string;
  readonly intent_id: string;
  readonly holder: string;
  readonly scope: string;
  readonly duration_seconds: number;
}

interface Claim {
  readonly lease_id: string;
  readonly by: Caller;
}

function isOver(lease: Lease, nowMs: number, suspended: boolean): boolean {
  return !suspended && toMillis(lease.expires_at) <= nowMs;
}

export type LeaseLimits = Readonly<Record<'leasesPerIntent' | 'leasesBytes', number>>;

/**
 * Acquires a lease on a scope for `duration_seconds`. Each listed lease blocks its scope, even for its holder, so
 * drop expired leases first (`expireDueLeases`). A suspended intent keeps its leases (R25-12). Refuses `lease_held`,
 * and `too_many_leases` beyond a number of leases or bytes.
 */
export function acquireLease(
  leases: Leases,
  wanted: Acquisition,
  nowMs: number,
  limits: LeaseLimits,
): Ruling<LeaseChange> {
  if (leases.some((lease) => lease.scope === wanted.scope)) {
    return refuse('lease_held', 'Another lease covers this scope.', {
      field: 'scope',
      accepted: 'a scope that no lease holds',
    });
  }
  const acquired_at = toInstant(nowMs);
  const lease: Lease = {
    ...wanted,
    agent_id: wanted.holder,
    status: 'active',
    acquired_at,
    expires_at: plusSeconds(acquired_at, wanted.duration_seconds),
    released_at: null,
  };
  const all = [...leases, lease];
  const { leasesPerIntent: most, leasesBytes } = limits;
  if (all.length > most || jsonBytes(all) > leasesBytes) {
    return refuse(
      'too_many_leases',
      `An intent holds at most ${most} leases, or ${leasesBytes} bytes.`,
    );
  }
  return ok({ leases: all, lease });
}

function held(
  leases: Leases,
  action: 'renewLease' | 'releaseLease',
  { lease_id, by }: Claim,
  nowMs: number,
  suspended: boolean,
): Ruling<Lease> {
  const lease = leases.find(({ id }) => id === lease_id);
  const isTheirs = authorize(by, action, { holder: lease?.holder }).ok;
  if (lease === undefined || !isTheirs || isOver(lease, nowMs, suspended)) {
    return refuse('lease_not_found', 'The lease is unknown, over, or held by another.');
  }
  return ok(lease);
}

/** Extends a lease to `duration_seconds` from now, also while the intent is suspended (R25-11). Refuses `lease_not_found`. */
export function renewLease(
  leases: Leases,
  claim: Claim & { readonly duration_seconds: number },
  nowMs: number,
  suspended: boolean,
): Ruling<LeaseChange> {
  const found = held(leases, 'renewLease', claim, nowMs, suspended);
  if (!found.ok) return found;
  const { duration_seconds } = claim;
  const expires_at = plusSeconds(toInstant(nowMs), duration_seconds);
  const lease: Lease = { ...found.value, duration_seconds, expires_at };
  return ok({ leases: leases.map((other) => (other.id === lease.id ? lease : other)), lease });
}

/** Releases a lease and removes it from the list. Refuses `lease_not_found`. */
export function releaseLease(
  leases: Leases,
  claim: Claim,
  nowMs: number,
  suspended: boolean,
): Ruling<LeaseChange> {
  const found = held(leases, 'releaseLease', claim, nowMs, suspended);
  if (!found.ok) return found;
  const lease: Lease = { ...found.value, status: 'released', released_at: toInstant(nowMs) };
  return ok({ leases: leases.filter(({ id }) => id !== lease.id), lease });
}

/** Removes expired leases and returns them. No lease expires while the intent is suspended (R25-10). */
export function expireDueLeases(
  leases: Leases,
  nowMs: number,
  suspended: boolean,
): { leases: Lease[]; expired: Lease[] } {
  const isDue = (lease: Lease): boolean => isOver(lease, nowMs, suspended);
  return {
    leases: leases.filter((lease) => !isDue(lease)),
    expired: leases.filter(isDue).map((lease) => ({ ...lease, status: 'expired' })),
  };
}

export function olderThan(leases: Leases, instant: string): Lease[] {
  return leases.filter(({ acquired_at }) => toMillis(acquired_at) < toMillis(instant));
}

/** Returns the event of a lease that expired, or whose holder the access list no longer lets write. */
export function leaseEnded(
  { id, agent_id, scope }: Lease,
  reason: 'expired' | 'access_revoked',
): EventDraft {
  const payload = { lease_id: id, agent_id, scope, reason };
  return { event_type: 'lease_released', actor: CLOCK_ACTOR, payload };
}

/** Returns when the next lease expires; undefined if there is none or the intent is suspended. */
export function nextLeaseInstant(leases: Leases, suspended: boolean): string | undefined {
  if (suspended || leases.length === 0) return undefined;
  return toInstant(Math.min(...leases.map(({ expires_at }) => toMillis(expires_at))));
}

/**
 * Extends the leases at the end of a suspension: each keeps the time that remained when it began, at most one full
 * duration, counted from `settledAt` (R25-12). No lease becomes shorter.
 */
export function resumeLeases(leases: Leases, suspendedAt: string, settledAt: string): Lease[] {
  return leases.map((lease) => {
    const expires = toMillis(lease.expires_at);
    const left = Math.min(lease.duration_seconds * 1000, expires - toMillis(suspendedAt));
    return { ...lease, expires_at: toInstant(Math.max(expires, toMillis(settledAt) + left)) };
  });
}
