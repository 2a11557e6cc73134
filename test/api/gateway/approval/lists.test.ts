import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createApprovalReads } from '../../../../api/gateway/approval/reads.js';
import { createApprovalWithdrawals } from '../../../../api/gateway/approval/withdrawal.js';
import { createWrittenApprovals, touchDecided } from '../../../../api/gateway/approval/written.js';
import { createFromStore } from '../../../../api/gateway/reads/from-store.js';
import { afterSettling } from '../../../../api/gateway/suspension/settling.js';
import { workflowIdOf } from '../../../../contracts/constants/names.js';
import type { WantedApproval } from '../../../../store/queries/approval.js';
import { caller } from '../../../support/callers.js';
import { approvalWith, proposalWith } from '../../../domain/approval/samples.js';
import { ManualClock, NOW, SUSPENSION_ID, fakeStore, noWrites, silent } from '../support.js';

const OPERATOR = caller('alice', 'operator');
const VIEW = approvalWith(proposalWith({ approval_id: randomUUID() }));
const ID = VIEW.approval_id;

/** A store that shows what was written some time after the start (ms), and what it was asked for. */
function bench(shownAfterMs: number) {
  const clock = new ManualClock();
  const looks: (readonly (readonly [string, WantedApproval])[])[] = [];
  const isShown = () => clock.now() - NOW >= shownAfterMs;
  const store = fakeStore({
    approvalsNotShown: async (wanted) => {
      looks.push([...wanted]);
      return isShown() ? [] : [...wanted.keys()];
    },
    listApprovals: async () => ({ rows: isShown() ? [VIEW] : [], more: false }),
  });
  const fromStore = createFromStore(store, clock, silent);
  const memory = noWrites<WantedApproval>();
  const writtenApprovals = createWrittenApprovals({ clock, log: silent, memory }, fromStore);
  const deps = { fromStore, clock, space: 'default', writtenApprovals };
  const reads = createApprovalReads(deps as never);
  const list = async () => {
    const reading = reads.listApprovals(OPERATOR, { limit: 9, offset: 0 });
    await clock.advance(2_500);
    const { value, stale } = await reading;
    return { ids: value.map(({ approval_id }) => approval_id), stale };
  };
  return { writtenApprovals, looks, list };
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
    const { list, writtenApprovals, looks } = bench(100);
    const nothing = { touch: () => undefined, collect: async () => undefined };
    const deps = {
      temporal: { told: async () => undefined },
      consistency: nothing,
      settlements: nothing,
      writtenApprovals,
      questionRows: { writeLast: async () => undefined },
      intentRows: { ...nothing, collectDue: () => undefined },
    };
    const awaited_by = workflowIdOf('approval', ID, 'team-b');
    await afterSettling(deps, SUSPENSION_ID, { intent_id: null, awaited_by });
    await list();
    assert.deepEqual(looks[0], [[ID, { past: SUSPENSION_ID }]]);
  });

  it('waits for nothing after an answer that another workflow waits for', async () => {
    const { list, writtenApprovals, looks } = bench(100);
    for (const awaitedBy of [workflowIdOf('plan', ID), 'approval-of-mine', 'agent-7']) {
      touchDecided(writtenApprovals, SUSPENSION_ID, awaitedBy);
    }
    await list();
    assert.deepEqual(looks, []);
  });

  for (const [status, wanted] of [
    ['cancelled', 'decided'],
    ['pending', 'there'],
  ] as const) {
    it(`waits for an approval that a withdrawal here left ${status}`, async () => {
      const { list, writtenApprovals, looks } = bench(100);
      const update = async () => ({ kind: 'done', value: { ...VIEW, status } });
      const deps = { temporal: { update }, writtenApprovals };
      const withdrawals = createApprovalWithdrawals(deps as never);
      await withdrawals.withdrawApproval(OPERATOR, ID);
      await list();
      assert.deepEqual(looks[0], [[ID, wanted]]);
    });
  }
});
