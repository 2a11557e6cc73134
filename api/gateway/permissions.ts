import { refused } from './refusals.js';
import type { Caller } from './types.js';

/** Whether a caller's role lets it answer, so that it may see which suspensions are open (AM-45). */
export function mayAnswer({ roles }: Caller): boolean {
  return roles.has('operator') || roles.has('admin');
}

/**
 * In whose name something is made: the caller's, unless an admin names another.
 *
 * @param what - what is made, with its article
 * @throws RefusalError `forbidden`
 */
export function creatorOf(
  { principal, roles, door }: Caller,
  request: { readonly created_by?: string | undefined },
  what: string,
): string {
  const createdBy = request.created_by ?? principal;
  if (createdBy === principal || roles.has('admin') || door !== undefined) return createdBy;
  const detail = `Only an admin key may create ${what} in the name of somebody else.`;
  throw refused('forbidden', detail, {
    field: 'created_by',
    accepted: 'the principal of the key, or nothing',
  });
}
