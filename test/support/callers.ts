import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import type { Caller, Sent } from '../../contracts/people/caller.js';

/** Who calls with a key of these roles; an agent unless told otherwise. */
export function caller(principal: string, ...roles: Caller['roles']): Caller {
  return {
    space: DEFAULT_SPACE,
    principal,
    roles: roles.length > 0 ? roles : ['agent'],
    groups: [],
  };
}

/** What a message says of its sender, who claims no other name. */
export function sent(principal: string, ...roles: Caller['roles']): Sent {
  return { by: caller(principal, ...roles), actor: principal };
}
