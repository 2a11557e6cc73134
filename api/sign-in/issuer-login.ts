import { EncryptJWT, jwtDecrypt } from 'jose';
import { hkdfSync } from 'node:crypto';
import * as oidc from 'openid-client';
import { z } from 'zod';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { BrowserSignIn } from '../../runtime/browser-sign-in.js';
import { RefusalError } from '../errors.js';
import type { GatewayLog } from '../gateway/reads/from-store.js';
import { idOf } from './sessions.js';
import type { OpenedSession, Sessions } from './sessions.js';
import type { Accepted } from './sign-in.js';
import { Tokens } from './tokens.js';

interface Options extends BrowserSignIn {
  /** A secret of the installation, which all API processes have. */
  readonly secret: string;
  readonly sessions: Sessions;
  readonly log: GatewayLog;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Where a browser is sent to sign in, and what it has to bring back in a cookie. */
export interface Begun {
  readonly url: string;
  readonly sealed: string;
}

/** Somebody who has signed in, and the page to go on with. */
export interface Finished {
  readonly opened: OpenedSession;
  readonly returnTo: string;
}

/** How long a person has at the issuer. */
const LOGIN_SECONDS = 600;
const CALL_SECONDS = 5;

const loginSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  return_to: z.string(),
  /** The session that the browser had when it began, by its id. */
  earlier: z.string().optional(),
});

/**
 * Signs people in at the OpenID Connect issuer: the code flow with PKCE, a state and a nonce. What has to be known at the end
 * is sealed in a cookie of the browser that began, so that any API process can finish, and no other browser.
 */
export class IssuerLogin {
  private readonly options: Options;
  private readonly key: Uint8Array;
  private readonly tokens: Tokens;
  private found: Promise<oidc.Configuration> | undefined;

  constructor(options: Options) {
    this.options = options;
    const { config, browser, log, now, secret } = options;
    this.key = new Uint8Array(hkdfSync('sha256', secret, '', 'holdpoint sign-in', 32));
    // An id token is for the client that asked for it, an access token for the service.
    const audience = browser.claims_from === 'id_token' ? browser.client_id : config.audience;
    this.tokens = new Tokens({ config: { ...config, audience }, log, ...(now && { now }) });
  }

  /**
   * Begins. Throws RefusalError `issuer_unavailable`.
   *
   * @param earlier - the cookie of the session that the browser has, which ends if somebody signs in
   */
  async begin(returnTo: string, earlier?: string): Promise<Begun> {
    const { scope, parameters } = this.options.browser;
    const issuer = await this.issuer();
    const login = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      return_to: returnTo,
      ...(earlier !== undefined && { earlier: idOf(earlier) }),
    };
    const url = oidc.buildAuthorizationUrl(issuer, {
      ...parameters,
      redirect_uri: this.redirectUri,
      scope,
      state: login.state,
      nonce: login.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(login.verifier),
      code_challenge_method: 'S256',
    });
    const sealed = await new EncryptJWT(login)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(new Date(this.nowMs + LOGIN_SECONDS * 1_000))
      .encrypt(this.key);
    return { url: url.href, sealed };
  }

  /**
   * Finishes what this browser has begun, and opens a session for as long as the token of the issuer counts.
   *
   * @param query - of the address to which the issuer has sent the browser back
   * @throws RefusalError `sign_in_failed` if the issuer does not confirm anybody to this browser, `forbidden`,
   *   `too_many_groups`, `issuer_unavailable`, `store_unavailable`
   */
  async finish(query: string, sealed: string | undefined): Promise<Finished> {
    const login = await this.unseal(sealed);
    const token = await this.exchange(query, login);
    const found = await this.tokens.find(token);
    if (found?.until === undefined) throw refused('sign_in_failed');
    const { sessions, config } = this.options;
    // Clocks that differ may accept a token a little longer; a session ends when the issuer says so.
    const end = found.until - config.clock_skew_seconds * 1_000;
    const proof = {
      by: 'token',
      caller: found.caller,
      until: new Date(end).toISOString(),
    } as const;
    const opened = await sessions.open(proof, found.caller, login.earlier);
    return { opened, returnTo: login.return_to };
  }

  /** Who has signed in since the last call; the newest comes last. */
  takeAccepted(): readonly Accepted[] {
    return this.tokens.takeAccepted();
  }

  private get redirectUri(): string {
    return `${this.options.publicUrl}/session/callback`;
  }

  private get nowMs(): number {
    return (this.options.now ?? Date.now)();
  }

  private async unseal(sealed: string | undefined): Promise<z.output<typeof loginSchema>> {
    try {
      const currentDate = new Date(this.nowMs);
      const { payload } = await jwtDecrypt(sealed ?? '', this.key, { currentDate });
      return loginSchema.parse(payload);
    } catch (error) {
      throw refused('sign_in_failed', error);
    }
  }

  /** The token that the settings name, for the code of the query. */
  private async exchange(query: string, login: z.output<typeof loginSchema>): Promise<string> {
    const { browser } = this.options;
    const { resource } = browser.parameters;
    const issuer = await this.issuer();
    const checks = {
      pkceCodeVerifier: login.verifier,
      expectedState: login.state,
      expectedNonce: login.nonce,
      idTokenExpected: true,
    };
    try {
      const tokens = await oidc.authorizationCodeGrant(
        issuer,
        new URL(`${this.redirectUri}?${query}`),
        checks,
        resource === undefined ? {} : { resource },
      );
      const token = tokens[browser.claims_from];
      if (token !== undefined) return token;
    } catch (error) {
      throw this.failed(error);
    }
    throw refused('sign_in_failed');
  }

  /** Is looked for again the next time if it cannot be found. */
  private issuer(): Promise<oidc.Configuration> {
    this.found ??= this.discover().catch((error: unknown) => {
      this.found = undefined;
      const reason = 'the issuer cannot be asked how people sign in';
      this.options.log.warn({ err: error }, reason);
      throw refused('issuer_unavailable', error);
    });
    return this.found;
  }

  private discover(): Promise<oidc.Configuration> {
    const { config, browser, clientSecret } = this.options;
    const server = new URL(config.issuer);
    // The settings accept plain http on loopback only.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to make one think
    const execute = server.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    const metadata = { [oidc.clockTolerance]: config.clock_skew_seconds };
    const client = clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
    return oidc.discovery(server, browser.client_id, metadata, client, {
      execute,
      timeout: CALL_SECONDS,
    });
  }

  /** What the issuer or openid-client refuses is a failed sign-in; what cannot be asked may succeed later. */
  private failed(error: unknown): RefusalError {
    const isAway = !(error instanceof Error) || ['TypeError', 'TimeoutError'].includes(error.name);
    if (isAway) this.options.log.warn({ err: error }, 'the issuer cannot be asked for tokens');
    return refused(isAway ? 'issuer_unavailable' : 'sign_in_failed', error);
  }
}

function refused(code: ErrorCode, cause?: unknown): RefusalError {
  return new RefusalError({ code, detail: ERRORS[code][2] }, { cause });
}
