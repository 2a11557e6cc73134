import { EncryptJWT, jwtDecrypt } from 'jose';
import { hkdfSync } from 'node:crypto';
import * as oidc from 'openid-client';
import { z } from 'zod';
import { defined } from '../../contracts/constants/defined.js';
import type { BrowserSignIn } from '../../runtime/browser-sign-in.js';
import { standardRefusal, type RefusalError } from '../errors.js';
import type { WarningLog } from '../parts/reads/from-store.js';
import { idOf, type OpenedSession, type Sessions } from './sessions.js';
import type { Accepted } from './sign-in.js';
import { Tokens } from './tokens.js';

interface Options extends BrowserSignIn {
  /** A secret of the installation, which all API processes have. */
  readonly secret: string;
  readonly sessions: Sessions;
  readonly log: WarningLog;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface Begun {
  readonly url: string;
  readonly sealed: string;
}

export interface Finished {
  readonly opened: OpenedSession;
  readonly returnTo: string;
}

/** The time that a person has at the issuer. */
const LOGIN_SECONDS = 600;
const CALL_SECONDS = 5;

const loginSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  return_to: z.string(),
  /** The id of the session that the browser had at the beginning. */
  earlier: z.string().optional(),
});

/**
 * Signs people in at the OpenID Connect issuer: the code flow with PKCE, a state and a nonce. A sealed cookie keeps
 * their values, so that any API process can finish the sign-in, but no other browser.
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
    this.tokens = new Tokens(defined({ config: { ...config, audience }, log, now }));
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
   * Finishes the sign-in of this browser, and opens a session for as long as the token of the issuer is valid.
   *
   * @param query - of the address to which the issuer sent the browser back
   * @throws RefusalError `sign_in_failed` if the issuer does not confirm anybody to this browser, `forbidden`,
   *   `too_many_groups`, `issuer_unavailable`, `store_unavailable`
   */
  async finish(query: string, sealed: string | undefined): Promise<Finished> {
    const login = await this.unseal(sealed);
    const token = await this.exchange(query, login);
    const found = await this.tokens.find(token);
    if (found?.until === undefined) throw standardRefusal('sign_in_failed');
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

  /** Returns the callers that signed in since the last call; the newest comes last. */
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
      throw standardRefusal('sign_in_failed', {}, { cause: error });
    }
  }

  /** Exchanges the code of the query for the token that the settings name. */
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
    throw standardRefusal('sign_in_failed');
  }

  /** Discovers the issuer once; after a failure, the next call tries again. */
  private issuer(): Promise<oidc.Configuration> {
    this.found ??= this.discover().catch((error: unknown) => {
      this.found = undefined;
      const reason = 'the issuer cannot be asked how people sign in';
      this.options.log.warn({ err: error }, reason);
      throw standardRefusal('issuer_unavailable', {}, { cause: error });
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

  /** A refusal by the issuer or openid-client is a failed sign-in; an issuer that is away may confirm it later. */
  private failed(error: unknown): RefusalError {
    const isAway = !(error instanceof Error) || ['TypeError', 'TimeoutError'].includes(error.name);
    if (isAway) this.options.log.warn({ err: error }, 'the issuer cannot be asked for tokens');
    const code = isAway ? 'issuer_unavailable' : 'sign_in_failed';
    return standardRefusal(code, {}, { cause: error });
  }
}
