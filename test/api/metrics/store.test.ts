import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { addStoreGauges } from '../../../api/metrics/start.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import type { StoreFigures } from '../../../store/queries/figures.js';

const CONFIG = serverConfigSchema.parse({
  notifications: {
    default_channel: 'desk',
    channels: { desk: { type: 'console' }, night: { type: 'console' } },
  },
});
const FIGURES: StoreFigures = {
  questions: [
    { channel: 'desk', waiting: 3, reminded: 2, overdue: 1, oldest_seconds: 90.5 },
    { channel: 'other', waiting: 1, reminded: 0, overdue: 0, oldest_seconds: 4 },
  ],
  refused_rows: 2,
  newest_position: 120,
};

/** The gauges over a store that answers with these figures, or is away. */
function bench(readUpTo?: number) {
  const registry = new Registry();
  const state = { now: 0, asked: [] as unknown[], figures: FIGURES as StoreFigures | undefined };
  const store = ((_query: unknown, channels: unknown) => {
    state.asked.push(channels);
    return state.figures ? Promise.resolve(state.figures) : Promise.reject(new Error('away'));
  }) as unknown as Parameters<typeof addStoreGauges>[1]['store'];
  addStoreGauges(registry, { store, feed: { readUpTo }, config: CONFIG, now: () => state.now });
  const lines = async () =>
    (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { state, lines };
}

describe('the metrics of the store', () => {
  it('show every configured channel, and all others as one', async () => {
    const { lines, state } = bench();
    assert.deepEqual(await lines(), [
      'holdpoint_questions_open{channel="desk",state="waiting"} 3',
      'holdpoint_questions_open{channel="desk",state="reminded"} 2',
      'holdpoint_questions_open{channel="desk",state="overdue"} 1',
      'holdpoint_questions_open{channel="night",state="waiting"} 0',
      'holdpoint_questions_open{channel="night",state="reminded"} 0',
      'holdpoint_questions_open{channel="night",state="overdue"} 0',
      'holdpoint_questions_open{channel="other",state="waiting"} 1',
      'holdpoint_questions_open{channel="other",state="reminded"} 0',
      'holdpoint_questions_open{channel="other",state="overdue"} 0',
      'holdpoint_questions_overdue{channel="desk"} 1',
      'holdpoint_questions_overdue{channel="night"} 0',
      'holdpoint_questions_overdue{channel="other"} 0',
      'holdpoint_oldest_open_question_age_seconds{channel="desk"} 90.5',
      'holdpoint_oldest_open_question_age_seconds{channel="night"} 0',
      'holdpoint_oldest_open_question_age_seconds{channel="other"} 4',
      'holdpoint_store_up 1',
      'holdpoint_journal_quarantined_rows 2',
      'holdpoint_feed_position 120',
      'holdpoint_feed_lag_events 0',
    ]);
    assert.deepEqual(state.asked, [{ names: ['desk', 'night'], usual: 'desk' }]);
  });

  it('say how far the streams of the process are behind', async () => {
    assert.ok((await bench(115).lines()).includes('holdpoint_feed_lag_events 5'));
    assert.ok((await bench(121).lines()).includes('holdpoint_feed_lag_events 0'));
  });

  it('ask the store once in ten seconds, however often they are read', async () => {
    const { lines, state } = bench();
    await Promise.all([lines(), lines()]);
    state.now = 9_999;
    await lines();
    assert.equal(state.asked.length, 1);
    state.now = 10_000;
    await lines();
    assert.equal(state.asked.length, 2);
  });

  it('are left out while the store is away, but for the one that says so', async () => {
    const { lines, state } = bench(1);
    await lines();
    Object.assign(state, { figures: undefined, now: 10_000 });
    assert.deepEqual(await lines(), ['holdpoint_store_up 0']);
    Object.assign(state, { figures: FIGURES, now: 20_000 });
    assert.equal((await lines()).length, 19);
  });
});
