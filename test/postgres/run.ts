import { dealt, mochaJob, suites, testFiles } from '../run/lanes.js';
import { runAll } from '../run/run-all.js';
import { STORE } from '../run/stores.js';
import { RUN_SERVER } from '../support/postgres.js';
import { runsOnBoth } from './both.js';

/*
 * Runs the tests that judge both stores on one of them; on PostgreSQL those of its own, too. `npm test` has run them on PostgreSQL
 * if there is one, so `.ci/run` runs them on the embedded store.
 * Usage: tsx test/postgres/run.ts postgres|embedded [suites | <arguments of mocha>…]
 */
const SUITES = 'suites';
const [store = '', ...args] = process.argv.slice(2);
const files = testFiles().filter((file) => runsOnBoth(file));
const own = mochaJob(SUITES, suites('postgres'), { looksTwice: true });
process.env[STORE] = store;

function run(): Promise<boolean> {
  if (args[0] === SUITES) return runAll([own]);
  if (args.length > 0) return runAll([mochaJob(store, args)], true);
  // Also at a second look, in a run that has a server.
  const env = store === 'embedded' ? { [RUN_SERVER]: '' } : {};
  const both = dealt(store, files, 2, { looksTwice: true, env });
  return runAll(store === 'postgres' ? [...both, own] : both);
}
process.exit((await run()) ? 0 : 1);
