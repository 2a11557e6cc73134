import type { Caller as Authenticated, KeyHolder, Sent } from '../../contracts/people/caller.js';
import { authorize } from '../../domain/policy/authorize.js';
import { refused } from './refusals.js';

export interface Caller extends KeyHolder {
  /** The name in the events of its writes; the principal by default. It permits nothing. */
  readonly actor?: string;
}

/** A read that may come from the store when no worker answers, or before the store caught up. */
export interface Read<T> {
  readonly value: T;
  readonly stale: boolean;
}

export type { Page } from '../../store/queries/bounded.js';

export interface Listed<T> extends Read<readonly T[]> {
  /** Whether the list continues: a page ends at its limit of entries or of bytes. */
  readonly more: boolean;
}

/** A page of entries that may be large: whole if that was requested, else in summary. */
export type ListedForm<Whole, Summary> =
  (Listed<Whole> & { readonly whole: true }) | (Listed<Summary> & { readonly whole: false });

export const actorOf = ({ principal, actor = principal }: Caller): string => actor;

/** Returns the caller in the form of messages to workflows. */
export function proven({ space, principal, roles, groups }: Caller): Authenticated {
  return { space, principal, roles, groups };
}

/** Returns the owner of a row that a person keeps privately: the caller, in its space. */
export function personOf({ space, principal }: Caller) {
  return { space, by: principal };
}

/** Returns the sender in the form of messages to workflows. */
export function sentBy(caller: Caller): Sent {
  return { by: proven(caller), actor: actorOf(caller) };
}

/** A name in a request: who is to make or to hold something. */
interface SentName {
  readonly field: string;
  readonly name: string | undefined;
  /** A sentence that refuses the name of somebody else. */
  readonly refusal: string;
}

export interface Naming {
  /** Names are kept as they are sent, whoever sends them. */
  readonly anyName?: boolean;
}

/**
 * Returns the name that counts: the caller's own, unless the policy lets it send another or the API takes any.
 * @throws RefusalError `forbidden`
 */
export function nameFor(
  caller: Caller,
  action: 'createCoordinator' | 'createIntent' | 'createPortfolio',
  { field, name = caller.principal, refusal }: SentName,
  { anyName = false }: Naming,
): string {
  if (name === caller.principal || anyName) return name;
  if (authorize(caller, action, { when: 'inAnothersName' }).ok) return name;
  throw refused('forbidden', refusal, { field, accepted: 'the principal of the key, or nothing' });
}
