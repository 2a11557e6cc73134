import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JournalRow, RowOf } from '../../../contracts/log/journal.js';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import { LESS, editBy, hashNow, openApproval, voteBy } from '../support/approval-questions.js';
import {
  intoNextRun,
  respond,
  settledRecord,
  timelineOf,
  type Opened,
} from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';

const namesIn = (votes: readonly { readonly principal: string }[] = []) =>
  votes.map(({ principal }) => principal);

/** Without a cache, every task judges the votes before it again. */
describe('votes on an approval', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** What the store was told of a question, of one kind. */
  function rowsOf<K extends JournalRow['kind']>({ id }: Opened, kind: K) {
    return world.activities.rows.flatMap((row) =>
      row.kind === kind && 'suspension_id' in row && row.suspension_id === id
        ? [row as RowOf<K>]
        : [],
    );
  }

  it('with edits ask about a new version, everywhere at once', async () => {
    const opened = await openApproval(world, 2);
    await respond(opened, await voteBy(world, opened, 'alice', 'approved', { comment: 'Much.' }));
    const { result } = await respond(opened, await editBy(world, opened, 'bob'));
    assert.deepEqual([result.approvals, result.required], [1, 2]);
    const view = await opened.handle.query(recordQuery);
    const { approval } = view.record;
    assert.ok(approval);
    assert.deepEqual(approval.proposal.calls[0]?.arguments, LESS.arguments);
    assert.deepEqual([view.question_version, namesIn(view.votes)], [2, ['bob']]);
    const [edit] = await timelineOf(opened, 'proposal_edited');
    assert.deepEqual(edit?.detail, {
      responded_by: 'bob',
      submitted_by: 'bob',
      version: 2,
      risk_class: 'medium',
      previous_hash: opened.view.record.approval?.proposal_hash,
      proposal_hash: approval.proposal_hash,
      edits: [{ call_id: 'call-1', tool: 'wire', before: { amount: 900 }, after: { amount: 100 } }],
      notes_before: [{ actor: 'alice', comment: 'Much.' }],
    });
    await world.sleep('1 s');
    const row = rowsOf(opened, 'suspension_progress').at(-1);
    assert.deepEqual([row?.approval, namesIn(row?.votes)], [approval, ['bob']]);
    const { proposal_hash } = approval;
    await respond(opened, await voteBy(world, opened, 'alice', 'approved', { proposal_hash }));
    const record = await settledRecord(opened.handle);
    assert.deepEqual([record.approval, namesIn(record.votes)], [approval, ['bob', 'alice']]);
    assert.deepEqual(rowsOf(opened, 'suspension_settled')[0]?.settlement.approval, approval);
  });
});

describe('an edit in the next run', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('is still what is asked about', async () => {
    const opened = await openApproval(world, 2, {}, {}, { history_limit: 40 });
    await respond(opened, await editBy(world, opened, 'bob'));
    const proposal_hash = await hashNow(opened);
    await intoNextRun(world, opened);
    assert.equal(await hashNow(opened), proposal_hash);
    await respond(opened, await voteBy(world, opened, 'alice', 'approved', { proposal_hash }));
    const { approval, votes } = await world.suspension(opened.id).result();
    assert.equal(approval?.proposal_hash, proposal_hash);
    assert.deepEqual(namesIn(votes), ['bob', 'alice']);
  });
});
