import type { UpdateDefinition } from '@temporalio/common';
import { setHandler, uuid4 } from '@temporalio/workflow';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Sent } from '../../contracts/caller.js';
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
  type ReleaseLeaseInput,
  type RenewLeaseInput,
} from './messages.js';
import { now } from '../engine/clock.js';
import { mayDo } from './rights.js';

interface LeaseChange {
  readonly leases: readonly Lease[];
  readonly lease: Lease;
}

/** Leases (RFC-0003): acquired, renewed and released by their holder, expired by the clock. */
export function registerLeases(entity: IntentEntity): void {
  onLease(entity, acquireLeaseUpdate, 'Acquire a lease', 'lease_acquired', acquire);
  onLease(entity, renewLeaseUpdate, 'Renew a lease', 'lease_renewed', renew);
  onLease(entity, releaseLeaseUpdate, 'Release a lease', 'lease_released', release);
  setHandler(leasesQuery, () => entity.leases);
}

/** Takes a change of a lease in, with its event. A check makes no id, so that a refusal leaves no trace. */
function onLease<Input extends Sent>(
  entity: IntentEntity,
  update: UpdateDefinition<Lease, [Input]>,
  description: string,
  event_type: string,
  changeOf: (entity: IntentEntity, input: Input, newId: () => string) => Ruling<LeaseChange>,
): void {
  const check = (input: Input): void => {
    demand(checkOpen(entity.intent));
    demand(changeOf(entity, input, () => ''));
  };
  onWrite(entity, update, description, check, (input) => {
    const { leases, lease } = demand(changeOf(entity, input, uuid4));
    entity.leases = leases;
    const { id, agent_id, scope, expires_at } = lease;
    const payload = { lease_id: id, agent_id, scope, expires_at };
    entity.record({ event_type, actor: input.actor, payload }, input.by.principal);
    return lease;
  });
}

function acquire(
  entity: IntentEntity,
  input: AcquireLeaseInput,
  newId: () => string,
): Ruling<LeaseChange> {
  const allowed = mayDo(entity, input.by, 'acquireLease');
  if (!allowed.ok) return allowed;
  const at = now();
  const { leases } = expireDueLeases(entity.leases, at, entity.suspended);
  const { by, scope, duration_seconds } = input;
  const wanted = {
    id: newId(),
    intent_id: entity.intent.id,
    holder: by.principal,
    scope,
    duration_seconds,
  };
  return acquireLease(leases, wanted, at, LIMITS);
}

function renew(entity: IntentEntity, input: RenewLeaseInput): Ruling<LeaseChange> {
  const { by, lease_id, duration_seconds } = input;
  const claim = { lease_id, by, duration_seconds };
  const renewed = renewLease(entity.leases, claim, now(), entity.suspended);
  if (!renewed.ok) return renewed;
  // It lasts no longer than its holder may take one.
  const allowed = mayDo(entity, by, 'acquireLease');
  return allowed.ok ? renewed : allowed;
}

function release(entity: IntentEntity, { by, lease_id }: ReleaseLeaseInput): Ruling<LeaseChange> {
  const claim = { lease_id, by };
  return releaseLease(entity.leases, claim, now(), entity.suspended);
}
