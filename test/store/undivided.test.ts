import assert from 'node:assert/strict';
import type { PGlite } from '@electric-sql/pglite';
import { keepRequestsWhole } from '../../store/embedded-server.js';

const message = (letter: string): Uint8Array => Buffer.from(`${letter}....`);

describe('undivided requests', () => {
  it('count as a transaction until their Sync', async () => {
    const real = { isInTransaction: () => false, execProtocolRawStream: () => Promise.resolve() };
    const db = keepRequestsWhole(real as unknown as PGlite, () => undefined);
    const seen: [string, boolean][] = [];
    for (const letter of ['\0', 'H', 'P', 'B', 'D', 'H', 'E', 'S', 'Q', 'C']) {
      await db.execProtocolRawStream(message(letter), { onRawData: () => undefined });
      seen.push([letter, db.isInTransaction()]);
    }
    assert.deepEqual(
      seen.filter(([, open]) => open).map(([letter]) => letter),
      ['P', 'B', 'D', 'H', 'E', 'C'],
    );
  });

  it('reach the database in one piece', async () => {
    const pieces: string[] = [];
    const execProtocolRawStream = (piece: Uint8Array): Promise<void> => {
      pieces.push(Buffer.from(piece).toString().replaceAll('.', ''));
      return Promise.resolve();
    };
    const real = { isInTransaction: () => false, execProtocolRawStream };
    const db = keepRequestsWhole(real as unknown as PGlite, () => undefined);
    for (const letter of ['Q', 'P', 'B', 'H', 'E', 'P', 'E', 'S', 'Q']) {
      await db.execProtocolRawStream(message(letter), { onRawData: () => undefined });
    }
    assert.deepEqual(pieces, ['Q', 'PBH', 'EPES', 'Q']);
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
