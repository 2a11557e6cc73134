import { decodeJwt, errors, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import type { Caller } from '../../contracts/people/caller.js';
import type { SignInConfig } from '../../contracts/people/sign-in.js';
import { standardRefusal } from '../errors.js';
import type { RefusalError } from '../errors.js';
import type { WarningLog } from '../parts/reads/from-store.js';
import { callerOfClaims } from './claims.js';
import { IssuerAway, IssuerKeys } from './issuer-keys.js';
import type { Accepted, SignedIn } from './sign-in.js';

/** Only algorithms with a public key: with others, everybody who knows the public key could sign. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

interface Options {
  readonly config: SignInConfig;
  readonly log: WarningLog;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Judges the bearer tokens of one issuer. */
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

/** Whether the keys of the issuer could not be read, or are no keys. */
function isAway(error: unknown): boolean {
  if (error instanceof IssuerAway || error instanceof errors.JWKSTimeout) return true;
  if (error instanceof errors.JWKSInvalid) return true;
  return error instanceof errors.JOSEError && error.code === errors.JOSEError.code;
}
