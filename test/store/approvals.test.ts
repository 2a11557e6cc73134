import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ApprovalView } from '../../contracts/approval/approval.js';
import { writeRows } from '../../store/journal-writer.js';
import { approvalsNotShown, type WantedApproval } from '../../store/queries/approval.js';
import { approvalWith, proposalWith, resolutionOf } from '../domain/approval/samples.js';
import { useStore } from '../support/store.js';

describe('the approvals that the store shows', () => {
  const store = useStore();

  const [ANSWERED, NEXT] = [randomUUID(), randomUUID()];
  const proposal = () => proposalWith({ approval_id: randomUUID() });

  async function written(approval: ApprovalView): Promise<string> {
    const { proposal: proposed } = approval;
    await writeRows(store.db, [{ kind: 'approval', approval, proposed, revision: 1 }]);
    return approval.approval_id;
  }

  async function isShown(id: string, wanted: WantedApproval): Promise<boolean> {
    return (await approvalsNotShown(store.db, new Map([[id, wanted]]))).length === 0;
  }

  it('are those that are there', async () => {
    const id = await written(approvalWith(proposal()));
    assert.equal(await isShown(id, 'there'), true);
    assert.equal(await isShown(randomUUID(), 'there'), false);
  });

  it('are decided once they have an end, and not before', async () => {
    const waiting = await written({ ...approvalWith(proposal()), suspension_id: ANSWERED });
    assert.equal(await isShown(waiting, 'decided'), false);
    const of = proposal();
    const over = await written(approvalWith(of, resolutionOf(of)));
    assert.equal(await isShown(over, 'decided'), true);
    assert.equal(await isShown(over, { past: ANSWERED }), true);
  });

  it('have gone past a question once another is open', async () => {
    const asking = async (suspension_id: string | null) =>
      isShown(await written({ ...approvalWith(proposal()), suspension_id }), { past: ANSWERED });
    assert.equal(await asking(ANSWERED), false);
    // Its end is being checked, and it is neither decided nor asked anew.
    assert.equal(await asking(null), false);
    assert.equal(await asking(NEXT), true);
  });
});
