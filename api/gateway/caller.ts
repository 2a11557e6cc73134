import { refused } from './refusals.js';

/** Who calls, as its API key says. */
export interface Caller {
  readonly principal: string;
  readonly roles: ReadonlySet<'agent' | 'operator' | 'admin'>;
  /**
   * Set where the request came through the OpenIntent API: `actor` is the name in the events it
   * causes, names in bodies are kept as sent, and a question is written into the state in two calls.
   */
  readonly openintent?: { readonly actor: string };
}

/** A read that may come from the store when no worker answers, or before the store caught up. */
export interface Read<T> {
  readonly value: T;
  readonly stale: boolean;
}

/** Which part of a list is wanted. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The name that stands in the events of a write. */
export const actorOf = ({ principal, openintent }: Caller): string =>
  openintent?.actor ?? principal;

/** Whether a caller's role lets it answer, so that it may see which suspensions are open. */
export function mayAnswer({ roles }: Pick<Caller, 'roles'>): boolean {
  return roles.has('operator') || roles.has('admin');
}

/**
 * In whose name something is made: the caller's, unless an admin names another.
 *
 * @param what - what is made, with its article
 * @throws RefusalError `forbidden`
 */
export function creatorOf(
  { principal, roles, openintent }: Caller,
  request: { readonly created_by?: string | undefined },
  what: string,
): string {
  const createdBy = request.created_by ?? principal;
  if (createdBy === principal || roles.has('admin') || openintent !== undefined) return createdBy;
  const detail = `Only an admin key may create ${what} in the name of somebody else.`;
  throw refused('forbidden', detail, {
    field: 'created_by',
    accepted: 'the principal of the key, or nothing',
  });
}
