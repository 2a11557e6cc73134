import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { after, before, describe, it } from 'mocha';
import { SEARCH_ATTRIBUTES } from '../../contracts/constants/names.js';
import { ensureSearchAttributes } from '../../temporal-config/search-attributes.js';
import { resolveTestServer, type TestServerMakers } from '../support/skipping-server.js';
import { startTimeSkipping } from '../workflows/support/skipping-place.js';
import { TEST_SERVER_SCRIPT, fakeProgram, withTempFolder } from './fakes.js';

const log = (): void => undefined;

function makers(able: { download?: boolean; maven?: boolean }): TestServerMakers {
  const maker = (source: 'download' | 'maven'): ReturnType<TestServerMakers>[number] => ({
    source,
    make: async (folder) => {
      if (able[source] !== true) throw new Error(`no ${source} here`);
      await fakeProgram(folder, 'temporal-test-server', TEST_SERVER_SCRIPT);
    },
  });
  return () => [maker('download'), maker('maven')];
}

describe('the search for the test server', () => {
  it('takes HOLDPOINT_TEST_SERVER_PATH before all else', async () => {
    await withTempFolder(async (folder) => {
      const path = await fakeProgram(folder, 'server', TEST_SERVER_SCRIPT);
      const env = { HOLDPOINT_TEST_SERVER_PATH: path, HOLDPOINT_CACHE_DIR: folder };
      assert.deepEqual(await resolveTestServer({ env, log }, makers({})), {
        executable: { type: 'existing-path', path },
        source: 'HOLDPOINT_TEST_SERVER_PATH',
      });
    });
  });

  it('refuses a HOLDPOINT_TEST_SERVER_PATH that names no program', async () => {
    await withTempFolder(async (folder) => {
      const path = join(folder, 'missing');
      const env = { HOLDPOINT_TEST_SERVER_PATH: path, HOLDPOINT_CACHE_DIR: folder };
      await assert.rejects(resolveTestServer({ env, log }, makers({ maven: true })), {
        code: 'test_server_path_unusable',
        message: `HOLDPOINT_TEST_SERVER_PATH: ${path} is not an executable file.`,
      });
    });
  });

  it('tries the download, then Maven, and keeps the result', async () => {
    await withTempFolder(async (folder) => {
      const env = { HOLDPOINT_CACHE_DIR: folder };
      const found = await resolveTestServer({ env, log }, makers({ maven: true }));
      assert.equal(found.source, 'maven');
      assert.deepEqual(await resolveTestServer({ env, log }, makers({})), found);
    });
  });

  it('names all three ways and why two failed', async () => {
    await withTempFolder(async (folder) => {
      const env = { HOLDPOINT_CACHE_DIR: folder };
      await assert.rejects(resolveTestServer({ env, log }, makers({})), {
        code: 'test_server_not_found',
        message: [
          'There is no Temporal test server for tests that skip time. One of these three is enough:',
          '  1. set HOLDPOINT_TEST_SERVER_PATH to an executable test server;',
          '  2. let temporal.download be reached, from where it is downloaded (no download here);',
          '  3. install Java and Maven, to fetch io.temporal:temporal-test-server (no maven here).',
        ].join('\n'),
      });
    });
  });
});

describe('the test server', () => {
  let env: TestWorkflowEnvironment;

  before(async () => {
    env = await startTimeSkipping();
  });

  after(async () => {
    await env.teardown();
  });

  it('skips an hour', async () => {
    const start = await env.currentTimeMs();
    await env.sleep('1 hour');
    assert.ok((await env.currentTimeMs()) - start >= 3_600_000);
  });

  it('takes search attributes over either connection, repeatedly', async () => {
    await ensureSearchAttributes(env.nativeConnection, 'default', { HoldpointState: 'Keyword' });
    await ensureSearchAttributes(env.connection, 'default', SEARCH_ATTRIBUTES);
    const handle = await env.client.workflow.start('absent', {
      taskQueue: 'nobody',
      workflowId: 'with-attributes',
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the typed form needs keys that are private to workflows
      searchAttributes: { HoldpointState: ['open'] },
    });
    assert.equal(handle.workflowId, 'with-attributes');
  });
});
