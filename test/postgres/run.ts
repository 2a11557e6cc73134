import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startPostgres } from '../support/postgres.js';

/**
 * `npm run test:postgres [-- <files>]`: the tests of store and API on a PostgreSQL server of their own,
 * or on that of `DATABASE_URL`, and the tests that stop and start such a server.
 */
const SUITES = ['test/store/**/*.test.ts', 'test/api/e2e/**/*.test.ts', 'test/postgres/*.suite.ts'];

const given = process.env['DATABASE_URL'] ?? '';
const server = given === '' ? await startPostgres() : undefined;
const files = process.argv.slice(2);
const env = { ...process.env, DATABASE_URL: server?.url ?? given };
const mocha = spawn('mocha', files.length > 0 ? files : SUITES, { env, stdio: 'inherit' });
const [code] = (await once(mocha, 'exit')) as [number | null];
await server?.stop();
process.exit(code ?? 1);
