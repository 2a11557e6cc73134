import assert from 'node:assert/strict';
import { settledBefore } from '../../../domain/log/checkpoint.js';

describe('what retention removes', () => {
  it('ended so many whole days before now', () => {
    const now = new Date('2026-03-24T10:00:00.123Z');
    assert.equal(settledBefore(now, 1).toISOString(), '2026-03-23T10:00:00.123Z');
    assert.equal(settledBefore(now, 30).toISOString(), '2026-02-22T10:00:00.123Z');
    assert.equal(settledBefore(now, 0).toISOString(), now.toISOString());
  });
});
