import type { UpdateDefinition } from '@temporalio/common';
import { setHandler, uuid4 } from '@temporalio/workflow';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Sent } from '../../contracts/people/caller.js';
import type { Lease } from '../../contracts/intent/intent.js';
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

/** The leases of an intent after a change, and the one that it concerns. */
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

/** Takes in a change of a lease, with its event. A check makes no id, so that a refusal leaves no trace. */
function onLease<Input extends Sent>(
  entity: IntentEntity,
  update: UpdateDefinition<Lease, [Input]>,
  description: string,
  event_type: string,
  changeOf: (entity: IntentEntity, input: Input, newId: () => string) => LeaseChange,
): void {
  const check = (input: Input): void => {
    demand(checkOpen(entity.intent));
    changeOf(entity, input, () => '');
  };
  onWrite(entity, update, description, check, (input) => {
    const { leases, lease } = changeOf(entity, input, uuid4);
    entity.leases = leases;
    const { id, agent_id, scope, expires_at } = lease;
    const payload = { lease_id: id, agent_id, scope, expires_at };
    entity.record({ event_type, actor: input.actor, payload }, input.by.principal);
    return lease;
  });
}

function acquire(entity: IntentEntity, input: AcquireLeaseInput, newId: () => string): LeaseChange {
  demand(mayDo(entity, input.by, 'acquireLease'));
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
  return demand(acquireLease(leases, wanted, at, LIMITS));
}

function renew(entity: IntentEntity, input: RenewLeaseInput): LeaseChange {
  const { by, lease_id, duration_seconds } = input;
  const claim = { lease_id, by, duration_seconds };
  const renewed = demand(renewLease(entity.leases, claim, now(), entity.suspended));
  // Only a holder that may still acquire one can renew it.
  demand(mayDo(entity, by, 'acquireLease'));
  return renewed;
}

function release(entity: IntentEntity, { by, lease_id }: ReleaseLeaseInput): LeaseChange {
  return demand(releaseLease(entity.leases, { lease_id, by }, now(), entity.suspended));
}
