import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { faultsOf, type Burst } from '../../bench/burst-verdict.js';

const SOUND: Burst = {
  errors: new Map([['429 busy', 12]]),
  opened: 1_000,
  answered: 990,
  stored: { opened: 1_000, answered: 990 },
  givenUp: 0,
  healthMs: 100,
  memoryMib: { first: 300, second: 360 },
};

describe('the verdict on a burst', () => {
  it('finds nothing wrong with 429, and with what was sent away and is not there', () => {
    assert.deepEqual(faultsOf(SOUND), []);
  });

  it('names each other error', () => {
    const errors = new Map([
      ['429 busy', 1],
      ['503 workflow_unavailable', 2],
      ['TypeError', 1],
    ]);
    assert.deepEqual(faultsOf({ ...SOUND, errors }), [
      '2 times 503 workflow_unavailable.',
      '1 times TypeError.',
    ]);
  });

  it('finds what is lost and what is doubled', () => {
    assert.deepEqual(faultsOf({ ...SOUND, stored: { opened: 1_001, answered: 989 } }), [
      '1000 questions were confirmed, and 1001 are there.',
      '990 answers were confirmed, and 989 are there.',
    ]);
  });

  it('finds what an obedient client could not do', () => {
    assert.deepEqual(faultsOf({ ...SOUND, givenUp: 3 }), [
      '3 questions of clients that obey Retry-After were lost.',
    ]);
  });

  it('finds memory that grows', () => {
    assert.deepEqual(faultsOf({ ...SOUND, memoryMib: { first: 300, second: 361 } }), [
      'Memory grew from 300 MiB to 361 MiB.',
    ]);
  });

  it('finds a slow look at the health', () => {
    assert.deepEqual(faultsOf({ ...SOUND, healthMs: 140 }), [
      '/health took 140 ms, where 100 ms are the most.',
    ]);
  });
});
