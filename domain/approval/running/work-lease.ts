import type { Ruling } from '../../../contracts/kernel/problem.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { plusSeconds, toMillis } from '../../kernel/time.js';

/** The lease of a process on some work, such as a running call or a resumed agent. */
export interface WorkLease {
  /** The name that the process gives itself. */
  readonly holder: string;
  /** Grows with each takeover; reports under an older token are refused. */
  readonly token: number;
  /** After this instant another process may take over. */
  readonly until: string;
}

export interface LeaseRequest {
  readonly holder: string;
  readonly lease_seconds: number;
}

/**
 * Gives the lease to a process. The holder gets it again under the same token, because a reply may be lost or the
 * process restarted. Others get it with a higher token once it has expired, and are refused with `approval_in_use`
 * before.
 */
export function takeLease(
  lease: WorkLease | undefined,
  { holder, lease_seconds }: LeaseRequest,
  now: string,
): Ruling<WorkLease> {
  const until = plusSeconds(now, lease_seconds);
  if (lease === undefined) return ok({ holder, token: 1, until });
  if (lease.holder === holder) return ok({ ...lease, until });
  if (toMillis(lease.until) <= toMillis(now)) {
    return ok({ holder, token: lease.token + 1, until });
  }
  return refuse('approval_in_use', `Another process has it until ${lease.until}.`, {
    field: 'holder',
    accepted: 'the process that has the lease',
    state: { until: lease.until, token: lease.token },
  });
}

/** Judges the token of a report. An expired lease counts until another process takes over. Refuses `stale_token`. */
export function checkToken(lease: WorkLease | undefined, token: number): Ruling<true> {
  if (lease?.token === token) return ok(true);
  const current = lease?.token ?? 0;
  const detail =
    token < current ? 'Another process has taken over.' : 'No process has got this token.';
  return refuse('stale_token', detail, {
    field: 'token',
    accepted: current === 0 ? 'the token of a lease' : String(current),
    state: { token: current },
  });
}
