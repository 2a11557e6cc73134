import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { before, describe, it } from 'mocha';
import { resolveTemporalCli } from '../../temporal-config/cli.js';
import {
  startDevServer,
  type DevServer,
  type StartDevServer,
} from '../../temporal-config/dev-server.js';
import { freePort } from '../../temporal-config/ports.js';
import { ensureSearchAttributes } from '../../temporal-config/search-attributes.js';
import { askerAttributes, spaceAttribute } from '../../workflows/engine/search-attributes.js';
import { startOnFreePort } from '../support/temporal.js';
import { fakeProgram, withTempFolder } from './fakes.js';

const ASKER = { subject_workflow_id: 'plan-1', asked_by: 'agent-1' };

async function withServer(
  options: Omit<StartDevServer, 'port'>,
  use: (server: DevServer, client: Client, connection: Connection) => Promise<void>,
): Promise<void> {
  const server = await startOnFreePort(options);
  try {
    const connection = await Connection.connect({ address: server.address });
    const client = new Client({ connection, namespace: server.namespace });
    try {
      await use(server, client, connection);
    } finally {
      await connection.close();
    }
  } finally {
    await server.stop();
  }
}

describe('the dev server', () => {
  let cliPath: string;

  before(async function () {
    this.timeout(20 * 60_000);
    cliPath = (await resolveTemporalCli({ log: () => undefined })).path;
  });

  it('keeps its workflows over a kill and a restart', async () => {
    await withTempFolder(async (folder) => {
      const options = { cliPath, dbFile: join(folder, 'temporal.db'), namespace: 'kept' };
      await withServer(options, async (server, client) => {
        await client.workflow.start('absent', { taskQueue: 'nobody', workflowId: 'survivor' });
        process.kill(server.pid, 'SIGKILL');
        assert.equal(await server.ended, 'it was ended by SIGKILL');
      });
      await withServer(options, async (_server, client) => {
        const survivor = await client.workflow.getHandle('survivor').describe();
        assert.equal(survivor.status.name, 'RUNNING');
      });
    });
  });

  it('has its search attributes when it is ready, and ends cleanly when stopped, also twice', async () => {
    await withServer({ cliPath }, async (server, _client, { operatorService }) => {
      const { customAttributes } = await operatorService.listSearchAttributes({
        namespace: server.namespace,
      });
      assert.ok('HoldpointState' in customAttributes);
      await Promise.all([server.stop(), server.stop()]);
      assert.equal(await server.ended, 'it ended with exit code 0');
    });
  });

  it('learns new search attributes on a database of before', async () => {
    await withTempFolder(async (folder) => {
      const options = { cliPath, dbFile: join(folder, 'temporal.db') };
      const searchAttributes = { HoldpointState: 'Keyword' };
      await withServer({ ...options, searchAttributes }, () => Promise.resolve());
      await withServer(options, async (_server, client) => {
        const attributes = [spaceAttribute('default'), ...askerAttributes(ASKER)];
        const how = { taskQueue: 'nobody', workflowId: 'w', typedSearchAttributes: attributes };
        const handle = await client.workflow.start('absent', how);
        const { typedSearchAttributes } = await handle.describe();
        assert.equal(typedSearchAttributes.getAll().length, 3);
      });
    });
  });

  it('takes search attributes from several processes at once', async () => {
    await withServer({ cliPath, searchAttributes: {} }, async (server, _client, connection) => {
      const ensure = () => ensureSearchAttributes(connection, server.namespace);
      await Promise.all([ensure(), ensure(), ensure()]);
      await ensure();
      const { customAttributes } = await connection.operatorService.listSearchAttributes({
        namespace: server.namespace,
      });
      assert.ok('HoldpointState' in customAttributes);
      await assert.rejects(
        ensureSearchAttributes(connection, server.namespace, { HoldpointState: 'Int' }),
        { code: 'search_attributes_refused' },
      );
    });
  });

  it('names the port that is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    assert.ok(typeof address === 'object' && address !== null);
    try {
      await assert.rejects(startDevServer({ cliPath, port: address.port }), {
        code: 'port_in_use',
        message: `Port ${address.port} on 127.0.0.1 is already in use.`,
      });
    } finally {
      taken.close();
    }
  });

  it('reports the last lines of a server that dies', async () => {
    await withTempFolder(async (folder) => {
      const dying = await fakeProgram(folder, 'dying', 'echo "the disk is full" >&2; exit 3');
      const port = await freePort();
      await assert.rejects(startDevServer({ cliPath: dying, port }), {
        code: 'dev_server_failed',
        message: `The Temporal dev server at 127.0.0.1:${port} did not start: it ended with exit code 3\nthe disk is full`,
      });
    });
  });

  it('starts again where one of the ports that the server takes by itself is taken', async () => {
    await withTempFolder(async (folder) => {
      const mark = join(folder, 'started');
      const clashing = await fakeProgram(
        folder,
        'clashing',
        `[ -e ${mark} ] && exec ${cliPath} "$@"; touch ${mark}; echo "bind: address already in use" >&2; exit 1`,
      );
      const server = await startOnFreePort({ cliPath: clashing });
      assert.match(server.address, /^127\.0\.0\.1:\d+$/);
      await server.stop();
    });
  });

  it('gives up where its ports are taken each time', async () => {
    await withTempFolder(async (folder) => {
      const marks = join(folder, 'starts');
      const clashing = await fakeProgram(
        folder,
        'clashing',
        `echo x >> ${marks}; echo "bind: address already in use" >&2; exit 1`,
      );
      await assert.rejects(startDevServer({ cliPath: clashing, port: await freePort() }), {
        code: 'dev_server_failed',
      });
      assert.equal((await readFile(marks, 'utf8')).split('x').length - 1, 3);
    });
  });

  it('kills a server that is never ready and ignores SIGTERM', async () => {
    await withTempFolder(async (folder) => {
      const mute = await fakeProgram(
        folder,
        'mute',
        `trap "" TERM; echo $$ > ${join(folder, 'pid')}; while :; do sleep 1; done`,
      );
      const options = { cliPath: mute, port: await freePort(), readyMs: 3_000, stopMs: 100 };
      await assert.rejects(startDevServer(options), /was not ready after 3 s/);
      const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
      assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    });
  });

  it('reports a program that is not there', async () => {
    const options = { cliPath: '/nonexistent/temporal', port: await freePort() };
    await assert.rejects(startDevServer(options), /could not be run: .*ENOENT/);
  });
});
