import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { describe, it } from 'mocha';
import { delayedPort } from '../support/delayed-port.js';
import { lookUntil } from '../support/looks.js';

describe('a port behind which a server is far away', () => {
  it('holds up what both sides send, keeps its order, and passes on that they end', async () => {
    const echo = createServer((socket) => socket.pipe(socket));
    await once(echo.listen(0, '127.0.0.1'), 'listening');
    const held: (() => void)[] = [];
    const delays = new Set<number>();
    const { port, close } = await delayedPort(
      (echo.address() as AddressInfo).port,
      20,
      (ms, work) => {
        delays.add(ms);
        held.push(work);
      },
    );
    const client = connect(port, '127.0.0.1');
    let heard = '';
    client.setEncoding('utf8').on('data', (text: string) => (heard += text));
    client.write('one ');
    await lookUntil(async () => held.length === 1, 'nothing is sent');
    client.end('two');
    await lookUntil(async () => held.length === 3, 'the rest is not sent');
    assert.equal(heard, '');

    const ended = new AbortController();
    client.once('end', () => ended.abort());
    await lookUntil(async () => {
      held.shift()?.();
      return ended.signal.aborted;
    }, 'the end does not arrive');
    assert.equal(heard, 'one two');
    assert.deepEqual([...delays], [20]);
    await close();
    echo.close();
  });
});
