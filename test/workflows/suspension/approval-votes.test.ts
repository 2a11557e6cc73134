import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { JournalRow, RowOf } from '../../../contracts/log/journal.js';
import { operatorResponseSignal, recordQuery } from '../../../workflows/suspension/messages.js';
import { LESS, editBy, hashNow, openApproval, voteBy } from '../support/approval-questions.js';
import { refusalOf } from '../support/intents.js';
import {
  LADDER,
  kindsOf,
  reportsOf,
  respond,
  settledRecord,
  timelineOf,
} from '../support/suspensions.js';
import type { Opened } from '../support/suspensions.js';
import { partWith } from '../../domain/approval/wires.js';
import { World } from '../support/world.js';

const namesIn = (votes: readonly { readonly principal: string }[] = []) =>
  votes.map(({ principal }) => principal);

/** Without a cache, every task judges the votes before it again. */
describe('votes on an approval', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  /** What the store was told of a question, of one kind. */
  function rowsOf<K extends JournalRow['kind']>({ id }: Opened, kind: K) {
    return world.activities.rows.flatMap((row) =>
      row.kind === kind && 'suspension_id' in row && row.suspension_id === id
        ? [row as RowOf<K>]
        : [],
    );
  }

  async function rejectedCodes(opened: Opened) {
    const entries = await timelineOf(opened, 'answer_rejected');
    return entries.map(({ detail }) => detail['code']);
  }

  it('need the hash of what is asked about [A54-20]', async () => {
    const opened = await openApproval(world, 1);
    const { proposal_hash: _hash, ...bare } = await voteBy(world, opened, 'alice', 'approved');
    assert.equal((await refusalOf(respond(opened, bare))).code, 'missing_proposal_hash');
    const other = await voteBy(world, opened, 'alice', 'approved', {
      proposal_hash: '0'.repeat(64),
    });
    const refusal = await refusalOf(respond(opened, other));
    assert.deepEqual(
      [refusal.code, refusal.state],
      ['proposal_hash_mismatch', { proposal_hash: await hashNow(opened), version: 1 }],
    );
    await opened.handle.signal(operatorResponseSignal, bare);
    await world.sleep('1 s');
    assert.deepEqual(await rejectedCodes(opened), ['missing_proposal_hash']);
    await respond(opened, await voteBy(world, opened, 'alice', 'approved'));
    assert.equal((await opened.handle.result()).response, 'approved');
  });

  it('for another approval with the same calls do not count [JC-40]', async () => {
    const opened = await openApproval(world, 1);
    const other = partWith({ approval_id: randomUUID() });
    const vote = await voteBy(world, opened, 'alice', 'approved', {
      proposal_hash: other.proposal_hash,
    });
    assert.equal((await refusalOf(respond(opened, vote))).code, 'proposal_hash_mismatch');
    assert.equal((await opened.handle.query(recordQuery)).state, 'pending');
    await opened.handle.cancel();
  });

  it('refuse a decision that is not offered, and go on waiting [JC-41]', async () => {
    const opened = await openApproval(world, 1);
    const wrong = await voteBy(world, opened, 'alice', 'maybe');
    const { code, valid_choices } = await refusalOf(respond(opened, wrong));
    assert.deepEqual([code, valid_choices], ['invalid_value', ['approved', 'rejected']]);
    await respond(opened, await voteBy(world, opened, 'alice', 'rejected'));
    assert.equal((await opened.handle.result()).response, 'rejected');
  });

  it('of one person count once, and it waits for another [A54-07, AM-58]', async () => {
    const opened = await openApproval(world, 2);
    const first = await respond(opened, await voteBy(world, opened, 'alice', 'approved'));
    const { approvals, required, resolution } = first.result;
    assert.deepEqual(
      [first.verdict, approvals, required, resolution],
      ['counted', 1, 2, undefined],
    );
    const otherKey = { answer: { key: 'a:phone', body_hash: '' } };
    const again = await voteBy(world, opened, 'alice', 'approved', otherKey);
    await opened.handle.signal(operatorResponseSignal, again);
    assert.deepEqual((await respond(opened, again)).result, first.result);
    const view = await opened.handle.query(recordQuery);
    assert.deepEqual([view.state, view.approvals, namesIn(view.votes)], ['pending', 1, ['alice']]);
    await respond(opened, await voteBy(world, opened, 'bob', 'approved'));
    const record = await settledRecord(opened.handle);
    assert.deepEqual([record.response, namesIn(record.votes)], ['approved', ['alice', 'bob']]);
  });

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

  it('with edits are known to whom a later reminder tells of the question', async () => {
    const agent = {
      intent_id: null,
      subject_workflow_id: 'agent-run',
      report_attempts: true,
    } as const;
    const opened = await openApproval(world, 2, {}, { retry_policy: LADDER }, agent);
    await respond(opened, await editBy(world, opened, 'bob'));
    await world.sleep('3601 s');
    const { approval } = (await opened.handle.query(recordQuery)).record;
    const [reminder] = await reportsOf(opened);
    assert.ok(reminder?.kind === 'attempt');
    assert.deepEqual([reminder.record?.approval, approval?.proposal.version], [approval, 2]);
    assert.deepEqual(rowsOf(opened, 'suspension_progress').at(-1)?.approval, approval);
    await opened.handle.cancel();
  });

  it('with edits settle at once where one person decides', async () => {
    const opened = await openApproval(world, 1);
    const { verdict } = await respond(opened, await editBy(world, opened, 'alice'));
    assert.equal(verdict, 'settled');
    const { approval, votes } = await opened.handle.result();
    assert.deepEqual([approval?.proposal.version, votes], [2, undefined]);
    const kinds = (await kindsOf(opened)).slice(-2);
    assert.deepEqual(kinds, ['proposal_edited', 'answer_accepted']);
  });

  it('with edits that nobody has judged by the rules do not count', async () => {
    const opened = await openApproval(world, 1);
    const { edits_allowed: _allowed, ...unjudged } = await editBy(world, opened, 'alice');
    await opened.handle.signal(operatorResponseSignal, unjudged);
    const malformed = { ...unjudged, edits: 'all' } as never;
    await opened.handle.signal(operatorResponseSignal, malformed);
    await world.sleep('1 s');
    assert.deepEqual(await rejectedCodes(opened), ['edit_not_allowed', 'invalid_request']);
    assert.equal(await hashNow(opened), opened.view.record.approval?.proposal_hash);
    const wire = { properties: { amount: { maximum: 50 } } };
    const strict = await openApproval(world, 1, { input_schemas: { wire } });
    const { code, field } = await refusalOf(respond(strict, await editBy(world, strict, 'alice')));
    assert.deepEqual([code, field], ['invalid_edit', 'edits[0].arguments.amount']);
    for (const { handle } of [opened, strict]) await handle.cancel();
  });
});

describe('an edit in the next run', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  it('is still what is asked about', async () => {
    const opened = await openApproval(world, 2, {}, {}, { history_limit: 40 });
    await respond(opened, await editBy(world, opened, 'bob'));
    const proposal_hash = await hashNow(opened);
    const { runId } = await opened.handle.describe();
    const late = await voteBy(world, opened, 'alice', 'approved');
    for (let sent = 0; (await opened.handle.describe()).runId === runId; sent += 1) {
      assert.ok(sent < 40, 'no new run');
      await opened.handle.signal(operatorResponseSignal, late);
      await world.sleep('1 s');
    }
    assert.equal(await hashNow(opened), proposal_hash);
    await respond(opened, await voteBy(world, opened, 'alice', 'approved', { proposal_hash }));
    const { approval, votes } = await world.suspension(opened.id).result();
    assert.equal(approval?.proposal_hash, proposal_hash);
    assert.deepEqual(namesIn(votes), ['bob', 'alice']);
  });
});
