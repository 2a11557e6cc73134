import type { Caller as Authenticated, KeyHolder, Sent } from '../../contracts/people/caller.js';
import { authorize } from '../../domain/policy/authorize.js';
import { refused } from './refusals.js';

/** The caller, as a key or a token says. */
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

/** A page of a list. */
export interface Listed<T> extends Read<readonly T[]> {
  /** Whether the list goes on: a page ends at its limit, or where its bytes are used up. */
  readonly more: boolean;
}

/** A page of what may be large: whole as it was wanted, or in summary. */
export type ListedForm<Whole, Summary> =
  (Listed<Whole> & { readonly whole: true }) | (Listed<Summary> & { readonly whole: false });

/** The name that stands in the events of a write. */
export const actorOf = ({ principal, actor = principal }: Caller): string => actor;

/** The caller, as messages carry it. */
export function proven({ space, principal, roles, groups }: Caller): Authenticated {
  return { space, principal, roles, groups };
}

/** Whose a row is that a person keeps for itself: the caller, in its space. */
export function personOf({ space, principal }: Caller) {
  return { space, by: principal };
}

/** The sender, as a message names it. */
export function sentBy(caller: Caller): Sent {
  return { by: proven(caller), actor: actorOf(caller) };
}

/** A name in a request: who is to make or to hold something. */
interface SentName {
  readonly field: string;
  readonly name: string | undefined;
  /** The refusal of another's name, as a sentence. */
  readonly refusal: string;
}

/** How an API takes such names. */
export interface Naming {
  /** Names are kept as they are sent, whoever sends them. */
  readonly anyName?: boolean;
}

/**
 * The name that counts: the caller's own, unless the policy lets it send another or the API takes any.
 *
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
