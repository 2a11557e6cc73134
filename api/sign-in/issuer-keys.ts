import { createRemoteJWKSet, customFetch } from 'jose';
import type { JWTVerifyGetKey, RemoteJWKSet } from 'jose';
import { z } from 'zod';
import { urlSchema } from '../../contracts/people/sign-in.js';
import type { SignInConfig } from '../../contracts/people/sign-in.js';

/** The keys of the issuer cannot be read, so its tokens cannot be judged. */
export class IssuerAway extends Error {
  override readonly name = 'IssuerAway';
}

/** How long a call to the issuer may take. */
const CALL_MS = 5_000;
/** For this long after a read, no unknown key causes another one. */
const COOLDOWN_MS = 30_000;
/** For this long after a failed call, there is no other one. */
const FAILED_MS = 5_000;
/** How long keys are valid without another read. */
const KEPT_MS = 60 * 60_000;

const discoverySchema = z.object({ issuer: urlSchema, jwks_uri: urlSchema });

/** The public keys of an issuer, read when they are first needed and kept for an hour. */
export class IssuerKeys {
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

  /** After a failure, the next call tries again. */
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
