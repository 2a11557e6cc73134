import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LOCKS } from '../../store/advisory-locks.js';

describe('the advisory locks', () => {
  it('have numbers of their own, so that none waits for another', () => {
    assert.equal(new Set(Object.values(LOCKS)).size, Object.keys(LOCKS).length);
  });
});
