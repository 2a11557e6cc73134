import assert from 'node:assert/strict';
import type { JournalRow } from '../../contracts/log/journal.js';
import { writeRows } from '../../store/journal-writer.js';
import { listBlocked } from '../../store/queries/blocks.js';
import { useStore } from '../support/store.js';
import { settledRow } from './rows.js';
import { approvalOf, intentOn, planOf, portfolioOf, questionOf } from './waiting-samples.js';

describe('what waits for a question', () => {
  const store = useStore();
  const write = (...rows: JournalRow[]) => writeRows(store.db, rows);
  /** The list as a reader sees it: a line for each thing, indented by its depth. */
  const lines = async (id: string, reader?: Parameters<typeof listBlocked>[2]) =>
    (await listBlocked(store.db, id, reader)).map(
      ({ kind, title, depth }) => `${'  '.repeat(depth)}${kind} ${title}`,
    );

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
  });

  it('is the run of an approval, and its intent with all that waits for it', async () => {
    const refund = intentOn('Refund');
    const close = intentOn('Close the case', [refund.id]);
    const [alone, ofIntent] = [approvalOf(null, refund.id), approvalOf(refund.id, 'run-8')];
    await write(...refund.rows, ...close.rows, alone.approval, alone.opened);
    await write(ofIntent.approval, ofIntent.opened);
    assert.deepEqual(await lines(alone.id), ['run Billing bot'], 'its name says nothing');
    assert.deepEqual(await lines(ofIntent.id), [
      'intent Refund',
      '  intent Close the case',
      'run Billing bot',
    ]);
  });

  it('is nothing for a question that is settled, or that no intent waits for', async () => {
    const refund = intentOn('Refund');
    const [settled, alone] = [questionOf(refund.id), questionOf(null)];
    await write(...refund.rows, settled.opened, alone.opened);
    assert.equal((await lines(settled.id)).length, 1);
    await write(settledRow(settled.id, 1));
    assert.deepEqual([await lines(settled.id), await lines(alone.id)], [[], []]);
  });

  it('follows the graph around it', async () => {
    const refund = intentOn('Refund');
    const question = questionOf(refund.id);
    const close = intentOn('Close', [refund.id]);
    const portfolio = portfolioOf(close.id);
    await write(...refund.rows, question.opened, ...close.rows, ...portfolio.rows);
    const all = ['intent Refund', '  intent Close', '    portfolio Refunds'];
    assert.deepEqual(await lines(question.id), all);
    const [begun] = portfolio.rows;
    assert.ok(begun?.kind === 'portfolio');
    const done = { ...begun.portfolio, status: 'completed', version: 9 } as const;
    await write({ ...begun, portfolio: done, last_sequence: 9 });
    assert.deepEqual(await lines(question.id), all.slice(0, 2));
    const edge = { intent_id: close.id, dependency_id: refund.id, revision: 9 };
    await write({ kind: 'dependency', ...edge, present: false });
    assert.deepEqual(await lines(question.id), all.slice(0, 1));
  });

  it('follows the tasks of its plan, and the end of that', async () => {
    const refund = intentOn('Refund');
    const { plan, tasks, rows } = planOf(refund.id, ['pay', 'book', 'tell'], { workflow: null });
    const [pay, , tell] = tasks;
    const [ofIntent, ofPlan] = [questionOf(refund.id), questionOf(null, { plan_id: plan.id })];
    await write(...refund.rows, ...rows, ofIntent.opened, ofPlan.opened);
    const counts = async () => [(await lines(ofIntent.id)).length, (await lines(ofPlan.id)).length];
    assert.deepEqual(await counts(), [5, 0], 'the plan has not asked it');
    const checkpoint = { after_task: pay?.id, suspension_id: ofPlan.id } as never;
    const held = { ...plan, checkpoints: [checkpoint], escalations: [] };
    await write({ kind: 'plan', plan: held, revision: 2 });
    assert.deepEqual(await counts(), [5, 3]);
    assert.ok(tell);
    await write({ kind: 'task', task: { ...tell, status: 'skipped' }, revision: 2 });
    assert.deepEqual(await counts(), [4, 2]);
    await write({ kind: 'plan', plan: { ...held, state: 'cancelled' }, revision: 3 });
    assert.deepEqual(await counts(), [3, 1]);
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
