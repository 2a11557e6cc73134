import type {
  AccessEntry,
  AccessGrants,
  AccessList,
  Guarded,
  Reader,
} from '../../contracts/intent/access.js';
import type { Caller } from '../../contracts/people/caller.js';
import { PERMISSIONS, type Permission } from '../../contracts/constants/callers.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { jsonBytes } from '../kernel/json.js';
import { isInstant, isObject, isOneOf } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { toMillis } from '../kernel/time.js';

const RANK: Readonly<Record<Permission | 'none', number>> = {
  none: 0,
  read: 1,
  write: 2,
  admin: 3,
};

export type AccessLevel = Permission | 'none';

export function includes(level: AccessLevel, needed: Permission): boolean {
  return RANK[level] >= RANK[needed];
}

/** Every other role sees everything in its space. A user reads no intents, so that role adds nothing to an agent's. */
const NARROWED: readonly Caller['roles'][number][] = ['agent', 'user'];

/**
 * Returns a caller as the reader that access lists restrict: one with only the roles agent or user. Undefined for all
 * others.
 */
export function readerOf(
  { principal, roles, groups }: Caller,
  agentsRead?: 'all' | 'own',
): Reader | undefined {
  if (!roles.every((role) => NARROWED.includes(role))) return undefined;
  return { principal, groups, ...(agentsRead === 'own' && { own: true as const }) };
}

/**
 * Returns a reader's rights by an access list (RFC-0011); the highest entry applies. The owner is not restricted.
 * Askers of the open question may at least write, because the OpenIntent protocol asks in several writes. `closed`
 * admits nobody else; `open` allows others to read if it has entries.
 *
 * @param now - milliseconds since the epoch; entries that have expired by then do not count
 */
export function accessOf(
  reader: Reader | undefined,
  { owner, access, askers = [] }: Guarded,
  now: number,
): AccessLevel {
  if (reader === undefined || reader.principal === owner) return 'admin';
  const listed = listedAccess(reader, access, now);
  return askers.includes(reader.principal) && !includes(listed, 'write') ? 'write' : listed;
}

function listedAccess(reader: Reader, access: Guarded['access'], now: number): AccessLevel {
  const others = reader.own ? 'none' : 'admin';
  if (!access) return others;
  const { default_policy, entries } = access;
  const levels = entries.filter((entry) => isFor(entry, reader, now)).map((one) => one.permission);
  const named = PERMISSIONS.findLast((permission) => levels.includes(permission));
  if (named !== undefined) return named;
  if (default_policy === 'closed' || reader.own) return 'none';
  return entries.length === 0 ? others : 'read';
}

function isFor(
  { principal_id, principal_type, expires_at }: AccessGrants['entries'][number],
  reader: Reader,
  now: number,
) {
  if (expires_at !== null && toMillis(expires_at) <= now) return false;
  return principal_type === 'group'
    ? reader.groups.includes(principal_id)
    : reader.principal === principal_id;
}

/** Whether a reader may read an entry of the feed. An entry without an intent has no list. */
export function mayRead(reader: Reader | undefined, guarded: Guarded | null, now: number): boolean {
  return guarded === null || includes(accessOf(reader, guarded, now), 'read');
}

/**
 * Returns what an intent's tasks and plans need to judge writes as the intent does; undefined without an access list.
 * It omits who granted what for which reason.
 *
 * @param askers - the principals that ask its open question
 */
export function guardFor(
  { owner, access }: Pick<Guarded, 'owner'> & { readonly access?: AccessList | undefined },
  askers: readonly string[] = [],
): Guarded | undefined {
  if (access === undefined) return undefined;
  const entries = access.entries.map(
    ({ principal_id, principal_type, permission, expires_at }) => ({
      principal_id,
      principal_type,
      permission,
      expires_at,
    }),
  );
  return { owner, access: { default_policy: access.default_policy, entries }, askers };
}

/** Whether a part of a message has the form of `guardFor`'s result. */
export function isGuard(value: unknown): value is Guarded {
  if (!isObject(value)) return false;
  const { owner = null, access, askers } = value;
  if (owner !== null && typeof owner !== 'string') return false;
  if (!isObject(access) || !isOneOf(access['default_policy'], ['open', 'closed'])) return false;
  const { entries } = access;
  const isNames = Array.isArray(askers) && askers.every((one) => typeof one === 'string');
  return isNames && Array.isArray(entries) && entries.every(isGrant);
}

function isGrant(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { principal_id, principal_type, permission, expires_at } = value;
  const isNamed = [principal_id, principal_type].every((one) => typeof one === 'string');
  const isEnd = expires_at === null || isInstant(expires_at);
  return isNamed && isEnd && isOneOf(permission, PERMISSIONS);
}

export type AccessChange =
  { readonly set: AccessList } | { readonly grant: AccessEntry } | { readonly revoke: string };

/** The rule without a list: nobody is restricted. */
export const NO_LIST: AccessList = { default_policy: 'open', entries: [] };

/** Returns the list after a change. Refuses `state_too_large`, and `not_found` for a missing entry. */
export function changeAccess(
  before: AccessList = NO_LIST,
  change: AccessChange,
): Ruling<AccessList> {
  if ('revoke' in change) {
    const entries = before.entries.filter(({ id }) => id !== change.revoke);
    const isThere = entries.length < before.entries.length;
    return isThere ? ok({ ...before, entries }) : refuse('not_found', 'ACL entry not found');
  }
  const next =
    'set' in change ? change.set : { ...before, entries: [...before.entries, change.grant] };
  if (jsonBytes(next) <= LIMITS.accessBytes) return ok(next);
  return refuse('state_too_large', 'The access list is too large.', {
    field: 'entries',
    accepted: `at most ${LIMITS.accessBytes} bytes of JSON`,
  });
}
