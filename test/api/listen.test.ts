import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { hostOf, listenOnConfiguredPort } from '../../api/server.js';
import { PortTakenError } from '../../runtime/program.js';
import { createRig } from './support/harness.js';

const LOOPBACK = '127.0.0.1';

describe('where the API listens', () => {
  it('is loopback unless HOST says otherwise', () => {
    assert.equal(hostOf({}, false), LOOPBACK);
    assert.equal(hostOf({ HOST: '0.0.0.0' }, false), '0.0.0.0');
  });

  it('is loopback with development keys, whatever HOST says', () => {
    assert.equal(hostOf({ HOST: '0.0.0.0' }, true), LOOPBACK);
  });

  it('is a free port if the usual one is taken', async () => {
    const first = await listenOnConfiguredPort(createRig().app, LOOPBACK, {});
    const second = await listenOnConfiguredPort(createRig().app, LOOPBACK, {});
    assert.notEqual(first.address.port, second.address.port);
    await Promise.all([first.close(), second.close()]);
  });

  it('is no other port than PORT', async () => {
    const other = createServer().listen(0, LOOPBACK);
    await once(other, 'listening');
    const PORT = String((other.address() as AddressInfo).port);
    await assert.rejects(
      listenOnConfiguredPort(createRig().app, LOOPBACK, { PORT }),
      PortTakenError,
    );
    other.close();
  });

  for (const PORT of ['http', '65536', '-1', '4000.5', ' ']) {
    it(`is refused where PORT is "${PORT}"`, async () => {
      const listen = listenOnConfiguredPort(createRig().app, LOOPBACK, { PORT });
      await assert.rejects(listen, { name: 'StartupError', message: /^PORT is ".*": it must be/ });
    });
  }
});
