import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts, keepTemporalPort, usualPorts } from '../../service/ports.js';
import { freePort } from '../../temporal-config/ports.js';

describe('the ports of a service', () => {
  it('takes PORT as it is', async () => {
    const port = await freePort();
    assert.equal((await usualPorts({ PORT: String(port) })).api, port);
  });

  it('refuses a PORT that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await assert.rejects(usualPorts({ PORT: String(port) }), {
      name: 'StartupError',
      message: `Port ${port} on 127.0.0.1 is already in use: stop what uses it, or set another PORT.`,
    });
    server.close();
  });

  for (const text of ['http', '0', '65536', '-1', '4000.5', ' 4000']) {
    it(`refuses ${JSON.stringify(text)} as PORT`, async () => {
      await assert.rejects(usualPorts({ PORT: text }), /^StartupError: PORT is .*1 to 65535/);
    });
  }

  it('keeps Temporal where it was, as long as that is free', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-ports-'));
    const file = path.join(folder, 'temporal-port');
    const taken = createServer();
    try {
      const first = await freePorts();
      await keepTemporalPort(file, first);
      assert.equal((await usualPorts({}, file)).temporal, first.temporal);
      taken.listen(first.temporal, '127.0.0.1');
      await once(taken, 'listening');
      const other = await usualPorts({}, file);
      assert.notEqual(other.temporal, first.temporal);
      await keepTemporalPort(file, other);
      assert.equal((await usualPorts({}, file)).temporal, other.temporal);
      for (const text of ['', '7233x', '80\n', '70000\n', '-1\n']) {
        await writeFile(file, text);
        assert.ok((await usualPorts({}, file)).temporal > 1_023, text);
      }
    } finally {
      taken.close();
      await rm(folder, { recursive: true });
    }
  });

  it('gives every process its own free port', async () => {
    const ports = Object.values(await freePorts());
    assert.equal(new Set(ports).size, 4);
  });
});
