import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inRequest, underKey } from '../../../../api/parts/calls/request.js';
import { standingOf } from '../../../../api/usecases/approval/standing.js';
import { standingUpdate } from '../../../../workflows/approval/messages.js';
import { approvalWith, proposalWith } from '../../../domain/approval/samples.js';
import { fakeParts } from '../../support/parts.js';

const APPROVAL = approvalWith(proposalWith());

describe('how an approval stands', () => {
  it('is asked anew under an Idempotency-Key, which is for what the request writes', async () => {
    const { parts, calls } = fakeParts({
      answers: { [standingUpdate.name]: () => ({ approval: APPROVAL, moved: false }) },
    });
    await inRequest(new AbortController().signal, async () => {
      underKey({ key: 'k-1', write: ['bot', 'cancelSuspension'], body: {} });
      for (const until of [{}, { past: 'q' }]) {
        assert.deepEqual(await standingOf(parts, APPROVAL.approval_id, until), APPROVAL);
      }
    });
    assert.deepEqual(
      calls.map(({ args }) => args[0]),
      [{}, { past: 'q' }],
    );
    assert.equal(new Set(calls.map(({ updateId }) => updateId)).size, 2);
  });
});
