import { Client } from '@temporalio/client';
import type { Express } from 'express';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import PQueue from 'p-queue';
import pino from 'pino';
import request from 'supertest';
import { createChannels } from '../../activities/channels/routing.js';
import { createActivities } from '../../activities/index.js';
import { TIMING } from '../../activities/one-try.js';
import { traceCalls, tracedWrites } from '../../api/tracing/calls.js';
import type { Tracing } from '../../runtime/tracing/tracing.js';
import type { WorkerTracing } from '../../workers/tracing/start.js';
import { createApp } from '../../api/app.js';
import { createGateways } from '../../api/gateway/index.js';
import { createFromStore, queriesIn, queriesOf } from '../../api/gateway/reads/from-store.js';
import { createSlackInteractions } from '../../api/slack/interactions.js';
import type { SlackInteractions } from '../../api/slack/interactions.js';
import { KeyRing } from '../../api/sign-in/key-ring.js';
import { People } from '../../api/sign-in/people.js';
import { Proofs } from '../../api/sign-in/proofs.js';
import { Sessions } from '../../api/sign-in/sessions.js';
import { createSignIn } from '../../api/sign-in/sign-in.js';
import { serverConfigSchema } from '../../contracts/config.js';
import type { ApiKey } from '../../contracts/api-key.js';
import type { ServerConfig } from '../../contracts/config.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import { activityDependencies } from '../../workers/activity-adapters.js';
import { createWorkers } from '../../workers/create-workers.js';
import { slackOf } from '../../workers/reach.js';
import { feedOf } from './events.js';
import { loginFor } from './issuer-login.js';
import { lookUntil } from './looks.js';
import { withCheckedReplies } from './openapi.js';
import { SEEDS, runLog } from './secrets.js';
import { createAgentStates } from '../../runtime/agent-state.js';
import { checkpointKeyOf } from '../../runtime/checkpoint-key.js';
import { buttonTokens, linkMaker, linkOpener } from '../../runtime/link-tokens.js';
import type { LinkKeys } from '../../runtime/link-tokens.js';
import { PATIENCE, patientClock } from './patience.js';
import { withStore } from './store.js';
import type { TestStore } from './store.js';
import { loopbackSender } from './subscribers.js';
import { testBundle } from './temporal-test-server.js';
import { run, startTemporal } from './temporal.js';
import type { RunningWorker, StartedTemporal } from './temporal.js';

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

/** What signs the checkpoints of the tests. */
export const CHECKPOINT_KEY = checkpointKeyOf(new Uint8Array(32).fill(7));

/** What seals the states of agents in tests. */
const STATE_KEY = new Uint8Array(32).fill(9);

/** What seals the links of the tests. */
export const LINK_KEYS: LinkKeys = [new Uint8Array(32).fill(11)];

/** What traces the API and the worker of a stack. */
export interface StackTraces {
  readonly api: Tracing | undefined;
  readonly worker: WorkerTracing;
}

/** A real dev server, a real worker, PGlite and the API, all in this process. */
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
  private readonly temporal: StartedTemporal;
  private readonly config: ServerConfig;
  private readonly traces: StackTraces | undefined;
  private worker: RunningWorker | undefined;
  private readonly background = new PQueue();

  private constructor(parts: {
    temporal: StartedTemporal;
    store: TestStore;
    client: Client;
    config: ServerConfig;
    traces: StackTraces | undefined;
    webFolder: string | undefined;
  }) {
    this.temporal = parts.temporal;
    this.store = parts.store;
    this.client = parts.client;
    this.config = parts.config;
    const traces = (this.traces = parts.traces);
    const kept = runLog('api');
    const write = (line: string) => {
      this.logged.push(line);
      kept.write(line);
    };
    const log = pino({ level: 'trace' }, { write });
    const keys = Object.values(KEYS).map((key: ApiKey) => ({ ...key, roles: [...key.roles] }));
    const ring = new KeyRing(keys);
    const clock = patientClock(() => this.worker === undefined);
    const gateways = createGateways({
      client: parts.client,
      agentsIn: (...of) => ring.agentsIn(...of),
      peopleIn: (space) => new People({ ring, ...parts.config, hasIssuer: false }).in(space),
      idSecrets: [ID_SECRET],
      agentStates: createAgentStates([STATE_KEY]),
      store: queriesOf(parts.store.db),
      storeIn: (space) => {
        const queries = queriesIn(parts.store.db, space);
        return traces?.api ? tracedWrites(traces.api, queries) : queries;
      },
      config: this.config,
      log,
      background: this.background,
      now: Date.now,
      clock,
    });
    const signIn = createSignIn(ring);
    const { config, webFolder } = parts;
    this.slack = createSlackInteractions({
      gateways,
      config,
      tokens: buttonTokens(LINK_KEYS),
      patienceMs: 2_000 * PATIENCE,
      makeLink: linkMaker(config.public_url ?? 'https://holdpoint.example', LINK_KEYS),
      log,
    });
    const fromStore = createFromStore(queriesOf(parts.store.db), clock, log);
    const sessions = new Sessions({ ring, store: fromStore, config: config.session });
    const proofs = new Proofs({ ring, sessions, store: fromStore });
    const browsers = { sessions, proofs, login: loginFor(config, sessions, log) };
    this.app = withCheckedReplies(
      createApp({
        gateways,
        feed: feedOf(parts.store),
        signIn,
        browsers,
        config,
        openLink: linkOpener(LINK_KEYS),
        slack: this.slack,
        log,
        tracing: traces?.api,
        webFolder,
        temporalUi: TEMPORAL_UI,
      }),
    );
    this.server = createServer(this.app);
  }

  /**
   * @param server - a Temporal server that is not to be shared
   * @param webFolder - where the inbox was built to
   */
  static async start(
    config: unknown = {},
    server: Promise<StartedTemporal> = startTemporal(),
    traces?: StackTraces,
    webFolder?: string,
  ): Promise<RealStack> {
    const [temporal, store] = await Promise.all([server, withStore()]);
    const { connection } = temporal;
    const interceptors = traces?.api && { workflow: [traceCalls(traces.api)] };
    const client = new Client({ connection, ...(interceptors && { interceptors }) });
    const parsed = serverConfigSchema.parse(config);
    const stack = new RealStack({
      temporal,
      store,
      client,
      config: parsed,
      traces,
      webFolder,
    });
    stack.server.listen(0, '127.0.0.1');
    await Promise.all([once(stack.server, 'listening'), stack.startWorker()]);
    return stack;
  }

  async startWorker(): Promise<void> {
    const { db } = this.store;
    const traces = this.traces?.worker;
    const writer = {
      write: (text: string, done: (error?: Error) => void) => {
        if (this.channelIsBroken) {
          done(new Error(`cannot send ${text}`));
          return;
        }
        this.notified.push(text);
        done();
      },
    };
    const dependencies = activityDependencies({
      db,
      feed: feedOf(this.store),
      channels: createChannels(this.config.notifications, writer, {
        ...(traces && { webhook: { traceparent: traces.traceparent } }),
        slack: { inbox: this.config.public_url, ...slackOf(this.config, db, LINK_KEYS) },
      }),
      links: linkMaker(this.config.public_url ?? 'https://holdpoint.example', LINK_KEYS),
      config: this.config,
      checkpointKey: CHECKPOINT_KEY,
    });
    const used = traces ? traces.traced(dependencies) : dependencies;
    const activities = createActivities({
      ...used,
      sendWebhook: loopbackSender(),
      timing: { ...TIMING, logWaitMs: PATIENCE * TIMING.logWaitMs },
      followUpTiming: { patienceMs: 0, lookMs: 0, heartbeatMs: 1_000 },
    });
    const workers = await createWorkers(
      {
        connection: await this.temporal.native(),
        ...(traces && { sinks: traces.sinks, interceptors: { activity: traces.activities } }),
      },
      await testBundle(),
      activities,
      this.config.worker,
    );
    const running = workers.map(run);
    this.worker = {
      stop: async () => {
        await Promise.all(running.map(({ stop }) => stop()));
      },
    };
  }

  async stopWorker(): Promise<void> {
    await this.worker?.stop();
    this.worker = undefined;
  }

  async close(): Promise<void> {
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

/** The lines of an export. */
export async function exportedLines(
  stack: RealStack,
  path: string,
  key: KeyName = 'operator',
): Promise<string[]> {
  const reply = await stack
    .get(path, key)
    .buffer(true)
    .parse((body, done) => {
      let text = '';
      body.on('data', (chunk: Buffer) => (text += chunk.toString()));
      body.on('end', () => done(null, text));
    });
  assert.equal(reply.status, 200);
  return (reply.body as string).trimEnd().split('\n');
}
