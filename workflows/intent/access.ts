import type { AccessEntry } from '../../contracts/intent/access.js';
import type { Lease } from '../../contracts/intent/intent.js';
import { checkOpen, type EventDraft } from '../../domain/intent/entity.js';
import {
  acquireLease,
  expireDueLeases,
  leaseEnded,
  releaseLease,
  renewLease,
} from '../../domain/intent/lease.js';
import {
  accessOf,
  changeAccess,
  includes,
  type AccessChange,
} from '../../domain/policy/access-list.js';
import { toInstant } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import { demand, onWrite } from '../engine/handlers.js';
import type { IntentEntity } from './entity.js';
import {
  accessUpdate,
  acquireLeaseUpdate,
  leasesQuery,
  releaseLeaseUpdate,
  renewLeaseUpdate,
  type AccessInput,
  type AcquireLeaseInput,
  type IntentWritten,
  type ReleaseLeaseInput,
  type RenewLeaseInput,
} from './messages.js';
import { guardOf, mayDo } from './rights.js';
import type { UpdateDefinition } from '@temporalio/common';
import { setHandler, uuid4 } from '@temporalio/workflow';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Sent } from '../../contracts/people/caller.js';

/** The access list (RFC-0011), which the owner or an admin sets, extends and reduces. */
export function registerAccess(entity: IntentEntity): void {
  onWrite(
    entity,
    accessUpdate,
    'Change the access list',
    ({ by, change: wanted }) => {
      demand(mayDo(entity, by, ACTIONS[kindOf(wanted)]));
      demand(checkOpen(entity.intent));
      demand(changeAccess(entity.intent.access, wanted));
    },
    (input) => change(entity, input),
  );
}

const ACTIONS = { set: 'setAccess', grant: 'grantAccess', revoke: 'revokeAccess' } as const;

function kindOf(wanted: AccessChange): keyof typeof ACTIONS {
  if ('set' in wanted) return 'set';
  return 'grant' in wanted ? 'grant' : 'revoke';
}

/** Changes the list but not the version, so that pending writers need not read the intent again. */
function change(entity: IntentEntity, { by, actor, change: wanted }: AccessInput): IntentWritten {
  const { intent } = entity;
  const access = demand(changeAccess(intent.access, wanted));
  const event = { ...eventOf(wanted, intent.access?.entries), actor };
  const updated_at = toInstant(now());
  entity.commit({ intent: { ...intent, access, updated_at }, events: [event] }, by.principal);
  revokeLeases(entity, intent.access?.entries);
  return entity.written;
}

function eventOf(
  wanted: AccessChange,
  before: readonly AccessEntry[] = [],
): Omit<EventDraft, 'actor'> {
  if ('set' in wanted) {
    return { event_type: 'access_policy_set', payload: wanted.set };
  }
  if ('grant' in wanted) {
    const { grant: entry } = wanted;
    return { event_type: 'access_granted', payload: { entry } };
  }
  const entry = before.find(({ id }) => id === wanted.revoke);
  const { principal_id = null, permission = null } = entry ?? {};
  const payload = { entry_id: wanted.revoke, principal_id, previous_permission: permission };
  return { event_type: 'access_revoked', payload };
}

/** Revokes the leases of agents that the list named, and that may no longer write (RFC-0011). */
function revokeLeases(entity: IntentEntity, before: readonly AccessEntry[] = []): void {
  const named = new Set(before.map(({ principal_id }) => principal_id));
  const isLost = ({ holder }: Lease) => named.has(holder) && !mayHold(entity, holder);
  const lost = entity.leases.filter(isLost);
  entity.leases = entity.leases.filter((lease) => !isLost(lease));
  for (const lease of lost) entity.record(leaseEnded(lease, 'access_revoked'));
}

/**
 * Whether a principal may hold a lease. A lease does not record the groups of its holder, so any group that may write
 * counts.
 */
function mayHold(entity: IntentEntity, principal: string): boolean {
  const entries = entity.intent.access?.entries ?? [];
  const isGroup = (entry: AccessEntry) => entry.principal_type === 'group';
  const groups = entries.filter(isGroup).map(({ principal_id }) => principal_id);
  return includes(accessOf({ principal, groups }, guardOf(entity), now()), 'write');
}

interface LeaseChange {
  readonly leases: readonly Lease[];
  readonly lease: Lease;
}

/** Registers leases (RFC-0003): acquired, renewed and released by their holder, expired by the clock. */
export function registerLeases(entity: IntentEntity): void {
  onLease(entity, acquireLeaseUpdate, 'Acquire a lease', 'lease_acquired', acquire);
  onLease(entity, renewLeaseUpdate, 'Renew a lease', 'lease_renewed', renew);
  onLease(entity, releaseLeaseUpdate, 'Release a lease', 'lease_released', release);
  setHandler(leasesQuery, () => entity.leases);
}

/** Applies a change of a lease, with its event. A check creates no id, so that a refusal leaves no trace. */
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
