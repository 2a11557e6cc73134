import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'mocha';
import { freePort, isPortFree } from '../../temporal-config/ports.js';

describe('free ports', () => {
  it('can be bound and are never given twice', async () => {
    const ports = await Promise.all(Array.from({ length: 30 }, () => freePort()));
    assert.equal(new Set(ports).size, ports.length);
    assert.equal(await isPortFree(ports[0] ?? 0), true);
  });

  it('are distinguished from ports in use', async () => {
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    assert.equal(await isPortFree(port), false);
    await new Promise((resolve) => server.close(resolve));
    assert.equal(await isPortFree(port), true);
  });
});
