import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { after, before, describe, it } from 'mocha';
import { CLIENTS, withClient } from '../../support/mcp-clients.js';
import { KEYS, RealStack } from '../../support/real-stack.js';
import { connectedTo } from '../../support/temporal.js';
import { startTimeSkipping } from '../../support/temporal-test-server.js';
import { sleepDespiteLostLocks } from '../support/time-skipping.js';
import { scriptOf } from '../../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const HOUR_MS = 3_600_000;
const KINDS = Object.keys(CLIENTS) as readonly (keyof typeof CLIENTS)[];

/** A question of one client. */
interface Asked {
  readonly kind: keyof typeof CLIENTS;
  readonly asking: Record<string, unknown>;
  readonly ticket: string;
}

describe('a model that asks today, over a service whose clock moves', () => {
  let env: TestWorkflowEnvironment;
  let stack: RealStack;
  let home = '';
  before(async () => {
    // A server of its own: the clock of a used one is ahead of that of the API, by which what is asked may be over at once.
    env = await startTimeSkipping();
    const server = { address: env.address, stop: () => env.teardown() };
    [stack, home] = await Promise.all([
      RealStack.start({}, connectedTo(server)),
      mkdtemp(path.join(tmpdir(), 'holdpoint-home-')),
    ]);
  });
  after(async () => {
    await stack.close();
    await rm(home, { recursive: true, force: true });
  });

  /** Each client starts a process of its own. */
  const place = () => ({
    command: process.execPath,
    args: [scriptOf('service/cli.ts'), 'mcp'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      HOLDPOINT_URL: stack.url,
      HOLDPOINT_API_KEY: KEYS.agent.key,
    },
    cwd: ROOT,
  });

  async function ask(kind: keyof typeof CLIENTS): Promise<Asked> {
    const asking = { question: 'Merge?', request_key: kind, timeout_seconds: 172_800 };
    const { output } = await withClient(kind, place(), (client) =>
      client.call('ask_human', asking),
    );
    const ticket = String(output['ticket']);
    await stack.delivered(ticket);
    return { kind, asking, ticket };
  }

  it('gets the answer in a new process a day later, whichever client it has', async () => {
    const asked: Asked[] = [];
    for (const kind of KINDS) asked.push(await ask(kind));
    await sleepDespiteLostLocks(env, '12 hours');
    for (const { ticket } of asked) {
      const at = `/v1/suspensions/${ticket}/respond`;
      assert.equal((await stack.post(at, 'operator', { value: 'yes' })).status, 200);
    }
    await sleepDespiteLostLocks(env, '12 hours');
    const now = await env.currentTimeMs();
    for (const { kind, asking, ticket } of asked) {
      await withClient(kind, place(), async (client) => {
        const { output } = await client.call('get_human_answer', { ticket });
        assert.deepEqual(
          [output['status'], output['answer'], output['answered_by']],
          ['answered', 'yes', 'alice'],
          kind,
        );
        const again = await client.call('ask_human', asking);
        assert.equal(again.output['ticket'], ticket);
      });
      const { record } = (await stack.get(`/v1/suspensions/${ticket}`)).body;
      const [began, ended] = [record.suspended_at, record.settled_at].map(Date.parse);
      assert.ok(began !== undefined && ended !== undefined);
      assert.ok(ended - began >= 12 * HOUR_MS && now - began >= 24 * HOUR_MS, kind);
    }
  });
});
