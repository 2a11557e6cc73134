import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { openApproval } from '../../../../api/usecases/approval/open.js';
import type { CreationOf } from '../../../../api/parts/calls/once.js';
import type { ApprovalView } from '../../../../contracts/approval/approval.js';
import { standingUpdate } from '../../../../workflows/approval/messages.js';
import { approvalWith, proposalWith, resolutionOf } from '../../../domain/approval/samples.js';
import { caller } from '../../../support/callers.js';
import { SUSPENSION_ID } from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

const PROPOSAL = proposalWith();
const ASKED = { ...approvalWith(PROPOSAL), suspension_id: SUSPENSION_ID };
const DECIDED = approvalWith(PROPOSAL, resolutionOf(PROPOSAL));
const REQUEST = {
  run_id: 'run-7',
  kind: 'tool_approval',
  calls: PROPOSAL.calls,
  on_behalf_of: 'bot',
  request_key: 'order-1',
} as never;

/** Opens again what its key has opened before. */
async function reopened(found: ApprovalView) {
  let hash: string | undefined;
  const kept = () => ({ ...found, redemption: { request_hash: hash } });
  const { parts, calls } = fakeParts({
    answers: {
      approval: kept,
      [standingUpdate.name]: () => ({ approval: kept(), moved: false }),
    },
  });
  const creationOf: CreationOf = (...given) => {
    const creation = parts.creationOf(...given);
    hash = creation.creation_hash;
    return creation;
  };
  const call = { caller: caller('bot'), parts: { ...parts, creationOf } };
  const { status } = await openApproval.run(call, REQUEST);
  return { status, sent: calls.map(({ name }) => name).filter((name) => name !== 'approval') };
}

describe('an approval that its key has opened before', () => {
  it('is returned once its question can be answered', async () => {
    assert.deepEqual(await reopened(ASKED), { status: 'pending', sent: [standingUpdate.name] });
  });

  it('is returned at once after its end', async () => {
    assert.deepEqual(await reopened(DECIDED), { status: 'approved', sent: [] });
  });
});

describe('an approval that nobody has opened before', () => {
  it('is started and asked in one call', async () => {
    const { parts, calls } = fakeParts({
      temporal: { start: () => undefined },
      answers: { [standingUpdate.name]: () => ({ approval: ASKED, moved: false }) },
    });
    const { request_key: _key, ...request } = REQUEST as { request_key: string };
    const call = { caller: caller('bot'), parts };
    assert.deepEqual(await openApproval.run(call, request as never), ASKED);
    assert.deepEqual(
      calls.map(({ name, args }) => (name === standingUpdate.name ? args : name)),
      ['approval', [{}]],
    );
  });
});
