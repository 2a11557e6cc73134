import { resolveTemporalCli } from '../../temporal-config/cli.js';
import type { Runner } from 'mocha';
import assert from 'node:assert/strict';
import { NO_SERVERS } from './lanes.js';
import { noteTests } from './notes.js';
import { dropTemplate, makeTemplate } from '../support/postgres.js';
import { takeReplyFaults } from '../support/openapi.js';
import { closePools } from '../support/server-pool.js';
import { resolveTestServer } from '../../temporal-config/test-server.js';

/**
 * Finds, downloads or builds both Temporal servers before the first test: that may take minutes once, which
 * no test's time limit allows for.
 */
export async function mochaGlobalSetup(this: Runner): Promise<void> {
  noteTests(this);
  if (process.env[NO_SERVERS] !== undefined) return;
  const log = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  await resolveTemporalCli({ log });
  await resolveTestServer({ log });
  await makeTemplate();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await closePools();
  await dropTemplate();
}

/** Every reply of every test is one that the OpenAPI document allows, to the letter. */
export const mochaHooks = {
  afterEach(): void {
    assert.deepEqual(takeReplyFaults(), [], 'replies that the OpenAPI document does not allow');
  },
};
