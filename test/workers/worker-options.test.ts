import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { connectPatiently, workflowBundle } from '../../workers/worker-options.js';

describe('a worker that starts', () => {
  it('says in one line that its bundle is missing', async () => {
    await assert.rejects(workflowBundle({ HOLDPOINT_WORKFLOW_BUNDLE: '/none.js' }), {
      name: 'StartupError',
      message: 'HOLDPOINT_WORKFLOW_BUNDLE /none.js: there is no such file.',
    });
  });

  it('says once, and why, that Temporal is away', async () => {
    const stop = new AbortController();
    const said: string[] = [];
    const log = (line: string): void => {
      said.push(line);
      // Tries on after this, and must not say it again.
      setImmediate(() => stop.abort());
    };
    const found = await connectPatiently({ address: '127.0.0.1:1' }, log, stop.signal);
    assert.equal(found, undefined);
    assert.deepEqual(said, [
      'Temporal at 127.0.0.1:1 is away, trying again until it is back: Connection refused',
    ]);
  });

  it('stops at once while a server does not answer', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const stop = new AbortController();
    const log = (line: string): void => assert.equal(line, 'nothing');
    const connecting = connectPatiently({ address }, log, stop.signal);
    const [socket] = (await once(silent, 'connection')) as [Socket];
    stop.abort();
    assert.equal(await connecting, undefined);
    socket.destroy();
    silent.close();
  });
});
