import { Client } from '@temporalio/client';
import type { Express } from 'express';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import PQueue from 'p-queue';
import pino from 'pino';
import request from 'supertest';
import { traceCalls, tracedWrites } from '../../api/tracing/tracing.js';
import { createApp } from '../../api/app.js';
import { createPartsOf } from '../../api/parts/index.js';
import { OF_THE_API } from '../../api/parts/calls/temporal.js';
import { createFromStore, queriesIn, queriesOf } from '../../api/parts/reads/from-store.js';
import { IDLE_MS } from '../../api/server.js';
import { createSlackInteractions, type SlackInteractions } from '../../api/slack/interactions.js';
import { KeyRing } from '../../api/sign-in/key-ring.js';
import { People, Proofs } from '../../api/sign-in/start.js';
import { Sessions } from '../../api/sign-in/sessions.js';
import { createSignIn } from '../../api/sign-in/sign-in.js';
import { serverConfigSchema, type ServerConfig } from '../../contracts/server/config.js';
import type { ApiKey } from '../../contracts/people/api-key.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import { feedOf } from './events.js';
import { loginFor } from './issuer-login.js';
import { lookUntil } from './looks.js';
import { withCheckedReplies } from './openapi.js';
import { SEEDS, runLog } from './secrets.js';
import { createAgentStates } from '../../runtime/agent-state.js';
import { buttonTokens, linkMaker, linkOpener } from '../../runtime/link-tokens.js';
import { PATIENCE, patientClock } from './patience.js';
import { DELAYS } from './delays.js';
import { withStore, type TestStore } from './store.js';
import type { RunningWorker } from './temporal.js';
import { inThisProcess, type StackTemporal } from './stack-temporal.js';
import { LINK_KEYS, PUSH_KEYS, stackActivities } from './stack-activities.js';

export const KEYS = {
  agent: {
    key: SEEDS.agentKey,
    principal: 'agent-1',
    roles: ['agent'],
    acts_for: ['ursula'],
  },
  operator: { key: SEEDS.operatorKey, principal: 'alice', roles: ['operator'] },
  admin: { key: SEEDS.adminKey, principal: 'root', roles: ['admin'] },
  grouped: {
    key: SEEDS.groupedKey,
    principal: 'greta',
    roles: ['operator'],
    groups: ['finance', 'legal'],
  },
  agent2: { key: SEEDS.secondAgentKey, principal: 'agent-2', roles: ['agent'] },
  user: { key: SEEDS.userKey, principal: 'ursula', roles: ['user'] },
  /** A personal assistant: it asks, and decides about what is asked for itself. */
  assistant: { key: SEEDS.assistantKey, principal: 'ada', roles: ['agent', 'user'] },
  otherUser: { key: SEEDS.otherUserKey, principal: 'walter', roles: ['user'] },
  /** The same names in another space. */
  agentB: { key: SEEDS.agentBKey, principal: 'agent-1', roles: ['agent'], space: 'team-b' },
  peopleB: {
    key: SEEDS.peopleBKey,
    principal: 'alice',
    roles: ['operator', 'admin', 'auditor'],
    space: 'team-b',
  },
} as const satisfies Record<string, ApiKey | { roles: readonly string[] }>;
export type KeyName = keyof typeof KEYS;

/** What makes ids from keys in tests. */
export const ID_SECRET = 'a secret for the ids of the tests';

/** Where the pages of Temporal would be. Nobody listens there. */
export const TEMPORAL_UI = 'http://127.0.0.1:8233/namespaces/default';

/** What seals the states of agents in tests. */
const STATE_KEY = new Uint8Array(32).fill(9);

/** The API, a store, and Temporal with our workflows, all in this process or over a server of Temporal. */
export class RealStack {
  readonly app: Express;
  /** Listens all the time: to listen anew for each request costs more than the request. */
  private readonly server: Server;
  readonly store: TestStore;
  readonly client: Client;
  /** What takes presses in Slack. */
  readonly slack: SlackInteractions;
  readonly notified: string[] = [];
  /** The log of the API. */
  readonly logged: string[] = [];
  /** Lets the channel fail with an error that quotes the message. */
  channelIsBroken = false;
  private readonly temporal: StackTemporal;
  private readonly config: ServerConfig;
  private worker: RunningWorker | undefined;
  private readonly background = new PQueue();
  private readonly closing = new AbortController();

  private constructor(parts: {
    temporal: StackTemporal;
    store: TestStore;
    client: Client;
    config: ServerConfig;
    webFolder: string | undefined;
  }) {
    this.temporal = parts.temporal;
    this.store = parts.store;
    this.client = parts.client;
    this.config = parts.config;
    const { traces } = parts.temporal;
    const kept = runLog('api');
    const write = (line: string) => {
      this.logged.push(line);
      kept.write(line);
    };
    const log = pino({ level: 'trace' }, { write });
    const keys = Object.values(KEYS).map((key: ApiKey) => ({ ...key, roles: [...key.roles] }));
    const ring = new KeyRing(keys);
    const clock = patientClock(() => this.worker === undefined);
    const store = DELAYS.store(parts.store);
    const feed = feedOf(store);
    const partsOf = createPartsOf({
      client: parts.client,
      agentsIn: (...of) => ring.agentsIn(...of),
      peopleIn: (space) => new People({ ring, ...parts.config, hasIssuer: false }).in(space),
      idSecrets: [ID_SECRET],
      agentStates: createAgentStates([STATE_KEY]),
      store: queriesOf(store.db),
      storeIn: (space) => {
        const queries = queriesIn(store.db, space);
        return traces?.api ? tracedWrites(traces.api, queries) : queries;
      },
      feed,
      config: this.config,
      log,
      background: this.background,
      closing: this.closing.signal,
      now: Date.now,
      clock,
    });
    const signIn = createSignIn(ring);
    const { config, webFolder } = parts;
    this.slack = createSlackInteractions({
      partsOf,
      config,
      tokens: buttonTokens(LINK_KEYS),
      patienceMs: 2_000 * PATIENCE,
      makeLink: linkMaker(config.public_url ?? 'https://holdpoint.example', LINK_KEYS),
      log,
    });
    const fromStore = createFromStore(queriesOf(store.db), clock, log);
    const sessions = new Sessions({ ring, store: fromStore, config: config.session });
    const proofs = new Proofs({ ring, sessions, store: fromStore });
    const browsers = { sessions, proofs, login: loginFor(config, sessions, log) };
    this.app = withCheckedReplies(
      createApp({
        partsOf,
        feed,
        signIn,
        browsers,
        config,
        openLink: linkOpener(LINK_KEYS),
        pushKey: PUSH_KEYS?.[0].publicKey,
        slack: this.slack,
        log,
        tracing: traces?.api,
        webFolder,
        temporalUi: TEMPORAL_UI,
      }),
    );
    this.server = createServer({ keepAliveTimeout: IDLE_MS }, DELAYS.server(this.app));
  }

  /**
   * @param on - the Temporal; one in this process unless given
   * @param webFolder - where the inbox was built to
   */
  static async start(
    config: unknown = {},
    on: Promise<StackTemporal> = inThisProcess(),
    webFolder?: string,
  ): Promise<RealStack> {
    const [temporal, store] = await Promise.all([on, withStore()]);
    const { connection, traces } = temporal;
    const interceptors = traces?.api && { workflow: [traceCalls(traces.api)] };
    const client = new Client({ connection, ...OF_THE_API, ...(interceptors && { interceptors }) });
    const parsed = serverConfigSchema.parse(config);
    const stack = new RealStack({
      temporal,
      store,
      client,
      config: parsed,
      webFolder,
    });
    stack.server.listen(0, '127.0.0.1');
    await Promise.all([once(stack.server, 'listening'), stack.startWorker()]);
    return stack;
  }

  async startWorker(): Promise<void> {
    const write = (text: string) => {
      if (this.channelIsBroken) return false;
      this.notified.push(text);
      return true;
    };
    const { config, temporal } = this;
    const store = DELAYS.store(this.store);
    this.worker = await temporal.startWorkers({
      activities: stackActivities({ config, store, traces: temporal.traces?.worker, write }),
      config: config.worker,
    });
  }

  async stopWorker(): Promise<void> {
    await this.worker?.stop();
    this.worker = undefined;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
    await this.background.onIdle();
    await this.stopWorker();
    await this.temporal.stop();
    await this.store.close();
  }

  /** Where the API listens. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get(path: string, as: KeyName = 'agent') {
    return request(this.server).get(path).set('X-API-Key', KEYS[as].key);
  }

  delete(path: string, as: KeyName, headers: Record<string, string> = {}) {
    return request(this.server).delete(path).set('X-API-Key', KEYS[as].key).set(headers);
  }

  post(path: string, as: KeyName, body: object, headers: Record<string, string> = {}) {
    return request(this.server).post(path).set('X-API-Key', KEYS[as].key).set(headers).send(body);
  }

  put(path: string, as: KeyName, body: object) {
    return request(this.server).put(path).set('X-API-Key', KEYS[as].key).send(body);
  }

  patch(path: string, as: KeyName, body: object, headers: Record<string, string> = {}) {
    return request(this.server).patch(path).set('X-API-Key', KEYS[as].key).set(headers).send(body);
  }

  /** Resolves once a question was delivered: an answer that meets the end of a delivery is sent again by the API. */
  async delivered(suspensionId: string): Promise<void> {
    await lookUntil(async () => {
      const { timeline } = (await this.get(`/v1/suspensions/${suspensionId}`))
        .body as SuspensionView;
      return timeline.some(({ kind }) => kind === 'delivered');
    }, 'nobody is asked');
  }
}

export const REFUND = {
  question: 'Should we refund order #12345?',
  choices: [
    { value: 'approve', label: 'Approve refund', description: 'Issue full refund' },
    { value: 'deny', label: 'Deny refund' },
  ],
  context: { customer: SEEDS.context },
};

/** Creates an intent over HTTP and returns its path. */
export async function createIntent(stack: RealStack, status = 'active'): Promise<string> {
  const created = await stack.post('/v1/intents', 'agent', { title: 'Refund', status });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  return `/v1/intents/${created.body.id}`;
}

/** Asks a question over HTTP. */
export async function ask(
  stack: RealStack,
  intent: string,
  body: object = REFUND,
): Promise<SuspensionView> {
  const asked = await stack.post(`${intent}/suspend`, 'agent', body);
  assert.equal(asked.status, 201, JSON.stringify(asked.body));
  return asked.body as SuspensionView;
}
