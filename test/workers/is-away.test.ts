import assert from 'node:assert/strict';
import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { NoAnswer, isAway } from '../../workers/calls.js';
import { rpcError } from '../api/support/fakes.js';

describe('what concerns all that a look would look at', () => {
  it('is a Temporal that nobody reaches, that is busy or does not reply, and a store', () => {
    const lost = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const busy = [rpcError('RESOURCE_EXHAUSTED'), rpcError('DEADLINE_EXCEEDED')];
    for (const error of [rpcError('UNAVAILABLE'), rpcError('UNAVAILABLE').cause, ...busy, lost]) {
      assert.equal(isAway(error), true, String(error));
    }
  });

  it('is not a workflow for which no worker answers, or that refused', () => {
    const late = new WorkflowUpdateRPCTimeoutOrCancelledError('late', {
      cause: rpcError('DEADLINE_EXCEEDED').cause as Error,
    });
    const others = [new NoAnswer('late'), late, rpcError('INVALID_ARGUMENT'), new Error('x')];
    for (const error of others) assert.equal(isAway(error), false, String(error));
  });
});
