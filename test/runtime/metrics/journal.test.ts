import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { journalCounter } from '../../../runtime/metrics/registry.js';
import { SEEDS } from '../../support/secrets.js';
import { aRecord, anEvent, anIntent, openedRow } from '../../store/rows.js';

describe('the metrics of what is written', () => {
  it('count rows each time, refused ones too, and questions when they are news', async () => {
    const registry = new Registry();
    const watch = journalCounter(registry);
    const opened = openedRow('i', aRecord({ question: SEEDS.question }));
    const rows: JournalRow[] = [
      { kind: 'event', event: anEvent({ actor: SEEDS.agentKey }) },
      { kind: 'event', event: anEvent() },
      { kind: 'intent', intent: anIntent(), last_sequence: 2 },
      opened,
    ];
    const reason = '23505';
    const about = { intent_id: null, suspension_id: null, sequence: null, reason };
    watch({ rows, refused: [], news: [opened] });
    watch({ rows: rows.slice(1), refused: [{ kind: 'event', ...about }], news: [] });
    const text = await registry.metrics();
    assert.deepEqual(
      text.split('\n').filter((line) => line.startsWith('holdpoint_')),
      [
        'holdpoint_journal_rows_total{kind="event"} 3',
        'holdpoint_journal_rows_total{kind="intent"} 2',
        'holdpoint_journal_rows_total{kind="suspension_opened"} 2',
        'holdpoint_journal_refused_rows_total{kind="event"} 1',
        'holdpoint_questions_asked_total 1',
      ],
    );
    for (const secret of [SEEDS.agentKey, SEEDS.question])
      assert.ok(!text.includes(secret), secret);
  });
});
