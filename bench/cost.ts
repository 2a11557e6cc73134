import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { BenchStack, SILENT } from './bench-stack.js';
import { measureCosts } from './question-costs.js';
import { costsAsMarkdown } from './cost-report.js';
import { PATHS, type PathName } from './paths.js';

/**
 * `npm run bench:cost [-- --rounds <n>] [-- --paths intent] [-- --silent] [-- --json]`: what one question costs on each path, in writes and
 * tasks of the Temporal server and in CPU time, one question at a time. With `--silent` nobody is told of it: it waits in the inbox.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '100' },
      paths: { type: 'string', default: Object.keys(PATHS).join(',') },
      silent: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  });
  const isNamed = (name: string): name is PathName => Object.hasOwn(PATHS, name);
  const paths = values.paths.split(',').filter(isNamed);
  const config = values.silent === true ? SILENT : {};
  const bench = await BenchStack.start({ config });
  try {
    const costs = await measureCosts(bench, Number(values.rounds), paths);
    const machine = `${cpus().length} cores, Node ${process.versions.node}`;
    process.stdout.write(`${machine}\n\n${costsAsMarkdown(costs)}\n`);
    if (values.json === true) process.stdout.write(`${JSON.stringify(costs)}\n`);
  } finally {
    await bench.close();
  }
}

await main();
process.exit(0);
