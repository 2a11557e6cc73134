import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { FakeServer } from './support/fake-server.js';
import { INTENT, INTENT_ID, pending, ROUTES, settled } from './support/samples.js';
import { scriptOf } from '../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

function startAgent(url: string): ChildProcess & { stdout: Readable } {
  return spawn(process.execPath, [scriptOf('examples/refund-agent.ts')], {
    cwd: ROOT,
    env: { ...process.env, HOLDPOINT_URL: url, HOLDPOINT_API_KEY: 'agent-key' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function outputOf({ stdout }: { stdout: Readable }): Promise<string> {
  let text = '';
  for await (const chunk of stdout) text += String(chunk);
  return text;
}

describe('the example of the refund', () => {
  it('finds its question again after a kill', async () => {
    const server = new FakeServer();
    let waiting = (): void => undefined;
    const firstWait = new Promise<void>((resolve) => (waiting = resolve));
    server
      .on('POST /v1/intents', { status: 201, body: INTENT })
      .on(ROUTES.intent, { body: INTENT })
      .on(ROUTES.suspend, { status: 201, body: pending() }, { status: 200, body: pending(2) })
      .on(ROUTES.wait, (_seen, nth) => {
        if (nth > 1) return { body: settled({}, 2) };
        waiting();
        return 'silent';
      });
    await server.start();
    try {
      const first = startAgent(server.url);
      await firstWait;
      first.kill('SIGKILL');
      const firstOutput = await outputOf(first);
      const second = startAgent(server.url);
      const [secondOutput, [code]] = await Promise.all([outputOf(second), once(second, 'exit')]);

      const question = 'Should we refund order #12345?';
      assert.match(firstOutput, /\[slack → anyone\] Input needed: Should we refund order #12345\?/);
      assert.ok(secondOutput.includes(`[email → anyone] Reminder (2): ${question}`));
      assert.match(secondOutput, /alice chose: Approve refund\nresult: "approve"\n$/);
      assert.equal(code, 0);
    } finally {
      await server.stop();
    }
    const creations = server.requests('POST /v1/intents');
    const keys = creations.map(({ headers }) => headers['idempotency-key']);
    assert.deepEqual(keys, ['refund-intent-12345', 'refund-intent-12345']);
    const [one, two] = server.requests(ROUTES.suspend);
    assert.equal(one?.route, `POST /v1/intents/${INTENT_ID}/suspend`);
    assert.deepEqual(two?.body, one.body);
    assert.equal(one.body['request_key'], 'refund-12345');
  });
});
