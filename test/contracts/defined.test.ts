import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defined } from '../../contracts/constants/defined.js';

describe('defined', () => {
  it('leaves out what is undefined, and nothing else', () => {
    const fields = { a: undefined, b: null, c: 0, d: '', e: false, f: [] };
    const kept = defined(fields);
    assert.deepEqual(kept, { b: null, c: 0, d: '', e: false, f: [] });
    assert.equal('a' in kept, false);
  });
});
