import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { approvalIn } from '../../../../api/parts/reads/written.js';
import { afterSettling } from '../../../../api/usecases/suspension/withdraw.js';
import { listApprovals } from '../../../../api/usecases/approval/read.js';
import { withdrawApproval } from '../../../../api/usecases/approval/decide.js';
import { workflowIdOf } from '../../../../contracts/constants/names.js';
import type { WantedApproval } from '../../../../store/queries/approval.js';
import { caller } from '../../../support/callers.js';
import { approvalWith, proposalWith } from '../../../domain/approval/samples.js';
import { ManualClock, NOW, SUSPENSION_ID, closed } from '../../support/fakes.js';
import { fakeParts, type Fakes } from '../../support/parts.js';

const VIEW = approvalWith(proposalWith({ approval_id: randomUUID() }));
const ID = VIEW.approval_id;

/** A store that shows what was written some time after the start (ms), and what it was asked for. */
function bench(shownAfterMs: number, temporal: Fakes['temporal'] = {}) {
  const clock = new ManualClock();
  const looks: (readonly (readonly [string, WantedApproval])[])[] = [];
  const isShown = () => clock.now() - NOW >= shownAfterMs;
  const { parts } = fakeParts({
    clock,
    temporal,
    store: {
      approvalsNotShown: async (wanted) => {
        looks.push([...wanted]);
        return isShown() ? [] : [...wanted.keys()];
      },
      listApprovals: async () => ({ rows: isShown() ? [VIEW] : [], more: false }),
    },
  });
  const call = { caller: caller('alice', 'operator'), parts };
  const list = async () => {
    const reading = listApprovals.run(call, { limit: 9, offset: 0 });
    await clock.advance(2_500);
    const { value, stale } = await reading;
    return { ids: value.map(({ approval_id }) => approval_id), stale };
  };
  return { call, writtenApprovals: parts.writtenApprovals, looks, list };
}

describe('a list of approvals', () => {
  it('does not wait where nothing was written here', async () => {
    const { list, looks } = bench(500);
    assert.deepEqual(await list(), { ids: [], stale: false });
    assert.deepEqual(looks, []);
  });

  it('waits for an approval that was opened here', async () => {
    const { list, writtenApprovals, looks } = bench(500);
    writtenApprovals.touch(ID, 'there');
    assert.deepEqual(await list(), { ids: [ID], stale: false });
    assert.deepEqual(looks[0], [[ID, 'there']]);
  });

  it('says that it is stale where the store is behind', async () => {
    const { list, writtenApprovals } = bench(10_000);
    writtenApprovals.touch(ID, 'there');
    assert.deepEqual(await list(), { ids: [], stale: true });
  });

  it('waits for the decision of an approval whose question was answered here', async () => {
    const { call, list, looks } = bench(100, { update: closed, query: () => VIEW });
    const awaited_by = workflowIdOf('approval', ID, 'team-b');
    await afterSettling(call.parts, SUSPENSION_ID, { intent_id: null, awaited_by });
    await list();
    assert.deepEqual(looks[0], [[ID, { past: SUSPENSION_ID }]]);
  });

  it('waits for nothing after an answer that another workflow waits for', async () => {
    const { call, list, looks } = bench(100, { describe: closed });
    for (const awaited_by of [workflowIdOf('plan', ID), 'approval-of-mine', 'agent-7']) {
      assert.equal(approvalIn(awaited_by), undefined);
      await afterSettling(call.parts, SUSPENSION_ID, { intent_id: null, awaited_by });
    }
    await list();
    assert.deepEqual(looks, []);
  });

  for (const [status, wanted] of [
    ['cancelled', 'decided'],
    ['pending', 'there'],
  ] as const) {
    it(`waits for an approval that a withdrawal here left ${status}`, async () => {
      const { call, list, looks } = bench(100, { update: () => ({ ...VIEW, status }) });
      await withdrawApproval.run(call, ID);
      await list();
      assert.deepEqual(looks[0], [[ID, wanted]]);
    });
  }
});
