import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';
import { CLIENT } from './issuer-login.js';
import { signingKey } from './signing-key.js';

type Person = Readonly<Record<string, unknown>>;

/** A real OpenID Connect provider on loopback, where people sign in by name. */
export class LoginIssuer {
  readonly url: string;
  private readonly server: Server;

  private constructor(server: Server, host: string) {
    this.server = server;
    this.url = `http://${host}:${(server.address() as AddressInfo).port}`;
  }

  /**
   * @param people - by their names: what their tokens say of them
   * @param host - its name of this machine; to browsers, `localhost` is another site than 127.0.0.1
   */
  static async start(
    people: Readonly<Record<string, Person>>,
    redirectUri: string,
    host: '127.0.0.1' | 'localhost' = '127.0.0.1',
  ): Promise<LoginIssuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new LoginIssuer(server, host);
    const provider = new Provider(issuer.url, {
      jwks: { keys: [await signingKey('first')] },
      cookies: { keys: ['of no use here'] },
      clients: [{ ...CLIENT, redirect_uris: [redirectUri] }],
      ttl: { IdToken: 1_800, AccessToken: 300 },
      claims: { openid: ['sub', 'roles', 'groups'] },
      conformIdTokenClaims: false,
      findAccount: (_ctx: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, ...people[id] }),
      }),
      features: { devInteractions: { enabled: true } },
    });
    server.on('request', provider.callback());
    return issuer;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

interface Cookie {
  readonly value: string;
  readonly sameSite: string;
}

/** As `fetch`, which says of itself that it goes nowhere. */
async function exchange(
  url: string,
  headers: Readonly<Record<string, string>>,
  form?: Readonly<Record<string, string>>,
): Promise<Response> {
  const type = 'application/x-www-form-urlencoded';
  const sent = request(url, {
    method: form === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(form && { 'content-type': type }) },
  });
  sent.end(form && new URLSearchParams(form).toString());
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const got = new Headers();
  for (const [name, values = []] of Object.entries(reply.headersDistinct)) {
    for (const value of values) got.append(name, value);
  }
  const body = await text(reply);
  const status = reply.statusCode ?? 0;
  return new Response(status === 204 || status === 304 ? null : body, { status, headers: got });
}

/** A browser that follows redirects between sites, and keeps the cookies of each as their `SameSite` says. */
export class Visitor {
  readonly jar = new Map<string, Map<string, Cookie>>();
  /** The page that it shows, which is what leads on; undefined before the first. */
  private page: string | undefined;
  /** Whether it has been at another site since. */
  private isLedAstray = false;

  /** Asks for an address once; redirects are left to the caller. */
  async ask(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const { hostname } = new URL(url);
    const cookies = this.jar.get(hostname) ?? new Map<string, Cookie>();
    this.jar.set(hostname, cookies);
    this.isLedAstray ||= this.page !== undefined && new URL(this.page).hostname !== hostname;
    const isSameSite = !this.isLedAstray;
    const sent = [...cookies].filter(
      ([, { sameSite }]) => isSameSite || (sameSite !== 'strict' && form === undefined),
    );
    const headers = {
      cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': isSameSite ? 'same-origin' : 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const reply = await exchange(url, headers, form);
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const [, sameSite = 'lax'] = /; *samesite=(\w+)/i.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, { value, sameSite: sameSite.toLowerCase() });
    }
    if (!reply.headers.has('location')) this.show(url);
    return reply;
  }

  /** Opens an address by hand, and asks from there: what a page of the site does after it was led there. */
  open(url: string): Promise<Response> {
    this.show(undefined);
    return this.ask(url);
  }

  private show(page: string | undefined): void {
    this.page = page;
    this.isLedAstray = false;
  }

  /** Follows redirects from an address until one leads to `until`, or a page comes; where that is. */
  async follow(url: string, until: string): Promise<string> {
    for (let at = url; ;) {
      if (at.startsWith(until)) return at;
      const reply = await this.ask(at);
      const location = reply.headers.get('location');
      if (location === null) return at;
      at = new URL(location, at).href;
    }
  }

  /** Signs in at the issuer as somebody, and agrees, where it still asks; the address with the code that leads back. */
  async signIn(url: string, name: string, back: string): Promise<string> {
    const login = await this.follow(url, back);
    if (login.startsWith(back)) return login;
    const agree = await this.submit(login, { prompt: 'login', login: name, password: 'any' }, back);
    if (agree.startsWith(back)) return agree;
    return this.submit(agree, { prompt: 'consent' }, back);
  }

  private async submit(page: string, form: Record<string, string>, back: string): Promise<string> {
    const reply = await this.ask(page, form);
    const location = reply.headers.get('location');
    assert.ok(location, `${page}: ${reply.status}`);
    return this.follow(new URL(location, page).href, back);
  }
}
