import { createHash, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import request, { type Response, type Test } from 'supertest';
import { patientClock } from '../../support/patience.js';
import { createFromStore, queriesOf } from '../../../api/parts/reads/from-store.js';
import { KeyRing } from '../../../api/sign-in/key-ring.js';
import { Proofs } from '../../../api/sign-in/start.js';
import { Sessions } from '../../../api/sign-in/sessions.js';
import { createSignIn } from '../../../api/sign-in/sign-in.js';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import type { ApiKey } from '../../../contracts/people/api-key.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { sessionConfigSchema } from '../../../contracts/people/session.js';
import { configuredDigest } from '../../../runtime/api-keys.js';
import { inSpace } from '../../../store/in-space.js';
import {
  endPushSubscription,
  isSubscribedToPush,
  putPushSubscription,
} from '../../../store/queries/work/push.js';
import { quietHoursOf, setQuietHours } from '../../../store/queries/people/personal-settings.js';
import { addSignInLink } from '../../../store/queries/people/session.js';
import { browserKeys } from '../../activities/push/browser.js';
import { emptyFeed } from '../../support/events.js';
import { loginFor } from '../../support/issuer-login.js';
import type { TestStore } from '../../support/store.js';
import type { FakeQueries } from '../support/fakes.js';
import { KEYS, createRig, type Rig } from '../support/harness.js';

export const ALICE: ApiKey = { key: KEYS.operator, principal: 'alice', roles: ['operator'] };
export const BOB: ApiKey = { key: KEYS.both, principal: 'bob', roles: ['operator', 'agent'] };
export const AGENT: ApiKey = { key: KEYS.agent, principal: 'refund-agent', roles: ['agent'] };

/** The public key with which browsers subscribe to pushes. */
const PUSH_KEY = browserKeys().p256dh;

/** What is about browsers and quiet hours comes from the store, as the space of its people sees it, and all else from a fake. */
function pushQueries(store: TestStore): FakeQueries {
  const db = inSpace(store.db, DEFAULT_SPACE);
  return {
    isSubscribedToPush: (...args) => isSubscribedToPush(db, ...args),
    putPushSubscription: (...args) => putPushSubscription(db, ...args),
    endPushSubscription: (...args) => endPushSubscription(db, ...args),
    quietHoursOf: (...args) => quietHoursOf(db, ...args),
    setQuietHours: (...args) => setQuietHours(db, ...args),
  };
}

export const SITE = 'http://127.0.0.1:4000';

/** Whose clock stands still until a test moves it. Milliseconds. */
export interface Time {
  now: number;
}

/** One API process over a store, to which browsers sign in. */
export class Desk {
  readonly ring = new KeyRing([ALICE, BOB, AGENT], () => this.time.now);
  readonly sessions: Sessions;
  readonly rig: Rig;
  readonly login: ReturnType<typeof loginFor>;
  /** Fails every query, as a store that is away. */
  isAway = false;
  /** Holds back what the store answers meanwhile. */
  heldBack: Promise<void> | undefined;
  readonly time: Time;

  constructor(store: TestStore, time: Time, config: object = {}, feed = emptyFeed()) {
    this.time = time;
    const run = queriesOf(store.db);
    const clock = patientClock();
    const log = pino({ level: 'silent' });
    const { ring } = this;
    const now = () => time.now;
    const fromStore = createFromStore(
      async (query, ...args) => {
        if (this.isAway) throw new Error('ECONNREFUSED');
        const { heldBack } = this;
        const answer = await run(query, ...args);
        await heldBack;
        return answer;
      },
      clock,
      log,
    );
    const session = sessionConfigSchema.parse({});
    this.sessions = new Sessions({ ring, store: fromStore, config: session, now });
    const proofs = new Proofs({ ring, sessions: this.sessions, store: fromStore, now });
    const parsed = serverConfigSchema.parse(config);
    this.login = loginFor(parsed, this.sessions, log, now);
    const browsers = { sessions: this.sessions, proofs, login: this.login };
    const given = { browsers, pushKey: PUSH_KEY };
    this.rig = createRig({}, config, feed, undefined, createSignIn(ring), given, {
      store: pushQueries(store),
    });
  }

  /** A browser that has signed in with a key. */
  async browser(key: string): Promise<Browser> {
    const browser = new Browser(this);
    await browser.signIn({ key });
    return browser;
  }
}

/** A browser at the site: it keeps the cookie, and says where its requests come from. */
export class Browser {
  cookie = '';
  csrf = '';
  desk: Desk;
  readonly headers: Record<string, string> = {
    Host: new URL(SITE).host,
    'Sec-Fetch-Site': 'same-origin',
  };

  constructor(desk: Desk) {
    this.desk = desk;
  }

  send(method: 'get' | 'post' | 'delete' | 'patch' | 'put', path: string): Test {
    const test = request(this.desk.rig.app)[method](path).set(this.headers);
    if (method !== 'get') test.set('Origin', SITE);
    return this.cookie === '' ? test : test.set('Cookie', `other=1; ${this.cookie}`);
  }

  async signIn(proof: object): Promise<Response> {
    const reply = await this.send('post', '/session').send(proof);
    const [cookie = ''] = setCookies(reply);
    this.cookie = cookie.split(';')[0] ?? '';
    this.csrf = String(reply.body.csrf ?? '');
    return reply;
  }
}

/** The `Set-Cookie` headers of a reply. */
export function setCookies({ headers }: Response): readonly string[] {
  return (headers['set-cookie'] ?? []) as unknown as readonly string[];
}

/** A link that signs the holder of a key in once, for ten minutes from this instant. */
export async function linkFor(store: TestStore, key: ApiKey, now: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const link = {
    id: createHash('sha256').update(token).digest('hex'),
    key_digest: configuredDigest(key).toString('hex'),
    expires_at: new Date(now + 600_000).toISOString(),
  };
  await addSignInLink(store.db, link, new Date(now).toISOString());
  return token;
}
