import { setHandler, uuid4 } from '@temporalio/workflow';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Lease } from '../../contracts/intent.js';
import type { Ruling } from '../../contracts/problem.js';
import { checkOpen } from '../../domain/intent/entity.js';
import {
  acquireLease,
  expireDueLeases,
  releaseLease,
  renewLease,
} from '../../domain/intent/lease.js';
import { demand, onWrite } from '../engine/handlers.js';
import type { IntentEntity } from './entity.js';
import {
  acquireLeaseUpdate,
  leasesQuery,
  releaseLeaseUpdate,
  renewLeaseUpdate,
  type AcquireLeaseInput,
  type LeaseHolder,
  type ReleaseLeaseInput,
  type RenewLeaseInput,
} from './messages.js';
import { now } from '../engine/clock.js';

interface LeaseChange {
  readonly leases: readonly Lease[];
  readonly lease: Lease;
}

/** Leases (RFC-0003): acquired, renewed and released by their holder, expired by the clock. */
export function registerLeases(entity: IntentEntity): void {
  const check = (ruling: Ruling<LeaseChange>): void => {
    demand(checkOpen(entity.intent));
    demand(ruling);
  };
  onWrite(
    entity,
    acquireLeaseUpdate,
    (input) => {
      check(acquire(entity, input, ''));
    },
    (input) => apply(entity, input, 'lease_acquired', acquire(entity, input, uuid4())),
  );
  onWrite(
    entity,
    renewLeaseUpdate,
    (input) => {
      check(renew(entity, input));
    },
    (input) => apply(entity, input, 'lease_renewed', renew(entity, input)),
  );
  onWrite(
    entity,
    releaseLeaseUpdate,
    (input) => {
      check(release(entity, input));
    },
    (input) => apply(entity, input, 'lease_released', release(entity, input)),
  );
  setHandler(leasesQuery, () => entity.leases);
}

function apply(
  entity: IntentEntity,
  holder: LeaseHolder,
  event: 'lease_acquired' | 'lease_renewed' | 'lease_released',
  ruling: Ruling<LeaseChange>,
): Lease {
  const { leases, lease } = demand(ruling);
  entity.leases = leases;
  const { id, agent_id, scope, expires_at } = lease;
  const payload = { lease_id: id, agent_id, scope, expires_at };
  entity.record({ event_type: event, actor: holder.recorded_as ?? agent_id, payload });
  return lease;
}

function acquire(entity: IntentEntity, input: AcquireLeaseInput, id: string): Ruling<LeaseChange> {
  const at = now();
  const { leases } = expireDueLeases(entity.leases, at, entity.suspended);
  const { actor, scope, duration_seconds } = input;
  const wanted = { id, intent_id: entity.intent.id, agent_id: actor, scope, duration_seconds };
  return acquireLease(leases, wanted, at, LIMITS.leasesPerIntent);
}

function renew(entity: IntentEntity, input: RenewLeaseInput): Ruling<LeaseChange> {
  const { actor, lease_id, duration_seconds } = input;
  const claim = { lease_id, agent_id: actor, duration_seconds };
  return renewLease(entity.leases, claim, now(), entity.suspended);
}

function release(
  entity: IntentEntity,
  { actor, lease_id }: ReleaseLeaseInput,
): Ruling<LeaseChange> {
  const claim = { lease_id, agent_id: actor };
  return releaseLease(entity.leases, claim, now(), entity.suspended);
}
