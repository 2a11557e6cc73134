import {
  ACCEPTED_GROUPS,
  groupsSchema,
  principalSchema,
  roleSchema,
  type Role,
} from '../../contracts/people/api-key.js';
import type { Caller } from '../../contracts/people/caller.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { nameSchema } from '../../contracts/kernel/primitives.js';
import { RefusalError, standardRefusal } from '../errors.js';
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type RemoteJWKSet,
} from 'jose';
import { z } from 'zod';
import { urlSchema, type SignInConfig } from '../../contracts/people/sign-in.js';
import type { WarningLog } from '../parts/reads/from-store.js';
import type { Accepted, SignedIn } from './sign-in.js';

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
 * Returns the caller of a valid token; undefined without a principal, or without a space where the configuration
 * needs one. Unknown roles are ignored.
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

/** Means that the issuer's keys cannot be read, so that its tokens cannot be judged. */
class IssuerAway extends Error {
  override readonly name = 'IssuerAway';
}

const CALL_MS = 5_000;
/** For this long after a read, no unknown key causes another read. */
const COOLDOWN_MS = 30_000;
/** For this long after a failed call, no other call is made. */
const FAILED_MS = 5_000;
const KEPT_MS = 60 * 60_000;

const discoverySchema = z.object({ issuer: urlSchema, jwks_uri: urlSchema });

/** The public keys of an issuer, read when they are first needed and kept for an hour. */
class IssuerKeys {
  private readonly config: SignInConfig;
  private readonly now: () => number;
  private failedAt = -Infinity;
  private found: Promise<RemoteJWKSet> | undefined;

  constructor(config: SignInConfig, now: () => number = Date.now) {
    this.config = config;
    this.now = now;
  }

  /** Returns the key of a token. Throws IssuerAway, or the error of jose if the issuer has no such key. */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => (await this.keySet())(header, token);

  /** Reads the keys once; after a failure, the next call tries again. */
  private keySet(): Promise<RemoteJWKSet> {
    this.found ??= this.findKeySet().catch((error: unknown) => {
      this.found = undefined;
      throw error;
    });
    return this.found;
  }

  private async findKeySet(): Promise<RemoteJWKSet> {
    const uri = this.config.jwks_uri ?? (await this.discover());
    return createRemoteJWKSet(new URL(uri), {
      timeoutDuration: CALL_MS,
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: KEPT_MS,
      [customFetch]: (url, options) => this.call(url, options),
    });
  }

  private async discover(): Promise<string> {
    const { issuer } = this.config;
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const reply = await this.call(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(CALL_MS),
    });
    const { data } = discoverySchema.safeParse(await reply.json().catch(() => undefined));
    if (data?.issuer === issuer) return data.jwks_uri;
    this.failedAt = this.now();
    throw new IssuerAway(`${url} does not describe the issuer ${issuer}`);
  }

  private async call(url: string, options: RequestInit): Promise<Response> {
    if (this.now() - this.failedAt < FAILED_MS) throw new IssuerAway('it was away a moment ago');
    try {
      const reply = await fetch(url, options);
      if (reply.status === 200) return reply;
      throw new Error(`${url} replied ${reply.status}`);
    } catch (error) {
      this.failedAt = this.now();
      throw new IssuerAway(`${url} cannot be read`, { cause: error });
    }
  }
}

/** Only algorithms with a public key: with any other, whoever knows the public key could sign. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

interface Options {
  readonly config: SignInConfig;
  readonly log: WarningLog;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export class Tokens {
  private readonly config: SignInConfig;
  private readonly log: WarningLog;
  private readonly now: () => number;
  private readonly keys: IssuerKeys;
  private accepted = new Map<string, Accepted>();

  constructor({ config, log, now = Date.now }: Options) {
    this.config = config;
    this.log = log;
    this.now = now;
    this.keys = new IssuerKeys(config, now);
  }

  /**
   * Returns the caller of a token, until it expires; undefined if the token is not valid.
   *
   * @throws RefusalError `issuer_unavailable` if the issuer's keys are needed and cannot be had, `too_many_groups`
   */
  async find(token: string): Promise<SignedIn | undefined> {
    try {
      const { issuer } = this.config;
      // A token of another issuer must not cause a call to ours.
      if (decodeJwt(token).iss !== issuer) return undefined;
      return this.signedIn(await this.verified(token));
    } catch (error) {
      if (isAway(error)) throw this.unavailable(error);
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** Returns the callers of the tokens that were accepted since the last call; the newest comes last. */
  takeAccepted(): readonly Accepted[] {
    const all = [...this.accepted.values()];
    this.accepted = new Map();
    return all;
  }

  private async verified(token: string): Promise<JWTPayload> {
    const { issuer, audience, clock_skew_seconds } = this.config;
    const { payload } = await jwtVerify(token, this.keys.keyOf, {
      issuer,
      audience,
      clockTolerance: clock_skew_seconds,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp'],
      currentDate: new Date(this.now()),
    });
    return payload;
  }

  private signedIn(payload: JWTPayload): SignedIn | undefined {
    const caller = callerOfClaims(payload, this.config);
    if (caller === undefined) return undefined;
    const until = ((payload.exp ?? 0) + this.config.clock_skew_seconds) * 1_000;
    this.accept(caller, until);
    return { caller, holds: () => this.now() < until, until };
  }

  private accept(caller: Caller, until: number): void {
    const key = JSON.stringify(caller);
    const longest = Math.max(until, this.accepted.get(key)?.until ?? 0);
    this.accepted.delete(key);
    this.accepted.set(key, { caller, until: longest });
  }

  private unavailable(error: unknown): RefusalError {
    const reason = error instanceof IssuerAway ? error.message : 'its keys cannot be read';
    this.log.warn({ reason }, 'the issuer of tokens cannot be asked for its keys');
    return standardRefusal('issuer_unavailable', {}, { cause: error });
  }
}

function isAway(error: unknown): boolean {
  if (error instanceof IssuerAway || error instanceof errors.JWKSTimeout) return true;
  if (error instanceof errors.JWKSInvalid) return true;
  return error instanceof errors.JOSEError && error.code === errors.JOSEError.code;
}
