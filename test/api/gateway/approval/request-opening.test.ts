import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createApprovalOpening } from '../../../../api/gateway/approval/request-opening.js';
import { createCreationOf } from '../../../../api/gateway/calls/once.js';
import type { CreationOf } from '../../../../api/gateway/calls/once.js';
import type { ApprovalView } from '../../../../contracts/approval.js';
import { openedUpdate } from '../../../../workflows/approval/messages.js';
import { approvalWith, proposalWith, resolutionOf } from '../../../domain/approval/samples.js';
import { caller } from '../../../support/callers.js';
import { SUSPENSION_ID } from '../support.js';

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
  const sent: string[] = [];
  const creationOf = createCreationOf(['secret']);
  const bot = caller('bot');
  const hashes: (string | undefined)[] = [];
  const kept = (view: ApprovalView) =>
    ({ ...view, redemption: { request_hash: hashes[0] } }) as ApprovalView;
  const noted: CreationOf = (...given) => {
    const creation = creationOf(...given);
    hashes.push(creation.creation_hash);
    return creation;
  };
  const opening = createApprovalOpening({
    creationOf: noted,
    readApproval: () => Promise.resolve({ value: kept(found), stale: false }),
    temporal: {
      update: (_id: string, { name }: { readonly name: string }) => {
        sent.push(name);
        return Promise.resolve({ kind: 'done', value: kept(found) });
      },
    },
  } as never);
  const { status } = await opening.openApproval(bot, REQUEST);
  return { status, sent };
}

describe('an approval that its key has opened before', () => {
  it('is returned once its question can be answered', async () => {
    assert.deepEqual(await reopened(ASKED), { status: 'pending', sent: [openedUpdate.name] });
  });

  it('is returned at once after its end', async () => {
    assert.deepEqual(await reopened(DECIDED), { status: 'approved', sent: [] });
  });
});
