import type { AccessEntry } from '../../contracts/intent/access.js';
import type { Lease } from '../../contracts/intent/intent.js';
import { checkOpen } from '../../domain/intent/entity.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { leaseEnded } from '../../domain/intent/lease.js';
import { accessOf, changeAccess, includes } from '../../domain/policy/access-list.js';
import type { AccessChange } from '../../domain/policy/access-list.js';
import { toInstant } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import { demand, onWrite } from '../engine/handlers.js';
import type { IntentEntity } from './entity.js';
import { accessUpdate } from './messages.js';
import type { AccessInput, IntentWritten } from './messages.js';
import { guardOf, mayDo } from './rights.js';

/** The access list (RFC-0011): set, added to and taken from by the owner or an admin. */
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

/** Changes the list, and leaves the version: nobody who is about to write has to read the intent anew. */
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

/** Whether a principal may hold a lease. A lease does not say in which groups its holder is, so any group that may write counts. */
function mayHold(entity: IntentEntity, principal: string): boolean {
  const entries = entity.intent.access?.entries ?? [];
  const isGroup = (entry: AccessEntry) => entry.principal_type === 'group';
  const groups = entries.filter(isGroup).map(({ principal_id }) => principal_id);
  return includes(accessOf({ principal, groups }, guardOf(entity), now()), 'write');
}
