import assert from 'node:assert/strict';
import type { JournalRow } from '../../contracts/log/journal.js';
import { writeRows } from '../../store/journal-writer.js';
import { listBlocked } from '../../store/queries/blocks.js';
import { listSuspensions } from '../../store/queries/inbox.js';
import { withStore } from '../support/store.js';
import type { TestStore } from '../support/store.js';
import { settledRow } from './rows.js';
import { approvalOf, intentOn, planOf, portfolioOf, questionOf } from './waiting-samples.js';

describe('what waits for a question', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  after(() => store.close());
  const write = (...rows: JournalRow[]) => writeRows(store.db, rows);
  /** The list as a reader sees it: a line for each thing, indented by its depth. */
  const lines = async (id: string, reader?: Parameters<typeof listBlocked>[2]) =>
    (await listBlocked(store.db, id, reader)).map(
      ({ kind, title, depth }) => `${'  '.repeat(depth)}${kind} ${title}`,
    );
  const entryOf = async (id: string) => {
    const query = { state: 'pending', sort: 'urgency', limit: 200 } as const;
    const { rows } = await listSuspensions(store.db, query);
    return rows.find(({ entry }) => entry.id === id)?.entry;
  };

  it('is its intent, what depends on that, and the portfolio', async () => {
    const refund = intentOn('Refund');
    const close = intentOn('Close the case', [refund.id]);
    const report = intentOn('Report', [close.id]);
    const mail = intentOn('Mail', [refund.id, report.id]);
    const done = intentOn('Done before', [refund.id], { status: 'abandoned' });
    const question = questionOf(refund.id);
    await write(...[refund, close, report, mail, done].flatMap(({ rows }) => rows));
    await write(...portfolioOf(refund.id).rows, question.opened);
    const shown = await lines(question.id);
    assert.equal(shown[0], 'intent Refund');
    assert.deepEqual([...shown].sort(), [
      '    intent Report',
      '  intent Close the case',
      '  intent Mail',
      '  portfolio Refunds',
      'intent Refund',
    ]);
    assert.equal(shown.indexOf('    intent Report'), shown.indexOf('  intent Close the case') + 1);
    assert.equal((await entryOf(question.id))?.blocks, 5);
  });

  it('is the task of its intent, the later ones, and the plan', async () => {
    const refund = intentOn('Refund');
    const { rows } = planOf(refund.id, ['pay', 'book', 'tell'], { workflow: null });
    const question = questionOf(refund.id);
    await write(...refund.rows, ...rows, question.opened);
    const shown = await lines(question.id);
    assert.deepEqual(
      shown.filter((line) => line.includes('task')).map((line) => line.trim()),
      ['task pay', 'task book', 'task tell'],
    );
    assert.ok(shown.some((line) => line.startsWith('    plan ')));
  });

  it('is the workflow and its later tasks, where a checkpoint holds it', async () => {
    const refund = intentOn('Refund');
    const workflow = { title: 'Refunds', description: null };
    const made = planOf(refund.id, ['pay', 'book'], { workflow });
    const question = questionOf(null, { plan_id: made.plan.id });
    const [after_task = ''] = made.ids;
    const checkpoint = { after_task, suspension_id: question.id } as never;
    const plan = { ...made.plan, checkpoints: [checkpoint], escalations: [] };
    await write(...refund.rows, ...made.rows);
    await write({ kind: 'plan', plan, revision: 2 }, question.opened);
    assert.deepEqual((await lines(question.id)).map((line) => line.trim()).sort(), [
      'task book',
      'workflow Refunds',
    ]);
    const stranger = questionOf(null, { plan_id: made.plan.id });
    await write(stranger.opened);
    assert.deepEqual(await lines(stranger.id), [], 'a plan that did not ask it');
  });

  it('is the workflow of an agent, by its id', async () => {
    const question = questionOf(null, {}, { waiting_workflow: 'billing-7' });
    await write(question.opened);
    assert.deepEqual(await lines(question.id), ['workflow billing-7']);
    assert.equal((await entryOf(question.id))?.blocks, 1);
  });

  it('is the run of an approval, and its intent with all that waits for it', async () => {
    const refund = intentOn('Refund');
    const close = intentOn('Close the case', [refund.id]);
    const [alone, ofIntent] = [approvalOf(null, refund.id), approvalOf(refund.id, 'run-8')];
    await write(...refund.rows, ...close.rows, alone.approval, alone.opened);
    await write(ofIntent.approval, ofIntent.opened);
    assert.deepEqual(await lines(alone.id), ['run Billing bot'], 'its name says nothing');
    assert.equal((await entryOf(alone.id))?.blocks, 1);
    assert.deepEqual(await lines(ofIntent.id), [
      'intent Refund',
      '  intent Close the case',
      'run Billing bot',
    ]);
    assert.equal((await entryOf(ofIntent.id))?.blocks, 3);
  });

  it('is nothing for a question that is settled, or that no intent waits for', async () => {
    const refund = intentOn('Refund');
    const [settled, alone] = [questionOf(refund.id), questionOf(null)];
    await write(...refund.rows, settled.opened, alone.opened);
    assert.equal((await lines(settled.id)).length, 1);
    await write(settledRow(settled.id, 1));
    assert.deepEqual([await lines(settled.id), await lines(alone.id)], [[], []]);
    assert.equal((await entryOf(alone.id))?.blocks, 0);
  });

  it('sorts before others of the same time left and attempt', async () => {
    const [more, less] = [intentOn('More'), intentOn('Less')];
    const [second, first] = [questionOf(less.id), questionOf(more.id)];
    await write(...more.rows, ...less.rows, ...intentOn('Waits', [more.id]).rows);
    await write(second.opened, first.opened);
    const query = { state: 'pending', sort: 'urgency', limit: 200 } as const;
    const ids = (await listSuspensions(store.db, query)).rows.map(({ entry }) => entry.id);
    assert.ok(ids.indexOf(first.id) < ids.indexOf(second.id));
  });

  it('is bounded, however much waits', async () => {
    const refund = intentOn('Refund');
    const wide = Array.from({ length: 130 }, (_, n) => intentOn(`Waits ${n}`, [refund.id]));
    let last = refund.id;
    const deep = Array.from({ length: 10 }, (_, n) => {
      const next = intentOn(`Step ${n}`, [last]);
      last = next.id;
      return next;
    });
    const question = questionOf(refund.id);
    await write(...refund.rows, ...deep.flatMap(({ rows }) => rows), question.opened);
    assert.equal((await lines(question.id)).length, 7, 'six steps');
    for (const { rows } of wide) await write(...rows);
    assert.equal((await lines(question.id)).length, 100);
    assert.equal((await entryOf(question.id))?.blocks, 100);
  });

  it('leaves out what the access list of an intent hides from an agent', async () => {
    const refund = intentOn('Refund', [], { owner: 'agent-1' });
    const access = { default_policy: 'closed', entries: [] } as const;
    const secret = intentOn('Secret', [refund.id], { owner: 'another', access });
    const question = questionOf(refund.id);
    await write(...refund.rows, ...secret.rows, question.opened);
    const reader = { principal: 'agent-1', groups: [] };
    assert.deepEqual(await lines(question.id, reader), ['intent Refund']);
    assert.equal((await lines(question.id)).length, 2);
  });
});
