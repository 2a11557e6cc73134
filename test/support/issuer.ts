import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { signInConfigSchema, type SignInConfig } from '../../contracts/people/sign-in.js';
import { signingKey } from './signing-key.js';

export const AUDIENCE = 'https://holdpoint.example';
const SECRET = 'the-secret-of-every-client-here';

/** What the tokens of a client say besides issuer, audience and times. */
export type Claims = Readonly<Record<string, unknown>>;

/** A real OpenID Connect provider on loopback. */
export class Issuer {
  readonly url: string;
  /** The paths that were asked for, other than those of tokens. */
  readonly asked: string[] = [];
  private readonly server: Server;
  private readonly clients: Readonly<Record<string, Claims>>;
  private listener: RequestListener = () => undefined;

  private constructor(server: Server, clients: Readonly<Record<string, Claims>>) {
    this.server = server;
    this.clients = clients;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (req, res) => {
      if (req.url !== '/token') this.asked.push(req.url ?? '');
      this.listener(req, res);
    });
  }

  /** @param clients - by their ids: each may get tokens with these claims */
  static async start(clients: Readonly<Record<string, Claims>>): Promise<Issuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new Issuer(server, clients);
    await issuer.rotate('first');
    return issuer;
  }

  /** Signs with another key from now on, and forgets the one before. */
  async rotate(kid: string): Promise<void> {
    const provider = new Provider(this.url, {
      jwks: { keys: [await signingKey(kid)] },
      cookies: { keys: ['of no use here'] },
      ttl: { ClientCredentials: 300 },
      clients: Object.keys(this.clients).map((client_id) => ({
        client_id,
        client_secret: SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      })),
      extraTokenClaims: (_ctx: unknown, { clientId }: { clientId: string }) =>
        this.clients[clientId],
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_ctx: unknown, audience: string) => ({
            audience,
            scope: '',
            accessTokenFormat: 'jwt',
            accessTokenTTL: 300,
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
    });
    this.listener = provider.callback();
  }

  /** A token for a client, as the provider gives it. */
  async token(client: string, resource = AUDIENCE): Promise<string> {
    const reply = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`${client}:${SECRET}`).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
    });
    const body = (await reply.json()) as { access_token?: string };
    assert.ok(body.access_token, JSON.stringify(body));
    return body.access_token;
  }

  /** A configuration that trusts this provider. */
  config(more: object = {}): SignInConfig {
    return signInConfigSchema.parse({ issuer: this.url, audience: AUDIENCE, ...more });
  }

  /** Answers nothing any more, or again. */
  setAway(isAway: boolean): void {
    if (isAway) {
      const { listener } = this;
      this.back = () => (this.listener = listener);
      this.listener = (req) => void req.socket.destroy();
    } else {
      this.back();
    }
  }
  private back: () => unknown = () => undefined;

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
