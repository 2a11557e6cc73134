import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { childEnv, launchNode } from '../service/node-process.js';
import { freePort } from '../temporal-config/ports.js';
import { BenchStack } from './bench-stack.js';
import { BurstClients } from './burst-clients.js';
import { faultsOf, type Burst } from './burst-verdict.js';
import { residentMib } from './memory.js';
import { percentile } from './statistics.js';

const LOOK_MS = 500;
/** A store that has changed nothing for so long has caught up. */
const STILL_MS = 60_000;
const REST_MS = 10_000;

/**
 * `npm run bench:burst [-- --clients 64] [-- --questions 1000] [-- --at-once 32] [-- --longest-wait 25] [-- --alone]`:
 * many clients open questions, `--alone` those of no intent, and then answer them, every second one obeying
 * `Retry-After`; then all of it once more. Prints the errors by code, the memory of the API's process and how long `/health` took. Exits with 1 and the
 * reasons if there was an error but 429, something was lost or doubled, `/health` took over 100 ms, or the second burst needed more memory.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      clients: { type: 'string', default: '64' },
      questions: { type: 'string', default: '1000' },
      'at-once': { type: 'string', default: '32' },
      'longest-wait': { type: 'string', default: '25' },
      alone: { type: 'boolean', default: false },
    },
  });
  const writes = {
    at_once: Number(values['at-once']),
    longest_wait_seconds: Number(values['longest-wait']),
  };
  const metrics = `127.0.0.1:${await freePort()}`;
  const env = { HOLDPOINT_API_METRICS: metrics };
  const bench = await BenchStack.start({ config: { limits: { writes } }, env });
  try {
    say(`${cpus().length} cores, load ${load()} before`);
    say(
      `${values.clients} clients, ${values.questions} questions, limits ${JSON.stringify(writes)}`,
    );
    const [clients, questions] = [Number(values.clients), Number(values.questions)];
    // Each look begins a new count.
    await longestTurnMs(metrics);
    const faults = faultsOf(await burst(bench, clients, questions, values.alone));
    say(
      `the API's longest turn of its event loop: ${(await longestTurnMs(metrics)).toFixed(0)} ms`,
    );
    for (const fault of faults) process.stderr.write(`fault: ${fault}\n`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await bench.close();
  }
}

/** The same burst twice: what the second needs more than the first, in memory, each further one would need too. */
async function burst(
  bench: BenchStack,
  clients: number,
  questions: number,
  isAlone: boolean,
): Promise<Burst> {
  // The first requests load what the process then keeps.
  await bench.respond(await bench.open(await bench.createIntent()));
  const burstClients = new BurstClients(bench, clients, isAlone);
  const { told } = burstClients;
  const pid = bench.stack.pids().api ?? NaN;
  const health = await watchHealth(`${bench.stack.apiUrl}/health`);
  const once = async (): Promise<number> => {
    const memory = watchMemory(pid);
    const { opensPerSecond, answersPerSecond } = await burstClients.run(questions);
    await storedLike(bench, told.opened, told.answered);
    const most = await memory.end();
    say(
      `opened ${opensPerSecond.toFixed(1)} and answered ${answersPerSecond.toFixed(1)} a second, the API at ${most} MiB at most`,
    );
    return most;
  };
  const memoryMib = { first: await once(), second: await once() };
  const looks = await health.end();
  await pause(REST_MS);
  const stored = await storedLike(bench, told.opened, told.answered);
  say(`opened ${told.opened}, answered ${told.answered}`);
  say(`in the store: ${stored.opened} opened, ${stored.answered} answered`);
  say(
    `writes: p50 ${ms(told.tookMs, 0.5)}, p95 ${ms(told.tookMs, 0.95)}, slowest ${ms(told.tookMs, 1)}`,
  );
  say(`errors: ${JSON.stringify(Object.fromEntries(told.errors))}`);
  say(`the API's memory at rest: ${Math.round(await residentMib(pid))} MiB`);
  say(
    `/health: ${looks.length} looks, p50 ${ms(looks, 0.5)}, p99 ${ms(looks, 0.99)}, slowest ${ms(looks, 1)}`,
  );
  say(`load ${load()} after`);
  return { ...told, stored, healthMs: percentile(looks, 1), memoryMib };
}

/** How many questions the store has, as soon as it has as many as it should, or else once it stands still. */
async function storedLike(bench: BenchStack, opened: number, answered: number) {
  for (let latest = { opened: 0, answered: 0 }, since = performance.now(); ;) {
    const stored = await storedNow(bench);
    const isSame = stored.opened === opened && stored.answered === answered;
    if (isSame || performance.now() > since + STILL_MS) return stored;
    if (stored.opened !== latest.opened || stored.answered !== latest.answered) {
      latest = stored;
      since = performance.now();
    }
    await pause(LOOK_MS);
  }
}

async function storedNow(bench: BenchStack) {
  const counts = (await bench.call('operator', 'GET', '/suspensions/counts')) as {
    pending: number;
    responded: number;
  };
  // One was asked and answered before the burst.
  return { opened: counts.pending + counts.responded - 1, answered: counts.responded - 1 };
}

function watchMemory(pid: number) {
  let most = 0;
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      most = Math.max(most, Math.round(await residentMib(pid)));
      await pause(LOOK_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    /** The most that there was. MiB. */
    async end() {
      stop.abort();
      await watching;
      return most;
    },
  };
}

async function watchHealth(url: string) {
  const looks: number[] = [];
  const probe = launchNode({
    script: new URL('health-probe.ts', import.meta.url),
    args: [url],
    env: childEnv(process.env),
    onLine: (line, stream) => {
      if (stream === 'stdout') looks.push(Number(line));
    },
  });
  await probe.ready;
  return {
    async end() {
      probe.signal('SIGTERM');
      await probe.ended;
      return looks;
    },
  };
}

/** How long the API's process did one thing, since the last look, while whatever else came had to wait. Milliseconds. */
async function longestTurnMs(address: string): Promise<number> {
  const text = await (await fetch(`http://${address}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds(?:\{.*?\})? (.+)$/m.exec(text)?.[1]) * 1_000;
}

/** Of the last minute: how many processes want to run, those of others too. */
function load(): string {
  return (loadavg()[0] ?? NaN).toFixed(1);
}

function ms(samples: readonly number[], share: number): string {
  return `${percentile(samples, share).toFixed(0)} ms`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

process.exit(await main());
