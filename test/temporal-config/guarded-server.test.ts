import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { after, before, describe, it } from 'mocha';
import { SEARCH_ATTRIBUTES } from '../../contracts/constants/names.js';
import { connectionOptions } from '../../temporal-config/connection.js';
import { followCredentials } from '../../temporal-config/credentials.js';
import type { DevServer } from '../../temporal-config/dev-server.js';
import { readySearchAttributes } from '../../workers/create-workers.js';
import { lookUntil } from '../support/looks.js';
import { run, startOnFreePort } from '../support/temporal.js';
import { goOn, healthy } from '../workers/poisoned-workflows.js';
import { GuardedServer, makeCertificate, type Certificate } from './guarded-server.js';

const TASK_QUEUE = 'guarded';
const WORKFLOWS = path.resolve(import.meta.dirname, '../workers/poisoned-workflows.ts');

describe('a Temporal that asks for a certificate and a key', function () {
  let folder: string;
  let server: DevServer;
  let guarded: GuardedServer;
  let [own, old, fresh]: Certificate[] = [];
  let env: NodeJS.ProcessEnv;

  before(async function () {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-guarded-'));
    [own, old, fresh] = await Promise.all(
      ['server', 'old', 'fresh'].map((name) => makeCertificate(folder, name)),
    );
    const { HoldpointExpiresAt: _left, ...searchAttributes } = SEARCH_ATTRIBUTES;
    server = await startOnFreePort({ searchAttributes });
    assert.ok(own && old);
    guarded = await GuardedServer.start(own, server.address, { clients: [old], apiKeys: ['old'] });
    env = {
      TEMPORAL_CONFIG_FILE: '',
      TEMPORAL_ADDRESS: guarded.address,
      HOLDPOINT_TEMPORAL_API_KEY_FILE: path.join(folder, 'now/api-key'),
      TEMPORAL_TLS_CLIENT_CERT_PATH: path.join(folder, 'now/client.pem'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: path.join(folder, 'now/client.key'),
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: own.certificate,
    };
    await give(old, 'old');
  });
  after(async () => {
    await guarded.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Puts these credentials in place of the present ones, all at once, as Kubernetes does. */
  async function give({ certificate, key }: Certificate, apiKey: string): Promise<void> {
    const given = await mkdtemp(path.join(folder, 'given-'));
    await copyFile(certificate, path.join(given, 'client.pem'));
    await copyFile(key, path.join(given, 'client.key'));
    await writeFile(path.join(given, 'api-key'), `${apiKey}\n`);
    const next = path.join(folder, 'next');
    await symlink(given, next);
    await rename(next, path.join(folder, 'now'));
  }

  it('tells workers and clients which search attributes are missing, which they may not list', async () => {
    const { connection: options } = connectionOptions(env);
    for (const connect of [NativeConnection, Connection]) {
      const connection = await connect.connect(options);
      const warnings: string[] = [];
      const log = { warn: (_fields: object, message: string) => void warnings.push(message) };
      const found = await readySearchAttributes(connection, server.namespace, log);
      assert.deepEqual(found, { missing: ['HoldpointExpiresAt'], unchecked: [] });
      assert.deepEqual(warnings, [
        'search attributes are missing: HoldpointExpiresAt (Datetime); the server does not let this worker add them',
      ]);
      await connection.close();
    }
  });

  it('is served by a worker and a client whose key and certificate change while it polls', async () => {
    assert.ok(old && fresh);
    const { connection: first } = connectionOptions(env);
    let changes = 0;
    const end = new AbortController();
    const shared = {
      first,
      read: () => connectionOptions(env).connection,
      log: {
        info: () => void (changes += 1),
        error: () => undefined,
      },
      signal: end.signal,
      everyMs: 50,
    };
    const native = await NativeConnection.connect(first);
    const worker = await Worker.create({
      connection: native,
      taskQueue: TASK_QUEUE,
      workflowsPath: WORKFLOWS,
    });
    const workers = followCredentials({
      ...shared,
      connection: native,
      open: (options) => NativeConnection.connect(options),
      use: (next) => (worker.connection = next),
    });
    const connection = followCredentials({
      ...shared,
      connection: await Connection.connect(first),
      open: (options) => Connection.connect(options),
    });
    const running = run(worker);
    const { workflow } = new Client({ connection });
    const started = await workflow.start(healthy, { taskQueue: TASK_QUEUE, workflowId: 'before' });
    await guarded.admit({ clients: [old, fresh], apiKeys: ['old', 'fresh'] });
    await give(fresh, 'fresh');
    await lookUntil(async () => changes === 2, 'the credentials are not read again');
    await guarded.admit({ clients: [fresh], apiKeys: ['fresh'] });
    const refused = { ...connectionOptions(env).connection, apiKey: 'old' };
    const before = guarded.refused;
    await assert.rejects(Connection.connect(refused), /Failed to connect to Temporal server/);
    assert.ok(guarded.refused > before);
    const unknown = { ...first, apiKey: 'fresh', connectTimeout: 1_000 };
    await assert.rejects(Connection.connect(unknown), /Failed to connect before the deadline/);
    await started.signal(goOn);
    assert.equal(await started.result(), 'answered');

    // The other way round: nobody is let in until the files have what is.
    const other = await workflow.start(healthy, { taskQueue: TASK_QUEUE, workflowId: 'between' });
    await guarded.admit({ clients: [old], apiKeys: ['old'] });
    await give(old, 'old');
    await lookUntil(async () => changes === 4, 'the credentials are not read once more');
    await other.signal(goOn);
    assert.equal(await other.result(), 'answered');
    end.abort();
    await running.stop();
    await Promise.all([connection.close(), workers.close()]);
  });
});
