import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { questionCounter } from '../../../runtime/metrics/registry.js';
import { SEEDS } from '../../support/secrets.js';
import { aRecord, settledRow } from '../../store/rows.js';

describe('the metrics of questions', () => {
  const record = aRecord({ question: SEEDS.question });
  const answered = settledRow(record.id, 1);

  /** Counts batches of which some rows are news; returns the text and its lines of questions. */
  async function counted(...batches: readonly (readonly [JournalRow[], JournalRow[]])[]) {
    const registry = new Registry();
    const watch = questionCounter(registry);
    for (const [rows, news] of batches) watch({ rows, refused: [], news });
    const text = await registry.metrics();
    return { text, lines: text.split('\n').filter((line) => line.startsWith('holdpoint_')) };
  }

  it('count who settled a question, and the deadline of a portfolio as such', async () => {
    const settlement = {
      ...answered.settlement,
      resolution: 'expired',
      settled_by: 'clock',
      responded_by: SEEDS.operatorKey,
    } as const;
    const rows: JournalRow[] = [
      answered,
      { ...answered, settlement },
      { ...answered, settlement: { ...settlement, reason: 'portfolio_deadline' } },
      { ...answered, settlement: { ...settlement, reason: SEEDS.reason } },
    ];
    const { lines, text } = await counted([rows, rows]);
    assert.deepEqual(lines.slice(1), [
      'holdpoint_questions_settled_total{resolution="responded",by="operator"} 1',
      'holdpoint_questions_settled_total{resolution="expired",by="clock"} 2',
      'holdpoint_questions_settled_total{resolution="expired",by="deadline"} 1',
    ]);
    for (const secret of [SEEDS.reason, SEEDS.operatorKey, 'dana']) {
      assert.ok(!text.includes(secret), secret);
    }
  });
});
