import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lockFolder } from '../../runtime/folder-lock.js';
import { freePorts, usualPorts } from '../../service/ports.js';
import { freePort } from '../../temporal-config/ports.js';

async function listening(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('the ports of a service', () => {
  let root: string;
  let folder: Parameters<typeof usualPorts>[0];
  const choose = (env: NodeJS.ProcessEnv = {}) => usualPorts(folder, env);

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holdpoint-ports-'));
    const [portsFile, temporalFolder] = ['ports.json', 'temporal'].map((name) =>
      path.join(root, name),
    );
    folder = { portsFile: portsFile ?? '', temporalFolder: temporalFolder ?? '' };
  });
  afterEach(() => rm(root, { recursive: true }));

  for (const [name, which] of [
    ['PORT', 'api'],
    ['HOLDPOINT_TEMPORAL_PORT', 'temporal'],
  ] as const) {
    it(`takes ${name} as it is, and keeps it for the next start`, async () => {
      const port = await freePort();
      assert.equal((await choose({ [name]: String(port) }))[which], port);
      assert.equal((await choose())[which], port);
    });

    it(`refuses a ${name} that is taken`, async () => {
      const server = await listening(0);
      const { port } = server.address() as AddressInfo;
      const message = `Port ${port} on 127.0.0.1 is already in use: stop what uses it, or set another ${name}.`;
      await assert.rejects(choose({ [name]: String(port) }), { message });
      server.close();
    });

    for (const text of ['http', '0', '65536', '-1', '4000.5', ' 4000']) {
      it(`refuses ${JSON.stringify(text)} as ${name}`, async () => {
        const says = new RegExp(`^StartupError: ${name} is .*1 to 65535`);
        await assert.rejects(choose({ [name]: text }), says);
      });
    }
  }

  it('keeps Temporal where it was, and says so where that is taken', async () => {
    const first = await freePorts();
    const kept = `{"temporal":${first.temporal}}`;
    await writeFile(folder.portsFile, kept);
    assert.equal((await choose()).temporal, first.temporal);
    await writeFile(folder.portsFile, kept);
    const taken = await listening(first.temporal);
    await assert.rejects(choose(), (error: Error) => {
      assert.match(error.message, new RegExp(`^Port ${first.temporal} .* HOLDPOINT_TEMPORAL_PORT`));
      return true;
    });
    assert.equal(await readFile(folder.portsFile, 'utf8'), kept);
    taken.close();
  });

  it('waits for the server of a service that was killed', async () => {
    const { temporal } = await freePorts();
    await writeFile(folder.portsFile, `{"temporal":${temporal}}`);
    const taken = await listening(temporal);
    const lock = await lockFolder(folder.temporalFolder);
    const chosen = choose();
    taken.close();
    await once(taken, 'close');
    await lock.release();
    assert.equal((await chosen).temporal, temporal);
  });

  it('takes another port for the API where that is taken', async () => {
    const { api } = await freePorts();
    await writeFile(folder.portsFile, `{"api":${api}}`);
    assert.equal((await choose()).api, api);
    const taken = await listening(api);
    assert.notEqual((await choose()).api, api);
    taken.close();
  });

  it('chooses again where the kept ones are none', async () => {
    for (const kept of [
      '',
      '7233x',
      '{"temporal":80}',
      '{"temporal":70000}',
      'null',
      '{"api":"x"}',
    ]) {
      await writeFile(folder.portsFile, kept);
      const { api, temporal } = await choose();
      assert.ok(api > 1_023 && temporal > 1_023, kept);
    }
  });

  it('asks nothing of the kept port of Temporal where another server is configured', async () => {
    const taken = await listening(0);
    const { port } = taken.address() as AddressInfo;
    await writeFile(folder.portsFile, `{"temporal":${port}}`);
    await choose({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
    assert.equal(JSON.parse(await readFile(folder.portsFile, 'utf8')).temporal, port);
    taken.close();
  });

  it('has metrics, unless the environment says where they are', async () => {
    const { apiMetrics, workerMetrics } = await choose();
    assert.ok(apiMetrics !== undefined && workerMetrics !== undefined);
    const set = await choose({ HOLDPOINT_API_METRICS: 'off', HOLDPOINT_WORKER_METRICS: '1' });
    assert.deepEqual([set.apiMetrics, set.workerMetrics], [undefined, undefined]);
  });

  it('gives every process its own free port', async () => {
    const ports = Object.values(await freePorts());
    assert.equal(new Set(ports).size, 4);
  });
});
