import { principalSchema, roleSchema } from '../../contracts/api-key.js';
import type { Role } from '../../contracts/api-key.js';
import type { Caller } from '../../contracts/caller.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { nameSchema } from '../../contracts/primitives.js';
import type { SignInConfig } from '../../contracts/sign-in.js';

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
  return values.flatMap((value) => nameSchema.safeParse(value).data ?? []);
}

function rolesOf(names: readonly string[], { roles }: SignInConfig): readonly Role[] {
  const given = names.flatMap((name) => {
    if (roles !== undefined) return Object.hasOwn(roles, name) ? (roles[name] ?? []) : [];
    return roleSchema.safeParse(name).data ?? [];
  });
  return [...new Set(given)];
}

/**
 * Whom the claims of a valid token stand for; undefined if they name no principal, or no space where one has to be
 * named. Unknown roles count for nothing, and a token without roles may do nothing.
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
  const groups = namesIn(claimOf(claims, names.groups)).slice(0, LIMITS.listedNames);
  return { space, principal, roles, groups };
}
