import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'mocha';
import { findIntent } from '../../store/queries/intent.js';
import { inSpace } from '../../store/in-space.js';
import { Delays } from '../support/delays.js';
import { withStore } from '../support/store.js';

/** Delays that take no time, and what they would have taken (ms). */
function noted(seed: string | undefined) {
  const waits: number[] = [];
  const delays = new Delays(seed, async (ms) => {
    waits.push(ms);
  });
  return { waits, delays };
}

describe('the delays of a run of tests', () => {
  const answers = {
    yes: async (what: string) => `yes to ${what}`,
    no: () => Promise.reject(new Error('no')),
  };

  async function hundredCalls(seed: string): Promise<readonly number[]> {
    const { waits, delays } = noted(seed);
    const slow = delays.calls(answers);
    for (let call = 0; call < 100; call += 1) assert.equal(await slow.yes('it'), 'yes to it');
    await assert.rejects(slow.no(), /^Error: no$/);
    return waits;
  }

  it('are none without a seed', () => {
    const { delays } = noted(undefined);
    const listener = () => undefined;
    assert.equal(delays.calls(answers), answers);
    assert.equal(delays.server(listener), listener);
    const store = { db: undefined as never };
    assert.equal(delays.store(store), store);
  });

  it('hold up calls and their answers, now and then for long, by a seed that tells all of them', async () => {
    const waits = await hundredCalls('7');
    assert.ok(waits.length > 60 && waits.length < 140, String(waits.length));
    assert.ok(waits.every((ms) => ms === 500 || ms < 80));
    assert.ok(waits.includes(500));
    assert.deepEqual(await hundredCalls('7'), waits);
    assert.notDeepEqual(await hundredCalls('8'), waits);
  });

  it('hold up what the store answers, in a space too', async () => {
    const store = await withStore();
    const { waits, delays } = noted('7');
    const { db: slow } = delays.store(store);
    for (const db of [slow, inSpace(slow, 'default')]) {
      const before = waits.length;
      for (let read = 0; read < 20; read += 1)
        assert.equal(await findIntent(db, 'b6f0c9d1-7c58-4a57-9d0c-1f5f7a2b3c4d'), undefined);
      assert.ok(waits.length > before);
    }
    await store.close();
  });

  it('hold up requests of browsers alone, and lose none', async () => {
    const { waits, delays } = noted('7');
    const server = createServer(delays.server((_req, res) => void res.end('here')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ask = async (agent: string): Promise<void> => {
      const headers = { 'User-Agent': agent };
      const reply = await fetch(`http://127.0.0.1:${port}`, { headers });
      assert.equal(await reply.text(), 'here');
    };
    for (let nth = 0; nth < 40; nth += 1) await ask('curl/8');
    assert.deepEqual(waits, []);
    for (let nth = 0; nth < 40; nth += 1) await ask('Mozilla/5.0');
    assert.ok(waits.length > 2 && waits.every((ms) => ms === 1_500), waits.join());
    server.closeAllConnections();
    server.close();
  });
});
