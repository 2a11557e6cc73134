import { dealt, mochaJob, testFiles } from '../run/lanes.js';
import { runAll } from '../run/run-all.js';
import { STORE } from '../run/stores.js';
import { runsOnBoth } from './both.js';

/*
 * Runs the tests that judge both stores on one of them; on PostgreSQL those of its own, too. `npm test` has run them on PostgreSQL
 * if there is one, so `.ci/run` runs them on the embedded store.
 * Usage: tsx test/postgres/run.ts postgres|embedded [<arguments of mocha>…]
 */
const [store = '', ...args] = process.argv.slice(2);
const files = testFiles().filter((file) => runsOnBoth(file));
const own = store === 'postgres' ? [mochaJob('suites', ['test/postgres/*.suite.ts'])] : [];
process.env[STORE] = store;
const ok =
  args.length > 0
    ? await runAll([mochaJob(store, args)], true)
    : await runAll([...dealt(store, files, 2), ...own]);
process.exit(ok ? 0 : 1);
