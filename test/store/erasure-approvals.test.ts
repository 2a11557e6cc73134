import assert from 'node:assert/strict';
import { verifyRunEvents } from '../../api/usecases/approval/read.js';
import { callOver } from '../api/support/parts.js';
import type { ApprovalView } from '../../contracts/approval/approval.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { endedAt } from '../../domain/approval/record/details.js';
import { erasedApproval, erasedProposal } from '../../domain/approval/record/erasure.js';
import { hashOf } from '../../domain/approval/proposal/proposal.js';
import { inSpace } from '../../store/in-space.js';
import { writeRows } from '../../store/journal-writer.js';
import { findApproval } from '../../store/queries/approval.js';
import { eraseClosedIntent, eraseSuspension } from '../../store/queries/erasure/erasure.js';
import { appendToRun, runEventsIn, saveSnapshot } from '../../store/queries/run-log.js';
import { findSuspension } from '../../store/queries/suspension.js';
import { useStore } from '../support/store.js';
import { everythingIn } from './erasure-columns.js';
import { approvalOf, lived, snapshotOf } from './retention-samples.js';
import { aRecord, instant, openedRow, settledRow } from './rows.js';

/** Stands in all that people were shown, and in what they wrote. */
const DATA = 'ada@example.com';
const AT = instant(1_000);
const ORDER = { by: 'root', actor: 'root', at: AT };

/** An approval whose texts are personal data, with a second question of a later tier. */
function shown(fields: Parameters<typeof approvalOf>[0] = {}) {
  const one = approvalOf(fields);
  const proposal = {
    ...one.view.proposal,
    prompt: `Wire to ${DATA}?`,
    visible_context: { mail: DATA },
    calls: [{ id: 'call-1', tool: 'wire', arguments: { to: DATA } }],
    on_behalf_of: 'ursula',
  };
  const proposal_hash = hashOf(proposal);
  const approval = { proposal, proposal_hash, stage: 0, tier: 0 };
  const { resolution } = one.view;
  const view: ApprovalView = {
    ...one.view,
    proposal,
    proposal_hash,
    proposed_hash: proposal_hash,
    response_schema: { description: DATA },
    action: DATA,
    ...(resolution && {
      resolution: {
        ...resolution,
        proposal_hash,
        respondent: 'dana',
        approvers: [{ principal: 'dana', actor: 'dana', decision: 'approved', at: instant(8) }],
        comment: DATA,
        data: { mail: DATA },
        reason: DATA,
      },
    }),
    redemption: {
      checkpoint: { status: 'hibernated', token: 0 },
      request_hash: proposal_hash,
      redeemable_until: instant(5_000),
      calls: [
        {
          call_id: 'call-1',
          token: 1,
          lease_until: instant(60),
          completed_at: instant(50),
          result: DATA,
        },
      ],
    },
  };
  const questions = [0, 1].map((tier) =>
    aRecord({ question: DATA, approval: { ...approval, tier } }),
  );
  const rows: JournalRow[] = [
    { kind: 'approval', approval: view, proposed: proposal, revision: 1 },
    ...questions.flatMap((record) => [
      { ...openedRow('', record), intent_id: null } as JournalRow,
      settledRow(record.id, 1),
    ]),
  ];
  const note = (name: string) => ({ ...one.note(name, instant(9)), payload: { proposal: DATA } });
  const snapshot = snapshotOf({ view });
  return { ...one, view, rows, questions, note, snapshot };
}
type Shown = ReturnType<typeof shown>;

describe('the personal data of an approval', () => {
  const store = useStore('emptied');

  const write = (...rows: readonly JournalRow[]) => writeRows(store.db, rows);
  const append = (one: Shown, name: string) =>
    appendToRun(store.db, one.note(name), 'salt', 'default');

  async function stored(fields: Parameters<typeof shown>[0] = {}): Promise<Shown> {
    const one = shown(fields);
    await write(...one.rows);
    await saveSnapshot(store.db, one.snapshot, instant(1));
    await append(one, 'requested');
    await append(one, 'resolved');
    return one;
  }

  const everything = async () =>
    (await everythingIn(store.db)).map(([table, text]) => `${table}: ${text}`).join('\n');

  const questionOf = ({ questions }: Shown) => questions[0]?.id ?? assert.fail();
  const erase = async (one: Shown) => {
    const ruling = await eraseSuspension(store.db, questionOf(one), ORDER);
    assert.ok(ruling?.ok, JSON.stringify(ruling));
  };

  /** @param between - is done between the first read of the store and the second */
  async function verified({ run_id }: Shown, between?: () => Promise<void>) {
    let reads = 0;
    const call = callOver(async (query, ...args) => {
      reads += 1;
      if (reads === 2) await between?.();
      return query(inSpace(store.db, 'default'), ...args);
    });
    const { value } = await verifyRunEvents.run(call, run_id);
    return { breaks: value.breaks.map(({ kind }) => kind), erased: value.erased };
  }

  it('is no break of its log where it goes while that is read', async () => {
    const one = await stored();
    assert.deepEqual(await verified(one, () => erase(one)), { breaks: [], erased: [1, 2] });
  });

  it('goes with its question: from both tiers, the row, the log and the snapshot', async () => {
    const one = await stored();
    await erase(one);
    const left = await everything();
    assert.equal(left.includes(DATA), false, left);
    assert.equal(left.includes(one.view.proposal_hash), false, left);
    assert.equal(left.includes(one.snapshot.hash), false);
    for (const record of one.questions) {
      const question = await findSuspension(store.db, record.id);
      assert.equal(question?.record.erased_at, AT);
      assert.equal(question.record.approval, undefined);
    }
    assert.deepEqual(await verified(one), { breaks: [], erased: [1, 2] });
    const log = await runEventsIn(store.db, one.run_id, { upTo: 9, limit: 9 });
    const last = log.at(-1);
    assert.deepEqual(
      [last?.event_type, last?.principal, last?.created_at, last?.payload],
      ['personal_data_erased', 'root', AT, { through_sequence: 2, approval_id: one.id }],
    );
  });

  it('is left out of its row as the rules say it, and who decided stays', async () => {
    const one = await stored();
    await erase(one);
    const found = (await findApproval(store.db, one.id)) ?? assert.fail();
    assert.deepEqual(found, erasedApproval(one.view, AT));
    assert.equal(found.resolution?.respondent, 'dana');
    assert.equal(found.proposal.on_behalf_of, 'ursula');
    assert.deepEqual(found.redemption?.checkpoint?.status, 'hibernated');
    const { proposed } = await store.db
      .selectFrom('approvals')
      .select('proposed')
      .executeTakeFirstOrThrow();
    assert.deepEqual(proposed, erasedProposal(one.view.proposal));
    assert.equal(endedAt(found), one.view.resolution?.resolved_at);
  });

  it('does not come back with rows that come late', async () => {
    const one = await stored();
    await erase(one);
    const late = { ...one.rows[0], revision: 7 } as JournalRow;
    await write(late, ...one.rows);
    await append(one, 'late');
    const left = await everything();
    assert.equal(left.includes(DATA), false, left);
    assert.deepEqual(await verified(one), { breaks: [], erased: [1, 2, 4] });
  });

  it('of another approval of the same run stays, and that run can be checked', async () => {
    const one = await stored();
    const other = await stored({ run_id: one.run_id });
    await erase(one);
    assert.deepEqual(await findApproval(store.db, other.id), other.view);
    assert.deepEqual(await verified(one), { breaks: [], erased: [1, 2] });
    await erase(other);
    assert.deepEqual(await verified(one), { breaks: [], erased: [1, 2, 3, 4] });
  });

  it('is needed while people decide on it', async () => {
    const one = await stored({ resolved_at: null });
    const ruling = await eraseSuspension(store.db, questionOf(one), ORDER);
    assert.equal(ruling?.ok === false && ruling.refusal.code, 'question_open');
    assert.deepEqual(await findApproval(store.db, one.id), one.view);
  });

  it('goes with its intent, and not before that', async () => {
    const intent = lived();
    const one = await stored({ intent_id: intent.id });
    await write(...intent.rows);
    const alone = await eraseSuspension(store.db, questionOf(one), ORDER);
    assert.equal(alone?.ok === false && alone.refusal.code, 'question_of_intent');
    const ruling = await eraseClosedIntent(store.db, intent.id, ORDER);
    assert.ok(ruling?.ok, JSON.stringify(ruling));
    const left = await everything();
    assert.equal(left.includes(DATA), false, left);
    assert.deepEqual(await verified(one), { breaks: [], erased: [1, 2] });
  });

  it('keeps its intent from being erased while people decide on it', async () => {
    const intent = lived();
    await stored({ intent_id: intent.id, resolved_at: null });
    await write(...intent.rows);
    const ruling = await eraseClosedIntent(store.db, intent.id, ORDER);
    assert.equal(ruling?.ok === false && ruling.refusal.code, 'question_open');
  });
});
