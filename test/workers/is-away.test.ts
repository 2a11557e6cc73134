import assert from 'node:assert/strict';
import { isAway } from '../../workers/is-away.js';
import { rpcError } from '../api/gateway/support.js';

describe('what concerns all that a look would look at', () => {
  it('is a Temporal that nobody reaches, and a store', () => {
    const lost = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    for (const error of [rpcError('UNAVAILABLE'), rpcError('UNAVAILABLE').cause, lost]) {
      assert.equal(isAway(error), true, String(error));
    }
  });

  it('is not a call that took too long, or that one workflow refused', () => {
    const others = [rpcError('DEADLINE_EXCEEDED'), rpcError('INVALID_ARGUMENT'), new Error('x')];
    for (const error of others) assert.equal(isAway(error), false, String(error));
  });
});
