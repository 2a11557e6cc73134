import { Client, Connection } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, Operator } from 'holdpoint-client';
import type { SuspensionView } from '../contracts/suspension/view.js';
import { childEnv, launchNode } from '../service/node-process.js';
import { isolatedEnv } from '../service/settings.js';
import type { startStack, Stack } from '../service/stack.js';
import {
  embeddedGrounds,
  type BenchServer,
  type Grounds,
  type StartGrounds,
} from './bench-server.js';

/** This code; `root` of a stack is where another version of it lies. */
const HERE = new URL('../', import.meta.url);

/** What an API says that is too busy for a moment. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);
const BUSY_TRIES = 10;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

export interface BenchStackOptions {
  /** The folder of a version of Holdpoint whose dependencies are installed; this code unless given. */
  readonly root?: URL;
  /** What stands in the configuration file; the defaults unless given. */
  readonly config?: object;
  /** Variables beside those of this process, for all processes of the stack. */
  readonly env?: NodeJS.ProcessEnv;
  /** The development server and the embedded store unless given. */
  readonly grounds?: StartGrounds;
}

/** A configuration that tells nobody of a question. */
export const SILENT = { notifications: { default_channel: 'none' } };

/** A request that the API has refused. */
export class BenchRefusal extends Error {
  override readonly name = 'BenchRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Passes on what the API logs as an error, of which its client hears no more than an id. */
function tellErrors(name: string, line: string): void {
  if (name === 'api' && line.includes('"level":50')) process.stderr.write(`${name}: ${line}\n`);
}

/** A whole Holdpoint as `npm start` runs it, a worker of other workflows beside it, and clients. */
export class BenchStack {
  readonly stack: Stack;
  readonly server: BenchServer;
  /** The process of the workflows beside Holdpoint. */
  readonly besidePid: number;
  readonly agent: Agent;
  readonly operator: Operator;
  readonly temporal: Client;
  /** How often the API was too busy for a request so far. */
  busy = 0;
  readonly keyOf: (role: 'agent' | 'operator') => string;
  readonly #grounds: Grounds;
  readonly #release: () => Promise<void>;

  private constructor(
    stack: Stack,
    grounds: Grounds,
    besidePid: number,
    temporal: Client,
    release: () => Promise<void>,
  ) {
    this.stack = stack;
    this.#grounds = grounds;
    this.server = grounds.server;
    this.besidePid = besidePid;
    this.temporal = temporal;
    this.#release = release;
    this.keyOf = (role) => stack.keys.find(({ roles }) => roles.includes(role))?.key ?? '';
    this.agent = new Agent({ baseUrl: stack.apiUrl, apiKey: this.keyOf('agent') });
    this.operator = new Operator({ baseUrl: stack.apiUrl, apiKey: this.keyOf('operator') });
  }

  /** Starts a whole Holdpoint on grounds of its own. */
  static async start(options: BenchStackOptions = {}): Promise<BenchStack> {
    const { root = HERE, config = {}, grounds: startGrounds = embeddedGrounds } = options;
    const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-bench-'));
    const env = { ...isolatedEnv(process.env), ...options.env };
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const configPath = path.join(folder, 'openintent.yaml');
    // JSON is YAML.
    await writeFile(configPath, JSON.stringify(config));
    const grounds = await startGrounds(folder, env);
    const { server, store } = grounds;
    const code = (await import(new URL('service/stack.ts', root).href)) as {
      readonly startStack: typeof startStack;
    };
    const stack = await code.startStack({
      dataDir: path.join(folder, 'data'),
      env: {
        ...env,
        TEMPORAL_ADDRESS: server.address,
        TEMPORAL_NAMESPACE: 'default',
        ...(store && { DATABASE_URL: store.url }),
      },
      configPath,
      log: () => undefined,
      relay: tellErrors,
    });
    const beside = launchNode({
      script: new URL('bench/beside/worker.ts', root),
      args: [server.address, stack.databaseUrl],
      env: childEnv(env),
      onLine: () => undefined,
    });
    await beside.ready;
    const connection = await Connection.connect({ address: server.address });
    const release = async (): Promise<void> => {
      beside.signal('SIGTERM');
      await beside.ended;
      await connection.close();
      await stack.stop();
      await grounds.stop();
      await rm(folder, { recursive: true, force: true });
    };
    return new BenchStack(stack, grounds, beside.pid, new Client({ connection }), release);
  }

  /** The process of the store; its CPU includes that for Temporal where both are on one database server. */
  storePid(): number | undefined {
    return this.#grounds.store?.pid ?? this.stack.pids().store;
  }

  close(): Promise<void> {
    return this.#release();
  }

  /**
   * A request to the API itself, under a key of its own unless its body has one. Where the API is too busy it is sent again after a pause, as the client does;
   * `busy` counts that.
   *
   * @throws BenchRefusal for any other refusal
   */
  async call(
    role: 'agent' | 'operator',
    method: 'GET' | 'POST',
    route: string,
    body?: object,
  ): Promise<unknown> {
    const isKeyed = body !== undefined && 'request_key' in body;
    const headers = {
      'X-API-Key': this.keyOf(role),
      'Content-Type': 'application/json',
      ...(method === 'POST' && !isKeyed && { 'Idempotency-Key': randomUUID() }),
    };
    for (let failures = 0; ; failures += 1) {
      const reply = await fetch(`${this.stack.apiUrl}/v1${route}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (reply.ok) return reply.json();
      const text = await reply.text();
      if (!BUSY.has(reply.status) || failures === BUSY_TRIES) {
        throw new BenchRefusal(reply.status, `${method} ${route}: ${reply.status} ${text}`);
      }
      this.busy += 1;
      const wanted = Number(reply.headers.get('Retry-After') ?? 0) * 1_000;
      await pause(Math.max(wanted, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)));
    }
  }

  async createIntent(): Promise<string> {
    const intent = { title: 'Refund', status: 'active' };
    return ((await this.call('agent', 'POST', '/intents', intent)) as { id: string }).id;
  }

  /** A question of no intent. */
  async ask(more: object = {}): Promise<SuspensionView> {
    const body = { ...question(), ...more };
    return (await this.call('agent', 'POST', '/suspensions', body)) as SuspensionView;
  }

  async answer(suspensionId: string): Promise<void> {
    await this.call('operator', 'POST', `/suspensions/${suspensionId}/respond`, { value: 'yes' });
  }

  async open(intentId: string, more: object = {}): Promise<SuspensionView> {
    const body = { ...question(), ...more };
    return (await this.call(
      'agent',
      'POST',
      `/intents/${intentId}/suspend`,
      body,
    )) as SuspensionView;
  }

  async respond({ id, intent_id }: Pick<SuspensionView, 'id' | 'intent_id'>): Promise<void> {
    const answer = { suspension_id: id, value: 'yes' };
    await this.call('operator', 'POST', `/intents/${intent_id}/suspend/respond`, answer);
  }
}

/** Its key makes the request safe to send again where the API was too busy, and may have opened it all the same. */
function question() {
  const request_key = randomUUID();
  return { question: 'Refund order 12345?', response_type: 'confirm', request_key };
}
