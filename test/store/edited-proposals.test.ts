import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import type { ApprovalPart } from '../../contracts/approval/approval.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { hashOf } from '../../domain/approval/proposal/proposal.js';
import { writeRows } from '../../store/journal-writer.js';
import {
  approvalsNotShown,
  findApproval,
  listApprovals,
  storedProposal,
} from '../../store/queries/approval.js';
import { findSuspension } from '../../store/queries/suspension.js';
import { approvalWith } from '../domain/approval/samples.js';
import { partWith } from '../domain/approval/wires.js';
import { useStore } from '../support/store.js';
import { aRecord, instant, openedRow, progressRow, settledRow } from './rows.js';

const BOB = {
  principal: 'bob',
  actor: 'bob',
  value: 'approved',
  question_version: 2,
  counted_at: instant(20),
};

describe('an edited proposal in the store', () => {
  const store = useStore();

  const rule = { eligible: {}, excluded: [], quorum: 2, denials: ['rejected'], veto: true };
  const write = (...rows: readonly JournalRow[]) => writeRows(store.db, rows);
  const opened = (id: string) =>
    openedRow(randomUUID(), aRecord({ id, decision_rule: rule, approval: partWith() }));
  const edited = (id: string, revision: number, approval: ApprovalPart) => ({
    ...progressRow(id, revision, 1),
    votes: [BOB],
    approval,
  });

  async function read(id: string) {
    const view = await findSuspension(store.db, id);
    assert.ok(view?.record.approval);
    const { proposal, proposal_hash } = view.record.approval;
    return { view, proposal, proposal_hash };
  }

  it('is what a list shows while people decide, with the votes on it', async () => {
    const id = randomUUID();
    await write(opened(id));
    assert.equal((await read(id)).view.question_version, 1);
    await write(edited(id, 1, partWith({ version: 2 })));
    const { view, proposal, proposal_hash } = await read(id);
    assert.deepEqual([view.state, view.question_version, view.approvals], ['pending', 2, 1]);
    assert.deepEqual(view.votes, [BOB]);
    assert.equal(proposal_hash, partWith({ version: 2 }).proposal_hash);
    // The database keeps no order of keys.
    assert.equal(hashOf(proposal), proposal_hash);
    assert.equal(view.record.context?.['order'], '4711');
  });

  it('is what its approval shows, read alone and in a list, before the row of that follows [A54-11]', async () => {
    const suspension_id = randomUUID();
    const { proposal, ...part } = partWith();
    const own = { ...proposal, approval_id: randomUUID() };
    const partOf = (version: number): ApprovalPart => {
      const later = { ...own, version };
      return { ...part, proposal: later, proposal_hash: hashOf(later) };
    };
    const approval = { ...approvalWith(own), suspension_id };
    await write({ kind: 'approval', approval, proposed: own, revision: 1 });
    await write(
      openedRow(
        randomUUID(),
        aRecord({ id: suspension_id, decision_rule: rule, approval: partOf(1) }),
      ),
      edited(suspension_id, 1, partOf(2)),
    );
    const alone = await findApproval(store.db, own.approval_id);
    const { rows } = await listApprovals(store.db, { limit: 100, offset: 0 });
    const listed = rows.find((one) => one.approval_id === own.approval_id);
    for (const view of [alone, listed]) {
      assert.deepEqual([view?.proposal.version, view?.proposal_hash], [2, partOf(2).proposal_hash]);
    }
    assert.deepEqual(
      await approvalsNotShown(store.db, new Map([[own.approval_id, { version: 2 }]])),
      [own.approval_id],
    );
    const copy = async () => {
      const stored = await storedProposal(store.db, own.approval_id, [suspension_id]);
      return stored?.asked?.map(({ is_open, proposal_hash }) => [is_open, proposal_hash]);
    };
    assert.deepEqual(await copy(), [[true, partOf(2).proposal_hash]]);
    const { settlement, ...end } = settledRow(suspension_id, 2);
    await write({ ...end, settlement: { ...settlement, approval: partOf(2) } });
    assert.deepEqual(await copy(), [[false, partOf(2).proposal_hash]]);
  });

  it('is there whichever row comes first', async () => {
    const id = randomUUID();
    await write(edited(id, 1, partWith({ version: 2 })));
    await write(opened(id));
    assert.equal((await read(id)).proposal.version, 2);
  });

  it('is that of the end, whatever comes late', async () => {
    const id = randomUUID();
    const settled = settledRow(id, 3);
    const approval = partWith({ version: 3 });
    await write(opened(id), {
      ...settled,
      settlement: { ...settled.settlement, approval },
    });
    await write(edited(id, 2, partWith({ version: 2 })));
    const { view, proposal_hash } = await read(id);
    assert.deepEqual([view.state, proposal_hash], ['settled', approval.proposal_hash]);
  });
});
