import {
  ACCEPTED_GROUPS,
  groupsSchema,
  principalSchema,
  roleSchema,
} from '../../contracts/api-key.js';
import type { Role } from '../../contracts/api-key.js';
import type { Caller } from '../../contracts/caller.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { nameSchema } from '../../contracts/primitives.js';
import type { SignInConfig } from '../../contracts/sign-in.js';
import { RefusalError } from '../errors.js';

type Claims = Readonly<Record<string, unknown>>;

function own(container: unknown, name: string): unknown {
  return typeof container === 'object' && container !== null && Object.hasOwn(container, name)
    ? (container as Claims)[name]
    : undefined;
}

/** The claim of this name; if there is none, the one that the name leads to as a path with points. */
function claimOf(claims: Claims, name: string): unknown {
  return own(claims, name) ?? name.split('.').reduce(own, claims);
}

/** A list of names, or names in one text with spaces between them, as in `scope`. */
function namesIn(claim: unknown): readonly string[] {
  const values: readonly unknown[] = typeof claim === 'string' ? claim.split(' ') : [claim].flat();
  const names = values.map((value) => (typeof value === 'string' ? value.trim() : ''));
  return names.filter((name) => name !== '');
}

function rolesOf(names: readonly string[], { roles }: SignInConfig): readonly Role[] {
  const given = names.flatMap((name) => {
    if (roles !== undefined) return Object.hasOwn(roles, name) ? (roles[name] ?? []) : [];
    return roleSchema.safeParse(name).data ?? [];
  });
  return [...new Set(given)];
}

/** All groups or none: where one is missing, nobody could tell why somebody may not do what the group may. */
function groupsOf(claims: Claims, name: string): readonly string[] {
  const { data } = groupsSchema.safeParse(namesIn(claimOf(claims, name)));
  if (data !== undefined) return data;
  throw new RefusalError({
    code: 'too_many_groups',
    detail: `The claim ${JSON.stringify(name)} of the token names too many or too long groups.`,
    field: name,
    accepted: ACCEPTED_GROUPS,
  });
}

/**
 * Whom the claims of a valid token stand for; undefined if they name no principal, or no space where one has to be
 * named. Unknown roles count for nothing, and a token without roles may do nothing.
 *
 * @throws RefusalError `too_many_groups`
 */
export function callerOfClaims(claims: Claims, config: SignInConfig): Caller | undefined {
  const names = config.claims;
  const principal = principalSchema.safeParse(claimOf(claims, names.principal)).data;
  const space =
    names.space === undefined
      ? DEFAULT_SPACE
      : nameSchema.safeParse(claimOf(claims, names.space)).data;
  if (principal === undefined || space === undefined) return undefined;
  const roles = rolesOf(namesIn(claimOf(claims, names.roles)), config);
  return { space, principal, roles, groups: groupsOf(claims, names.groups) };
}
