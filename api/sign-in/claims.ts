import {
  ACCEPTED_GROUPS,
  groupsSchema,
  principalSchema,
  roleSchema,
} from '../../contracts/people/api-key.js';
import type { Role } from '../../contracts/people/api-key.js';
import type { Caller } from '../../contracts/people/caller.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { nameSchema } from '../../contracts/kernel/primitives.js';
import type { SignInConfig } from '../../contracts/people/sign-in.js';
import { RefusalError } from '../errors.js';

type Claims = Readonly<Record<string, unknown>>;

function own(container: unknown, name: string): unknown {
  return typeof container === 'object' && container !== null && Object.hasOwn(container, name)
    ? (container as Claims)[name]
    : undefined;
}

/** Returns the claim of this name, else the one at this path, whose parts have dots between them. */
function claimOf(claims: Claims, name: string): unknown {
  return own(claims, name) ?? name.split('.').reduce(own, claims);
}

/** Reads a list of names, or one text with spaces between names, as in `scope`. */
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

/** Returns all groups or none: if one were missing, nobody could tell why a member lacks its rights. */
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
 * Returns the caller that the claims of a valid token name; undefined without a principal, or without a space where the
 * configuration needs one. Unknown roles count for nothing, and a token without roles may do nothing.
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
