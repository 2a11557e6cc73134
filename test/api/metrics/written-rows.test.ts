import assert from 'node:assert/strict';
import { pino } from 'pino';
import { startMetrics } from '../../../api/metrics/start.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { aRecord, openedRow } from '../../store/rows.js';

describe('the metrics of rows that the API writes', () => {
  it('stand on its page: rows, refused ones, and the questions among them', async () => {
    const address = { host: '127.0.0.1', port: 0, setting: 'HOLDPOINT_API_METRICS' };
    const metrics = await startMetrics(address, {
      log: pino({ enabled: false }),
      store: () => Promise.reject(new Error('away')),
      feed: { readUpTo: undefined },
      config: serverConfigSchema.parse({}),
      now: () => 0,
    });
    assert.ok(metrics);
    try {
      const row = openedRow('i', aRecord());
      const { kind } = row;
      const about = { intent_id: null, suspension_id: null, sequence: null, reason: 'conflict' };
      metrics.written({ rows: [row], refused: [], news: [row] });
      metrics.written({ rows: [row], refused: [{ kind, ...about }], news: [] });
      const text = await (await fetch(metrics.url)).text();
      for (const line of [
        'holdpoint_journal_rows_total{kind="suspension_opened"} 2',
        'holdpoint_journal_refused_rows_total{kind="suspension_opened"} 1',
        'holdpoint_questions_asked_total 1',
      ]) {
        assert.ok(text.split('\n').includes(line), line);
      }
    } finally {
      await metrics.close();
    }
  });
});
