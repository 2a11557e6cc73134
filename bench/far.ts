import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { delayedPort } from '../test/support/delayed-port.js';
import { startPostgres } from '../test/support/postgres.js';
import { embeddedGrounds, type StartGrounds } from './bench-server.js';
import { BenchStack } from './bench-stack.js';
import { watchOf } from './figures.js';
import { percentile, rateOf } from './statistics.js';
import { table } from './tables.js';

const LOOK_MS = 10;

/**
 * `npm run bench:far [-- --ms 20] [-- --clients 32] [-- --questions 320]`: Temporal and PostgreSQL are so many milliseconds away, each way.
 * Clients ask and answer, and the database itself is looked at every 10 ms. Prints how long after its reply an answered question
 * was still open in the store, and its intent still suspended.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ms: { type: 'string', default: '20' },
      clients: { type: 'string', default: '32' },
      questions: { type: 'string', default: '320' },
    },
  });
  const [ms, clients, count] = [values.ms, values.clients, values.questions].map(Number) as [
    number,
    number,
    number,
  ];
  let nearStore = '';
  const grounds: StartGrounds = async (folder, env) => {
    const temporal = await embeddedGrounds(folder, env);
    const postgres = await startPostgres();
    nearStore = postgres.url;
    const [toTemporal, toStore] = await Promise.all([
      delayedPort(Number(temporal.server.address.split(':')[1]), ms),
      delayedPort(Number(new URL(postgres.url).port), ms),
    ]);
    const url = new URL(postgres.url);
    url.port = String(toStore.port);
    return {
      server: { ...temporal.server, address: `127.0.0.1:${toTemporal.port}` },
      store: { url: url.href, pid: postgres.pid() },
      async stop() {
        await Promise.all([toTemporal.close(), toStore.close()]);
        await temporal.stop();
        await postgres.stop();
      },
    };
  };
  const bench = await BenchStack.start({ grounds });
  const store = new pg.Pool({ connectionString: nearStore, max: 2 });
  try {
    await measureFar(bench, store, clients, clients);
    const watch = watchOf(bench);
    const point = await watch.part('far', () => measureFar(bench, store, clients, count));
    say(`${ms} ms each way, ${clients} clients: ${describe(point)}`);
    say(lags(point));
    say(`CPU of others: ${JSON.stringify(watch.foreign)}; too busy: ${bench.busy} times`);
  } finally {
    await store.end();
    await bench.close();
  }
}

/** Milliseconds of each question, in the order in which they were asked. */
interface FarPoint {
  readonly askedPerSecond: number;
  readonly answeredPerSecond: number;
  readonly lags: Readonly<Record<string, readonly number[]>>;
}

/** What the store shows of what has been answered: the ids of those that are done. */
const SHOWN = {
  'own question settled': `select id from suspensions where id = any($1) and state <> 'pending'`,
  'question of an intent settled': `select id from suspensions where id = any($1) and state <> 'pending'`,
  'its intent goes on': `select distinct intent_id as id from events
    where intent_id = any($1) and event_type = 'intent.resumed'`,
} as const;

async function measureFar(
  bench: BenchStack,
  store: pg.Pool,
  clients: number,
  count: number,
): Promise<FarPoint> {
  const own: string[] = [];
  const ofIntents: { id: string; intent: string }[] = [];
  const asked = await rateOf(count, clients, async (index) => {
    if (index % 2 === 0) own.push((await bench.ask()).id);
    else {
      const intent = await bench.createIntent();
      ofIntents.push({ id: (await bench.open(intent)).id, intent });
    }
  });
  const watches = {
    'own question settled': new Watch(store, SHOWN['own question settled']),
    'question of an intent settled': new Watch(store, SHOWN['question of an intent settled']),
    'its intent goes on': new Watch(store, SHOWN['its intent goes on']),
  };
  const all = [...own.map((id) => ({ id, intent: undefined })), ...ofIntents].sort(
    () => Math.random() - 0.5,
  );
  const answered = await rateOf(count, clients, async (index) => {
    const one = all[index];
    if (one === undefined) return;
    await answer(bench, one);
    if (one.intent === undefined) {
      watches['own question settled'].replied(one.id);
    } else {
      watches['question of an intent settled'].replied(one.id);
      watches['its intent goes on'].replied(one.intent);
    }
  });
  const lagsOf = Object.entries(watches).map(
    async ([name, watch]) => [name, await watch.all()] as const,
  );
  return {
    askedPerSecond: asked,
    answeredPerSecond: answered,
    lags: Object.fromEntries(await Promise.all(lagsOf)),
  };
}

async function answer(
  bench: BenchStack,
  { id, intent }: { id: string; intent?: string | undefined },
) {
  if (intent === undefined) await bench.answer(id);
  else await bench.respond({ id, intent_id: intent });
}

/** Looks again and again which ids the store shows, from when each has been replied to. */
class Watch {
  private readonly store: pg.Pool;
  private readonly query: string;
  private readonly since = new Map<string, number>();
  private readonly lags: number[] = [];
  private readonly looking: Promise<void>;
  private isLast = false;

  constructor(store: pg.Pool, query: string) {
    this.store = store;
    this.query = query;
    this.looking = this.look();
  }

  replied(id: string): void {
    this.since.set(id, performance.now());
  }

  /** Milliseconds from each reply until the store showed it, once it shows all. */
  async all(): Promise<readonly number[]> {
    this.isLast = true;
    await this.looking;
    return this.lags;
  }

  private async look(): Promise<void> {
    while (!this.isLast || this.since.size > 0) {
      if (this.since.size > 0) await this.lookOnce();
      await pause(LOOK_MS);
    }
  }

  private async lookOnce(): Promise<void> {
    const began = performance.now();
    const { rows } = await this.store.query<{ id: string }>(this.query, [[...this.since.keys()]]);
    for (const { id } of rows) {
      this.lags.push(Math.max(0, began - (this.since.get(id) ?? began)));
      this.since.delete(id);
    }
  }
}

function describe({ askedPerSecond, answeredPerSecond }: FarPoint): string {
  return `${askedPerSecond.toFixed(0)} asked and ${answeredPerSecond.toFixed(0)} answered a second`;
}

function lags(point: FarPoint): string {
  const rows = Object.entries(point.lags).map(([name, samples]) => [
    name,
    ...[0.5, 0.95, 0.99, 1].map((share) => `${percentile(samples, share).toFixed(0)} ms`),
  ]);
  return table(['after the reply', 'p50', 'p95', 'p99', 'slowest'], rows);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main();
process.exit(0);
