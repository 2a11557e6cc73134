import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { startStores } from './stores.js';

const URL = 'postgres://postgres@127.0.0.1:1/postgres';

describe('the stores of a test run', () => {
  const started = () => Promise.resolve({ url: URL, stop: () => Promise.resolve() });
  const missing = () => Promise.reject(new Error('No PostgreSQL is installed.'));

  it('are on PostgreSQL where one can be started', async () => {
    const { env, said } = await startStores({}, started);
    assert.deepEqual(env, { HOLDPOINT_TEST_POSTGRES: URL });
    assert.equal(said, 'PostgreSQL, started for this run');
  });

  it('are embedded where none can be, which is said with the reason', async () => {
    const { env, said } = await startStores({}, missing);
    assert.deepEqual(env, { HOLDPOINT_TEST_POSTGRES: '' });
    assert.equal(said, 'embedded: No PostgreSQL is installed.');
  });

  it('are on the server of DATABASE_URL, and none is started', async () => {
    const { env, said } = await startStores({ DATABASE_URL: URL }, missing);
    assert.deepEqual([env, said], [{}, 'PostgreSQL, of DATABASE_URL']);
  });

  it('are embedded where that is asked for, whatever is there', async () => {
    const wanted = { HOLDPOINT_TEST_STORE: 'embedded', DATABASE_URL: URL };
    const { env } = await startStores(wanted, started);
    assert.deepEqual(env, { HOLDPOINT_TEST_POSTGRES: '' });
  });

  it('are refused where PostgreSQL is asked for and missing, or something unknown', async () => {
    const wanted = { HOLDPOINT_TEST_STORE: 'postgres' };
    await assert.rejects(startStores(wanted, missing), /No PostgreSQL is installed/);
    await assert.rejects(startStores({ HOLDPOINT_TEST_STORE: 'pg' }, started), /can be: postgres/);
  });
});
