import { resolveTemporalCli } from '../../temporal-config/cli.js';
import fc from 'fast-check';
import type { Context, Runner } from 'mocha';
import assert from 'node:assert/strict';
import { NO_SERVERS } from './lanes.js';
import { noteTests } from './notes.js';
import { watchThread } from './stuck.js';
import { takeReplyFaults } from '../support/reply-faults.js';
import { closePools } from '../support/server-pool.js';
import { resolveTestServer } from '../support/skipping-server.js';

/** Only such a server outlives the run. Only then is the client of PostgreSQL loaded, for every run waits for what is loaded here. */
const usesPostgres = Boolean(process.env['DATABASE_URL']);

/** The same values in every run, so that no change fails by those of another; `random` ones once a night. */
const seed = process.env['HOLDPOINT_TEST_SEED'] ?? '20261127';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

/**
 * Finds, downloads or builds both Temporal servers before the first test: that may take minutes once, which
 * no test's time limit allows for.
 */
export async function mochaGlobalSetup(this: Runner): Promise<void> {
  noteTests(this);
  watchThread(this);
  if (process.env[NO_SERVERS] !== undefined) return;
  const log = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  await resolveTemporalCli({ log });
  await resolveTestServer({ log });
}

export async function mochaGlobalTeardown(): Promise<void> {
  await closePools();
  if (usesPostgres) await (await import('../support/postgres.js')).dropTemplate();
}

/** Replies that the document does not allow, each after the test that got it. */
const faults: string[] = [];

/** Every reply of every test is one that the OpenAPI document allows, to the letter. The run goes on, and tells of all in the end. */
export const mochaHooks = {
  afterEach(this: Context): void {
    const title = this.currentTest?.titlePath().join(' › ') ?? '';
    faults.push(...takeReplyFaults().map((fault) => `${title}: ${fault}`));
  },
  afterAll(): void {
    if (faults.length === 0) return;
    assert.fail(`The OpenAPI document does not allow these replies:\n${faults.join('\n')}`);
  },
};
