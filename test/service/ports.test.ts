import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { freePorts, usualPorts } from '../../service/ports.js';
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

  it('gives every process its own free port', async () => {
    const ports = Object.values(await freePorts());
    assert.equal(new Set(ports).size, 4);
  });
});
