import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { BenchStack } from './bench-stack.js';
import { measureCosts } from './question-costs.js';
import { costsAsMarkdown } from './cost-report.js';

/**
 * `npm run bench:cost [-- --rounds <n>] [-- --json]`: what one question costs on each path, in writes and
 * tasks of the Temporal server and in CPU time, one question at a time.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '100' }, json: { type: 'boolean' } },
  });
  const bench = await BenchStack.start();
  try {
    const costs = await measureCosts(bench, Number(values.rounds));
    const machine = `${cpus().length} cores, Node ${process.versions.node}`;
    process.stdout.write(`${machine}\n\n${costsAsMarkdown(costs)}\n`);
    if (values.json === true) process.stdout.write(`${JSON.stringify(costs)}\n`);
  } finally {
    await bench.close();
  }
}

await main();
process.exit(0);
