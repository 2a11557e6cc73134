import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RecentWrites } from '../../contracts/constants/headers.js';

describe('what a client remembers of its writes', () => {
  it('is sent for a minute, the last one first', () => {
    const writes = new RecentWrites();
    assert.equal(writes.toSend(0), undefined);
    writes.note('first', 0);
    writes.note(null, 1);
    writes.note('second', 30_000);
    assert.equal(writes.toSend(59_999), 'second,first');
    assert.equal(writes.toSend(60_000), 'second');
    assert.equal(writes.toSend(90_000), undefined);
  });

  it('is sent as far as a header has room', () => {
    const writes = new RecentWrites();
    for (let nth = 0; nth < 100; nth += 1) writes.note(`${nth}`.padStart(99, 'x'), 0);
    const sent = writes.toSend(0)?.split(',') ?? [];
    assert.deepEqual([sent.length, sent[0]?.slice(-2), sent.at(-1)?.slice(-2)], [40, '99', '60']);
  });
});
