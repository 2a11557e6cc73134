import assert from 'node:assert/strict';
import type { PGlite } from '@electric-sql/pglite';
import { keepRequestsWhole } from '../../store/embedded-server.js';

const message = (letter: string): Uint8Array => Buffer.from(`${letter}....`);

describe('undivided requests', () => {
  it('count as a transaction until their Sync', async () => {
    const real = { isInTransaction: () => false, execProtocolRawStream: () => Promise.resolve() };
    const db = keepRequestsWhole(real as unknown as PGlite, () => undefined);
    const seen: [string, boolean][] = [];
    for (const letter of ['\0', 'P', 'B', 'D', 'E', 'S', 'Q', 'C']) {
      await db.execProtocolRawStream(message(letter), { onRawData: () => undefined });
      seen.push([letter, db.isInTransaction()]);
    }
    assert.deepEqual(
      seen.filter(([, open]) => open).map(([letter]) => letter),
      ['P', 'B', 'D', 'E', 'C'],
    );
  });

  it('tell when the database itself fails', async () => {
    const failure = new Error('memory access out of bounds');
    const real = { execProtocolRawStream: () => Promise.reject(failure) };
    const reported: unknown[] = [];
    const db = keepRequestsWhole(real as unknown as PGlite, (error) => reported.push(error));
    const run = db.execProtocolRawStream(message('Q'), { onRawData: () => undefined });
    await assert.rejects(run, failure);
    assert.deepEqual(reported, [failure]);
  });
});
