import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Intent } from '../../contracts/intent/intent.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { isolatedEnv } from '../../service/settings.js';
import { startStack, type Stack } from '../../service/stack.js';
import { installSdk, SdkAgent } from './sdk.js';

const KEYS = [
  { key: 'agent-key-for-the-real-sdk', principal: 'agent-1', roles: ['agent'] },
  { key: 'operator-key-for-the-real-sdk', principal: 'alice', roles: ['operator'] },
] as const;
export const [AGENT, OPERATOR] = KEYS;

/** The record of a question as its intent has it. */
export interface RecordInState {
  readonly id: string;
  readonly resolution?: string;
  readonly settled_by?: string;
  readonly response?: JsonValue;
}

/** A service of its own for agents of the published SDK, and what operators send to it. */
export class SdkStack {
  private readonly python: string;
  private readonly folder: string;
  private readonly stack: Stack;

  private constructor(python: string, folder: string, stack: Stack) {
    this.python = python;
    this.folder = folder;
    this.stack = stack;
  }

  static async start(): Promise<SdkStack> {
    const python = await installSdk();
    const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-openintent-'));
    const env = { ...isolatedEnv(process.env), HOLDPOINT_API_KEYS: JSON.stringify(KEYS) };
    const dataDir = path.join(folder, 'data');
    return new SdkStack(python, folder, await startStack({ dataDir, env, log: () => undefined }));
  }

  async close(): Promise<void> {
    await this.stack.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** An agent that does one task of `agent.py`. */
  run(task: string, fields: object = {}): SdkAgent {
    const server = { base_url: this.stack.apiUrl, api_key: AGENT.key };
    return new SdkAgent(this.python, { ...server, do: task, ...fields });
  }

  async call(route: string, body?: object, key: string = OPERATOR.key): Promise<unknown> {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    const reply = await fetch(`${this.stack.apiUrl}${route}`, { headers, ...sent });
    if (!reply.ok) throw new Error(`${route}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  }

  /** The id of a new intent. */
  async create(active = true): Promise<string> {
    const { intent } = (await this.run('create', { active }).last()) as unknown as {
      intent: Intent;
    };
    return intent.id;
  }

  /** An agent that waits for its answer. */
  async ask(question: object, active = true) {
    const intent_id = await this.create(active);
    const agent = this.run('ask', { intent_id, question: { question: 'Refund?', ...question } });
    const { suspension_id, record } = (await agent.until('requested')) as unknown as {
      suspension_id: string;
      record: JsonObject;
    };
    return { agent, intent_id, suspension_id, record };
  }

  answer(intentId: string, suspension_id: string, value: JsonValue): Promise<unknown> {
    return this.call(`/api/v1/intents/${intentId}/suspend/respond`, { suspension_id, value });
  }

  async read(intentId: string): Promise<Intent> {
    return (await this.call(`/v1/intents/${intentId}`)) as Intent;
  }

  async recordOf(intentId: string): Promise<RecordInState> {
    return (await this.read(intentId)).state['_suspension'] as unknown as RecordInState;
  }
}
