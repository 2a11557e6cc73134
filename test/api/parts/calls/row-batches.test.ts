import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { inBatches } from '../../../../api/parts/calls/row-writes.js';
import type { JournalRow } from '../../../../contracts/log/journal.js';

const row = (name: string) => ({ kind: name }) as unknown as JournalRow;

interface Batch {
  readonly names: readonly string[];
  readonly end: (error?: Error) => void;
}

const namesOf = (batches: readonly Batch[]) => batches.map(({ names }) => names);

describe('rows for a store that is far away', () => {
  let batches: Batch[];
  let write: ReturnType<typeof inBatches>;
  beforeEach(() => {
    batches = [];
    write = inBatches(
      (rows) =>
        new Promise((resolve, reject) => {
          const end = (error?: Error) => (error ? reject(error) : resolve());
          batches.push({ names: rows.map(({ kind }) => kind), end });
        }),
    );
  });

  it('are written at once while few are under way, and then together', async () => {
    const writes = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => write([row(name)]));
    assert.deepEqual(namesOf(batches), [['a'], ['b'], ['c'], ['d']]);
    batches[1]?.end();
    await writes[1];
    assert.deepEqual(namesOf(batches).at(-1), ['e', 'f']);
    for (const { end } of batches) end();
    await Promise.all(writes);
    assert.equal(batches.length, 5);
  });

  it('are not written where their batch fails, and only there', async () => {
    const writes = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => write([row(name)]));
    batches[0]?.end();
    await writes[0];
    batches[4]?.end(new Error('away'));
    for (const { end } of batches) end();
    const results = await Promise.allSettled(writes);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    );
  });

  it('are at most two hundred in a batch of several calls', async () => {
    const many = (name: string) => Array.from({ length: 120 }, () => row(name));
    const first = ['1', '2', '3', '4'].map((name) => write([row(name)]));
    const later = [many('a'), many('b'), [...many('c'), ...many('c')]].map(write);
    const sizes: number[] = [];
    for (let nth = 0; nth < 7; nth += 1) {
      batches[nth]?.end();
      await Promise.allSettled(first.slice(0, nth + 1));
      sizes.push(batches[nth]?.names.length ?? 0);
    }
    await Promise.all([...first, ...later]);
    assert.deepEqual(sizes, [1, 1, 1, 1, 120, 120, 240]);
  });
});
