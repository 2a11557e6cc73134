import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Express } from 'express';
import pino from 'pino';
import request from 'supertest';
import { createChannels } from '../../activities/channels/registry.js';
import { createActivities } from '../../activities/index.js';
import { createApp } from '../../api/app.js';
import { createGateway } from '../../api/gateway/index.js';
import { storeReadsOf } from '../../api/store-reads.js';
import { serverConfigSchema, type ApiKey, type ServerConfig } from '../../contracts/config.js';
import { TASK_QUEUE, FEED_TASK_QUEUE } from '../../contracts/constants/names.js';
import { storedAnnouncement } from '../../store/queries/announcements.js';
import { membershipChanges } from '../../store/queries/memberships.js';
import { findSuspension } from '../../store/queries/suspensions.js';
import { linkDependency } from '../../store/link-dependency.js';
import { taskNews } from '../../store/queries/tasks.js';
import { writeRows } from '../../store/journal-writer.js';
import type { DevServer } from '../../temporal-config/dev-server.js';
import { storedDeliveryLog } from '../../workers/delivery-log.js';
import { temporalSignals } from '../../workers/signals.js';
import { WORKER_TUNING, FEED_TUNING } from '../../workers/worker-options.js';
import { senderOf } from '../../workers/sender.js';
import { startTemporal } from './dev-temporal.js';
import { feedOf } from './feed.js';
import { runLog } from './run-log.js';
import { SEEDS } from './seeds.js';
import { withCheckedReplies } from './reply-check.js';
import { withStore, type TestStore } from './store.js';
import { testBundle } from './temporal-test-server.js';
import { run, type RunningWorker } from './running-worker.js';

export const KEYS = {
  agent: { key: SEEDS.agentKey, principal: 'agent-1', roles: ['agent'] },
  operator: { key: SEEDS.operatorKey, principal: 'alice', roles: ['operator'] },
  admin: { key: SEEDS.adminKey, principal: 'root', roles: ['admin'] },
  agent2: { key: SEEDS.secondAgentKey, principal: 'agent-2', roles: ['agent'] },
} as const satisfies Record<string, ApiKey | { roles: readonly string[] }>;
export type KeyName = keyof typeof KEYS;

/** A real dev server, a real worker, PGlite and the API, all in this process. */
export class RealStack {
  readonly app: Express;
  readonly store: TestStore;
  readonly client: Client;
  readonly notified: string[] = [];
  /** The lines of the API's log. */
  readonly logged: string[] = [];
  /** Lets the channel fail with an error that quotes the message. */
  channelIsBroken = false;
  private readonly temporal: DevServer;
  private readonly native: NativeConnection;
  private readonly config: ServerConfig;
  private worker: RunningWorker | undefined;

  private constructor(parts: {
    temporal: DevServer;
    store: TestStore;
    client: Client;
    native: NativeConnection;
    config: ServerConfig;
  }) {
    this.temporal = parts.temporal;
    this.store = parts.store;
    this.client = parts.client;
    this.native = parts.native;
    this.config = parts.config;
    const kept = runLog('api');
    const write = (line: string) => {
      this.logged.push(line);
      kept.write(line);
    };
    const log = pino({ level: 'trace' }, { write });
    const gateway = createGateway({
      client: parts.client,
      store: storeReadsOf(parts.store.db),
      config: parts.config,
      log,
      now: Date.now,
    });
    const feed = feedOf(parts.store);
    const keys = Object.values(KEYS).map((key) => ({ ...key, roles: [...key.roles] }));
    this.app = withCheckedReplies(createApp({ gateway, feed, keys, config: parts.config, log }));
  }

  static async start(config: unknown = {}): Promise<RealStack> {
    const [temporal, store] = await Promise.all([startTemporal(), withStore()]);
    const { address } = temporal;
    const [connection, native] = await Promise.all([
      Connection.connect({ address, interceptors: [] }),
      NativeConnection.connect({ address }),
    ]);
    const client = new Client({ connection });
    const parsed = serverConfigSchema.parse(config);
    const stack = new RealStack({ temporal, store, client, native, config: parsed });
    await stack.startWorker();
    return stack;
  }

  async startWorker(): Promise<void> {
    const { db } = this.store;
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
    const activities = createActivities({
      journal: { write: (rows) => writeRows(db, rows) },
      notify: {
        channels: createChannels(this.config.notifications, writer),
        log: storedDeliveryLog(db),
        config: this.config,
        now: () => new Date(),
      },
      inputs: { config: this.config, find: (id) => findSuspension(db, id) },
      deadlines: temporalSignals(),
      tasks: { read: (ids) => taskNews(db, ids) },
      members: { read: (request) => membershipChanges(db, request) },
      notes: temporalSignals(),
      observers: { ...temporalSignals(), find: (id) => storedAnnouncement(db, id) },
      graph: { link: (edge) => linkDependency(db, edge) },
      events: { feed: feedOf(this.store), send: senderOf(this.config) },
    });
    const worker = await Worker.create({
      ...WORKER_TUNING,
      connection: this.native,
      taskQueue: TASK_QUEUE,
      workflowBundle: await testBundle(),
      shutdownGraceTime: '1s',
      activities,
    });
    const feedWorker = await Worker.create({
      connection: this.native,
      taskQueue: FEED_TASK_QUEUE,
      activities: { deliverEvents: activities.deliverEvents.bind(activities) },
      ...FEED_TUNING,
    });
    const both = [run(worker), run(feedWorker)];
    this.worker = {
      stop: async () => {
        await Promise.all(both.map(({ stop }) => stop()));
      },
    };
  }

  async stopWorker(): Promise<void> {
    await this.worker?.stop();
    this.worker = undefined;
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.native.close();
    await this.client.connection.close();
    await this.temporal.stop();
    await this.store.close();
  }

  get(path: string, as: KeyName = 'agent') {
    return request(this.app).get(path).set('X-API-Key', KEYS[as].key);
  }

  delete(path: string, as: KeyName, headers: Record<string, string> = {}) {
    return request(this.app).delete(path).set('X-API-Key', KEYS[as].key).set(headers);
  }

  post(path: string, as: KeyName, body: object, headers: Record<string, string> = {}) {
    return request(this.app).post(path).set('X-API-Key', KEYS[as].key).set(headers).send(body);
  }

  patch(path: string, as: KeyName, body: object, headers: Record<string, string> = {}) {
    return request(this.app).patch(path).set('X-API-Key', KEYS[as].key).set(headers).send(body);
  }
}
