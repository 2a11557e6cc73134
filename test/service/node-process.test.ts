import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { spawn } from 'node:child_process';

import { launchNode, type LaunchedProcess } from '../../service/node-process.js';
import { scriptOf } from '../support/scripts.js';

function launch(script: string, args: string[] = [], lines: string[] = []): LaunchedProcess {
  return launchNode({
    script: new URL(`./children/${script}`, import.meta.url),
    args,
    env: { PATH: process.env['PATH'] },
    onLine: (line, stream) => lines.push(`${stream}: ${line}`),
  });
}

describe('a launched process', () => {
  it('says when it is ready and how it ended', async () => {
    const lines: string[] = [];
    const child = launch('waits.mjs', [], lines);
    await child.ready;
    child.signal('SIGTERM');
    const end = await child.ended;
    assert.deepEqual(end, { how: 'exit code 0', lastLines: 'one complaint' });
    assert.deepEqual(lines.toSorted(), ['stderr: one complaint', 'stdout: one line']);
  });

  it('names the signal that ended it', async () => {
    const child = launch('waits.mjs', ['stubborn']);
    await child.ready;
    child.signal('SIGTERM');
    child.signalAll('SIGKILL');
    assert.equal((await child.ended).how, 'SIGKILL');
  });

  it('gives its last lines when it fails', async () => {
    const end = await launch('fails.mjs').ended;
    assert.deepEqual(end, { how: 'exit code 3', lastLines: 'the reason why' });
  });

  it('takes what it started with it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const child = launch('has-a-child.mjs', [String((server.address() as AddressInfo).port)]);
    const [socket] = (await once(server, 'connection')) as [Socket];
    const closed = once(socket.on('error', () => undefined).resume(), 'close');
    child.signal('SIGKILL');
    await child.ended;
    await closed;
    server.close();
    assert.equal(socket.destroyed, true);
  });

  it('ends when its supervisor is killed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const script = scriptOf('test/service/children/supervises.ts');
    const port = String((server.address() as AddressInfo).port);
    const supervisor = spawn(process.execPath, [script, port], {
      stdio: 'ignore',
    });
    const [socket] = (await once(server, 'connection')) as [Socket];
    const closed = once(socket.on('error', () => undefined).resume(), 'close');
    supervisor.kill('SIGKILL');
    await once(supervisor, 'exit');
    await closed;
    server.close();
    assert.equal(socket.destroyed, true);
  });
});
