import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent, Operator } from '../../client/index.js';
import type { ApiKey } from '../../contracts/people/api-key.js';
import type { ChainBreak, IntentEvent, VerifyReport } from '../../contracts/intent/event.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import { isolatedEnv } from '../../service/settings.js';
import { startStack, type Stack } from '../../service/stack.js';
import { lookUntil } from '../support/looks.js';
import { SEEDS, runLog } from '../support/secrets.js';
import { storeFolder } from '../support/store.js';
import { testBundle } from '../support/temporal-test-server.js';

const KEYS: readonly ApiKey[] = [
  { key: SEEDS.agentKey, principal: 'agent-1', roles: ['agent'] },
  { key: SEEDS.operatorKey, principal: 'alice', roles: ['operator'] },
  { key: SEEDS.adminKey, principal: 'root', roles: ['admin'] },
];

/** A whole Holdpoint in a temporary folder, with clients for each role. */
export class FaultStack {
  readonly stack: Stack;
  readonly agent: Agent;
  readonly operator: Operator;
  private readonly folder: string;

  private constructor(stack: Stack, folder: string) {
    this.stack = stack;
    this.folder = folder;
    const baseUrl = stack.apiUrl;
    this.agent = new Agent({ baseUrl, apiKey: keyOf(stack, 'agent') });
    this.operator = new Operator({ baseUrl, apiKey: keyOf(stack, 'operator') });
  }

  /** Starts one with this configuration, as the file has it, and these variables besides our own. */
  static async start(config = '', variables: NodeJS.ProcessEnv = {}): Promise<FaultStack> {
    const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-faults-'));
    const HOLDPOINT_WORKFLOW_BUNDLE = (await testBundle()).codePath;
    const env = { ...isolatedEnv(process.env), HOLDPOINT_WORKFLOW_BUNDLE, ...variables };
    const dataDir = path.join(folder, 'data');
    if (!variables['DATABASE_URL']) await storeFolder('migrated', path.join(dataDir, 'store'));
    const configPath = path.join(folder, 'config.yaml');
    await writeFile(configPath, config);
    const stack = await startStack({
      dataDir,
      configPath,
      env: { ...env, HOLDPOINT_API_KEYS: JSON.stringify(KEYS) },
      log: (line) => runLog('service').write(`${line}\n`),
      relay: (name, line) => runLog(`service.${name}`).write(`${line}\n`),
    });
    return new FaultStack(stack, folder);
  }

  async close(): Promise<void> {
    await this.stack.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Asks to approve or deny, and returns at once with the open suspension. */
  async ask(question: object = {}): Promise<{ intentId: string; view: SuspensionView }> {
    const intent = await this.agent.createIntent({ title: 'Refund', status: 'active' });
    const choices = ['approve', 'deny'].map((value) => ({ value, label: value }));
    const context = { note: SEEDS.context };
    const body = { question: 'Refund?', choices, context, ...question };
    const view = (await this.post(`/v1/intents/${intent.id}/suspend`, body)) as SuspensionView;
    return { intentId: intent.id, view };
  }

  /** Waits, over any outage of the API, until an attempt after the given one is due. */
  async attemptAfter(suspensionId: string, attempt: number): Promise<SuspensionView> {
    const route = `/v1/suspensions/${suspensionId}/wait?timeout_seconds=20&after_attempt=${attempt}`;
    const init = { headers: { 'X-API-Key': keyOf(this.stack, 'operator') } };
    for (;;) {
      const reply = await fetch(`${this.stack.apiUrl}${route}`, init).catch(() => undefined);
      if (reply?.status === 200) {
        const view = (await reply.json()) as SuspensionView;
        if (view.attempt > attempt || view.state === 'settled') return view;
      }
      if (!reply) await this.stack.untilReady();
    }
  }

  /** The log's types, oldest first, once `count` events are stored: up to 90 s after the store is back. */
  async types(intentId: string, count: number): Promise<string[]> {
    const types = async () => {
      const events: readonly IntentEvent[] = await this.agent.events(intentId);
      const ordered = [...events].sort((a, b) => a.sequence - b.sequence);
      return ordered.map(({ event_type }) => event_type);
    };
    return lookUntil(async () => {
      const stored = await types();
      return stored.length >= count && stored;
    }, `the store does not get ${count} events`);
  }

  /** What proving the log finds wrong with it. */
  async breaks(intentId: string): Promise<readonly ChainBreak[]> {
    const route = `${this.stack.apiUrl}/v1/intents/${intentId}/events/verify`;
    const reply = await fetch(route, { headers: { 'X-API-Key': keyOf(this.stack, 'operator') } });
    if (reply.status !== 200) throw new Error(`${route}: ${reply.status} ${await reply.text()}`);
    return ((await reply.json()) as VerifyReport).breaks;
  }

  private async post(route: string, body: object): Promise<unknown> {
    const headers = {
      'Content-Type': 'application/json',
      'X-API-Key': keyOf(this.stack, 'agent'),
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const reply = await fetch(`${this.stack.apiUrl}${route}`, init);
    if (reply.status >= 300) throw new Error(`${route}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  }
}

function keyOf({ keys }: Stack, role: 'agent' | 'operator'): string {
  const found = keys.find(({ roles }) => roles.includes(role));
  if (!found) throw new Error(`no key has the role ${role}`);
  return found.key;
}
