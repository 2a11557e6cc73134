import { workflowIdOf } from '../contracts/constants/names.js';
import type { PortfolioView } from '../contracts/portfolio/portfolio.js';
import { HoldpointError } from 'holdpoint-client';
import { BenchStack } from './bench-stack.js';
import { timed } from './statistics.js';

const COUNTS = [100, 1_000, 10_000];
const LANES = 16;
const LOOK_EVERY_MS = 20;

/**
 * `npm run bench:members [-- <members> …]`: for a portfolio with so many members, seconds until all are created and
 * have joined, and until a suspension of the last one shows in it; and how long the history of its last run is.
 */
async function main(): Promise<void> {
  const given = process.argv.slice(2).map(Number);
  const bench = await BenchStack.start();
  try {
    for (const count of given.length > 0 ? given : COUNTS) await measure(bench, count);
  } finally {
    await bench.close();
  }
}

async function measure(bench: BenchStack, members: number): Promise<void> {
  const { portfolios } = bench.agent;
  const { id } = await portfolios.create({ name: 'Launch' });
  const intents: string[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < members) {
      next += 1;
      const intentId = await bench.createIntent();
      intents.push(intentId);
      await join(bench, id, intentId);
    }
  };
  const joined = await timed(async () => {
    await Promise.all(Array.from({ length: LANES }, lane));
    await until(bench, id, ({ aggregate_status: { total } }) => total === members);
  });
  await bench.open(intents.at(-1) ?? '');
  const shown = await timed(() => until(bench, id, (view) => view.suspended_member_count === 1));
  const { historyLength } = await bench.temporal.workflow
    .getHandle(workflowIdOf('portfolio', id))
    .describe();
  process.stdout.write(
    `${members} members: joined in ${seconds(joined)}, a suspension shown after ${seconds(shown)}, ` +
      `${historyLength} events in the last run\n`,
  );
}

/** A portfolio between two runs asks to be asked again. */
async function join(bench: BenchStack, portfolioId: string, intentId: string): Promise<void> {
  for (;;) {
    try {
      await bench.agent.portfolios.addMember(portfolioId, { intent_id: intentId });
      return;
    } catch (error) {
      const code = error instanceof HoldpointError ? error.code : undefined;
      if (code === 'member_exists') return;
      if (code !== 'moving' && code !== 'workflow_unavailable') throw error;
    }
  }
}

async function until(
  bench: BenchStack,
  portfolioId: string,
  isSo: (view: PortfolioView) => boolean,
): Promise<void> {
  while (!isSo(await bench.agent.portfolios.get(portfolioId))) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

await main();
process.exit(0);
