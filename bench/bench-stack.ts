import { Client, Connection } from '@temporalio/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent, Operator } from 'holdpoint-client';
import type { SuspensionView } from '../contracts/suspension-view.js';
import { childEnv, launchNode } from '../service/node-process.js';
import { isolatedEnv } from '../service/settings.js';
import { startStack } from '../service/stack.js';
import type { Stack } from '../service/stack.js';

/** A whole Holdpoint as `npm start` runs it, a worker of other workflows beside it, and clients. */
export class BenchStack {
  readonly stack: Stack;
  readonly agent: Agent;
  readonly operator: Operator;
  readonly temporal: Client;
  readonly #key: (role: 'agent' | 'operator') => string;
  readonly #release: () => Promise<void>;

  private constructor(stack: Stack, temporal: Client, release: () => Promise<void>) {
    this.stack = stack;
    this.temporal = temporal;
    this.#release = release;
    this.#key = (role) => stack.keys.find(({ roles }) => roles.includes(role))?.key ?? '';
    this.agent = new Agent({ baseUrl: stack.apiUrl, apiKey: this.#key('agent') });
    this.operator = new Operator({ baseUrl: stack.apiUrl, apiKey: this.#key('operator') });
  }

  static async start(): Promise<BenchStack> {
    const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-bench-'));
    const env = isolatedEnv(process.env);
    const stack = await startStack({
      dataDir: path.join(folder, 'data'),
      env,
      log: () => undefined,
    });
    const beside = launchNode({
      script: new URL('beside/worker.ts', import.meta.url),
      args: [stack.temporalAddress],
      env: childEnv(env),
      onLine: () => undefined,
    });
    await beside.ready;
    const connection = await Connection.connect({ address: stack.temporalAddress });
    const release = async (): Promise<void> => {
      beside.signal('SIGTERM');
      await beside.ended;
      await connection.close();
      await stack.stop();
      await rm(folder, { recursive: true, force: true });
    };
    return new BenchStack(stack, new Client({ connection }), release);
  }

  close(): Promise<void> {
    return this.#release();
  }

  /** A request to the API itself, without the client's retries. */
  async call(
    role: 'agent' | 'operator',
    method: 'GET' | 'POST',
    route: string,
    body?: object,
  ): Promise<unknown> {
    const reply = await fetch(`${this.stack.apiUrl}/v1${route}`, {
      method,
      headers: { 'X-API-Key': this.#key(role), 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${method} ${route}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  }

  async createIntent(): Promise<string> {
    return (await this.agent.createIntent({ title: 'Refund', status: 'active' })).id;
  }

  async open(intentId: string, more: object = {}): Promise<SuspensionView> {
    const body = { question: 'Refund order 12345?', response_type: 'confirm', ...more };
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
