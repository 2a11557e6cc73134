import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'holdpoint-client';
import { startStack } from '../service/stack.js';
import { startPostgres } from '../test/support/postgres.js';
import { percentile } from './statistics.js';

const EVENTS = 300;
const SUBSCRIBERS = 20;
/** At most, so that events meet every moment between two looks. */
const BETWEEN_MS = 120;

/**
 * `tsx bench/feed.ts`: milliseconds from an event's acceptance by its workflow to its frame at each of 20
 * subscribers, on the embedded store and on PostgreSQL (which has to be installed).
 */
async function main(): Promise<void> {
  await measure('embedded', {});
  const postgres = await startPostgres();
  await measure('PostgreSQL', { DATABASE_URL: postgres.url });
  await postgres.stop();
}

async function measure(name: string, more: Readonly<Record<string, string>>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-bench-'));
  const env = { ...process.env, ...more };
  const stack = await startStack({ dataDir: path.join(folder, 'data'), env, log: () => undefined });
  const apiKey = stack.keys.find(({ roles }) => roles.includes('agent'))?.key ?? '';
  const agent = new Agent({ baseUrl: stack.apiUrl, apiKey });
  const { id } = await agent.createIntent({ title: 'Refund', status: 'active' });
  const accepted = new Map<number, number>();
  const seen: { readonly sent: number; readonly at: number }[] = [];
  const readers = Array.from({ length: SUBSCRIBERS }, async () => {
    let count = 0;
    for await (const { event } of agent.subscribe({ intent_id: id, last_event_id: '0' })) {
      const sent = event.payload['sent'];
      if (typeof sent === 'number') seen.push({ sent, at: performance.now() });
      if ((count += 1) > EVENTS) return;
    }
  });
  for (let event = 0; event < EVENTS; event += 1) {
    await pause(Math.random() * BETWEEN_MS);
    await agent.appendEvent(id, 'bench', { sent: event });
    accepted.set(event, performance.now());
  }
  await Promise.all(readers);
  const delays = seen.map(({ sent, at }) => Math.max(0, at - (accepted.get(sent) ?? NaN)));
  say(
    `${name}: p50 ${figure(delays, 0.5)} ms, p95 ${figure(delays, 0.95)} ms, worst ${figure(delays, 1)} ms`,
  );
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}

function figure(samples: readonly number[], share: number): string {
  return percentile(samples, share).toFixed(0);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
