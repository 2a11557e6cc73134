import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { lookUntil } from '../../support/looks.js';
import { CLIENTS, withClient } from '../../support/mcp-clients.js';
import { KEYS, RealStack } from '../../support/real-stack.js';
import { inThisProcess } from '../../support/stack-temporal.js';
import { scriptOf } from '../../support/scripts.js';
import { localPlace } from '../support/places.js';
import type { Place } from '../support/places.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const HOUR_MS = 3_600_000;
const KINDS = Object.keys(CLIENTS) as readonly (keyof typeof CLIENTS)[];

/** A question of one client. */
interface Asked {
  readonly kind: keyof typeof CLIENTS;
  readonly asking: Record<string, unknown>;
  readonly ticket: string;
  /** By the clock that moves (ms). */
  readonly at: number;
}

describe('a model that asks today, over a service whose clock moves', () => {
  let place: Place;
  let stack: RealStack;
  let home = '';
  before(async () => {
    place = localPlace();
    [stack, home] = await Promise.all([
      RealStack.start({}, inThisProcess(place)),
      mkdtemp(path.join(tmpdir(), 'holdpoint-home-')),
    ]);
  });
  after(async () => {
    await stack.close();
    await rm(home, { recursive: true, force: true });
  });

  /** Each client starts a process of its own. */
  const command = () => ({
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
    const { output } = await withClient(kind, command(), (client) =>
      client.call('ask_human', asking),
    );
    const ticket = String(output['ticket']);
    await lookUntil(async () => {
      await place.sleep('1 s');
      const { timeline } = (await stack.get(`/v1/suspensions/${ticket}`)).body as SuspensionView;
      return timeline.some(({ kind: happened }) => happened === 'delivered');
    }, 'nobody is asked');
    return { kind, asking, ticket, at: await place.now() };
  }

  it('gets the answer in a new process a day later, whichever client it has', async () => {
    const asked: Asked[] = [];
    for (const kind of KINDS) asked.push(await ask(kind));
    await place.sleep('12 hours');
    for (const { ticket } of asked) {
      const at = `/v1/suspensions/${ticket}/respond`;
      assert.equal((await stack.post(at, 'operator', { value: 'yes' })).status, 200);
    }
    await place.sleep('12 hours');
    const now = await place.now();
    for (const { kind, asking, ticket, at } of asked) {
      await withClient(kind, command(), async (client) => {
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
      assert.ok(Date.parse(record.settled_at) - at >= 12 * HOUR_MS, kind);
      assert.ok(now - at >= 24 * HOUR_MS, kind);
    }
  });
});
