import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BenchStack } from './bench-stack.js';
import { readServerCounts } from './server-counts.js';
import { growth, total } from './server-metrics.js';

const MINUTES_A_DAY = 1_440;
const MINUTE_MS = 60_000;

/** Slack that nobody reaches, and events for one subscriber. */
const CONFIG = {
  directory: { people: { ana: { slack: 'U0000000001' } } },
  notifications: {
    default_channel: 'chat',
    channels: {
      chat: {
        type: 'slack',
        bot_token: 'xoxb-1-idle',
        team: 'T0000000001',
        to: 'ana',
        api_url: 'https://127.0.0.1:9/api/',
      },
    },
  },
  subscriptions: { secrets: [`whsec_${randomBytes(32).toString('base64')}`] },
};

/**
 * `npm run bench:idle [-- --minutes 20] [-- --events 0] [-- --settle 60]`: a whole stack with Slack and one subscription, to which nothing happens, or so
 * many events a minute, from so many seconds on: what a start does once is over by then. Prints the actions that Temporal's server counts, by kind, and how many that are in a day.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '20' },
      events: { type: 'string', default: '0' },
      settle: { type: 'string', default: '60' },
    },
  });
  const [minutes, events] = [Number(values.minutes), Number(values.events)];
  const bench = await BenchStack.start({ config: CONFIG });
  try {
    const intent = await bench.createIntent();
    const webhook_url = 'https://hooks.example.com/events';
    await bench.call('agent', 'POST', '/subscriptions', { intent_id: intent, webhook_url });
    await pause(Number(values.settle) * 1_000);
    const before = await readServerCounts(bench.server.metricsUrl);
    const until = performance.now() + minutes * MINUTE_MS;
    while (performance.now() < until) {
      const left = until - performance.now();
      await pause(events === 0 ? left : Math.min(left, MINUTE_MS / events));
      if (events > 0) {
        await bench.call('agent', 'POST', `/intents/${intent}/events`, { event_type: 'note' });
      }
    }
    const after = await readServerCounts(bench.server.metricsUrl);
    const grown = growth(before.actions, after.actions);
    for (const [kind, count] of Object.entries(grown)) say(`${kind}: ${count}`);
    const all = total(grown);
    say(
      `${all} actions in ${minutes} minutes, ${Math.round((all / minutes) * MINUTES_A_DAY)} a day`,
    );
  } finally {
    await bench.close();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
