import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startPostgres } from '../support/postgres.js';

/**
 * `npm run test:postgres [-- <files>]`: the tests of store and API on a PostgreSQL server of their own,
 * or on that of `DATABASE_URL`, and the tests that stop and start such a server. Unless files are named,
 * those are left out for which one store is as good as the other.
 */
const SUITES = ['test/store/**/*.test.ts', 'test/api/e2e/*.test.ts', 'test/postgres/*.suite.ts'];

/**
 * They start an embedded store themselves, or look at what comes before or after the store: refusals, channels,
 * wire shapes, a worker or a server that is away.
 */
const ALIKE = [
  'test/store/{database,embedded-server}.test.ts',
  'test/api/e2e/{email,shell,slack*,surfaces,traces}.test.ts',
  'test/api/e2e/{container-*,openintent-*,plans-refused,refusals,secrets,verbs}.test.ts',
  'test/api/e2e/{forgotten-by-temporal,full-receivers,no-worker,removed-key,reset}.test.ts',
];

const given = process.env['DATABASE_URL'] ?? '';
const server = given === '' ? await startPostgres() : undefined;
const files = process.argv.slice(2);
const env = { ...process.env, DATABASE_URL: server?.url ?? given };
const suites = [...SUITES, ...ALIKE.flatMap((pattern) => ['--ignore', pattern])];
const mocha = spawn('mocha', files.length > 0 ? files : suites, { env, stdio: 'inherit' });
const [code] = (await once(mocha, 'exit')) as [number | null];
await server?.stop();
process.exit(code ?? 1);
