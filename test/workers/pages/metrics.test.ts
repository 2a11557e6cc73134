import assert from 'node:assert/strict';
import type { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { ChannelError } from '../../../activities/channels/try-outcome.js';
import type { ActivityDependencies } from '../../../activities/dependencies.js';
import type { JournalRow, RefusedRow } from '../../../contracts/journal.js';
import { countFailures, measured } from '../../../workers/pages/metrics.js';
import { SEEDS } from '../../support/secrets.js';
import {
  aRecord,
  anEvent,
  anIntent,
  instant,
  openedRow,
  settledRow,
  timelineRow,
} from '../../store/rows.js';

const TRY = {
  delivery_id: 'd:1',
  try_number: 1,
  at: instant(0),
  channel: 'desk',
  outcome: 'delivered',
  status_code: null,
  duration_ms: 250,
} as const;
const MESSAGE = {
  url: new URL('https://example.com/secret-path'),
  id: 'e',
  body: '{}',
  secrets: [],
  signal: new AbortController().signal,
};
const refusedRow = (kind: RefusedRow['kind']): RefusedRow => ({
  kind,
  intent_id: null,
  suspension_id: null,
  sequence: null,
  reason: '23505',
});

/** What activities use, measured; every call is answered at once unless something else is said. */
function bench(changes: object = {}) {
  const registry = new Registry();
  const recorded: unknown[] = [];
  const dependencies = {
    store: { writeRows: async () => [] },
    deliveries: {
      recordTry: async (tried: unknown) => {
        recorded.push(tried);
      },
    },
    sendWebhook: async () => ({}),
    now: () => new Date(instant(100)),
    ...changes,
  } as unknown as ActivityDependencies;
  const lines = async (name: string) =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));
  return { own: measured(dependencies, registry), registry, lines, recorded };
}

describe('the metrics of the journal', () => {
  const record = aRecord({ question: SEEDS.question });
  const ROWS: readonly JournalRow[] = [
    { kind: 'event', event: anEvent({ created_at: instant(98) }) },
    { kind: 'event', event: anEvent({ created_at: instant(96), actor: SEEDS.agentKey }) },
    { kind: 'intent', intent: anIntent(), last_sequence: 2 },
  ];

  it('count batches and rows, and tell how old the oldest change was', async () => {
    const { own, lines, registry } = bench();
    assert.deepEqual(await own.store.writeRows(ROWS), []);
    assert.deepEqual(await lines('holdpoint_journal_rows_total'), [
      'holdpoint_journal_rows_total{kind="event"} 2',
      'holdpoint_journal_rows_total{kind="intent"} 1',
    ]);
    assert.deepEqual(await lines('holdpoint_journal_batches_total'), [
      'holdpoint_journal_batches_total{outcome="written"} 1',
      'holdpoint_journal_batches_total{outcome="failed"} 0',
    ]);
    assert.deepEqual(await lines('holdpoint_journal_lag_seconds_sum'), [
      'holdpoint_journal_lag_seconds_sum 4',
    ]);
    assert.ok(!(await registry.metrics()).includes(SEEDS.agentKey));
  });

  const DATED = [
    [openedRow('i', aRecord({ suspended_at: instant(90) })), 10],
    [timelineRow('s', 93), 7],
    [settledRow('s', 1), 25],
  ] as const;
  for (const [row, seconds] of DATED) {
    it(`know when that was of a row ${row.kind}`, async () => {
      const { own, lines } = bench();
      await own.store.writeRows([row]);
      assert.deepEqual(await lines('holdpoint_journal_lag_seconds_sum'), [
        `holdpoint_journal_lag_seconds_sum ${seconds}`,
      ]);
    });
  }

  it('say nothing of the age of rows without an instant, and none is below zero', async () => {
    const { own, lines } = bench();
    await own.store.writeRows(ROWS.slice(2));
    await own.store.writeRows([{ kind: 'event', event: anEvent({ created_at: instant(101) }) }]);
    assert.deepEqual(await lines('holdpoint_journal_lag_seconds_sum'), [
      'holdpoint_journal_lag_seconds_sum 0',
    ]);
    assert.deepEqual(await lines('holdpoint_journal_lag_seconds_count'), [
      'holdpoint_journal_lag_seconds_count 1',
    ]);
  });

  it('count a batch that failed, and let its error pass', async () => {
    const failure = new Error('away');
    const { own, lines } = bench({ store: { writeRows: () => Promise.reject(failure) } });
    await assert.rejects(own.store.writeRows(ROWS), failure);
    assert.deepEqual(await lines('holdpoint_journal_batches_total'), [
      'holdpoint_journal_batches_total{outcome="written"} 0',
      'holdpoint_journal_batches_total{outcome="failed"} 1',
    ]);
    assert.deepEqual(await lines('holdpoint_journal_rows_total'), []);
  });

  it('count the rows that the store refused, and return them', async () => {
    const refused = [refusedRow('event')];
    const { own, lines } = bench({ store: { writeRows: async () => refused } });
    assert.deepEqual(await own.store.writeRows(ROWS), refused);
    assert.deepEqual(await lines('holdpoint_journal_refused_rows_total'), [
      'holdpoint_journal_refused_rows_total{kind="event"} 1',
    ]);
  });

  it('count questions, also those that were reconciled', async () => {
    const written: unknown[] = [];
    const reconciliation = { writeRows: async (...all: unknown[]) => void written.push(all) };
    const { own, lines } = bench({ reconciliation });
    const rows = [openedRow('i1', record), settledRow(record.id, 1)];
    await own.store.writeRows(rows);
    await own.reconciliation.writeRows(rows, 'team-b');
    assert.deepEqual(written, [[rows, 'team-b']]);
    assert.deepEqual(await lines('holdpoint_questions'), [
      'holdpoint_questions_asked_total 2',
      'holdpoint_questions_settled_total{resolution="responded",by="operator"} 2',
    ]);
  });

  it('count who settled a question, and the deadline of a portfolio as such', async () => {
    const { own, lines, registry } = bench();
    const answered = settledRow(record.id, 1);
    const settlement = {
      ...answered.settlement,
      resolution: 'expired',
      settled_by: 'clock',
      responded_by: SEEDS.operatorKey,
    } as const;
    await own.store.writeRows([
      answered,
      { ...answered, settlement },
      { ...answered, settlement: { ...settlement, reason: 'portfolio_deadline' } },
      { ...answered, settlement: { ...settlement, reason: SEEDS.reason } },
    ]);
    assert.deepEqual(await lines('holdpoint_questions_settled_total'), [
      'holdpoint_questions_settled_total{resolution="responded",by="operator"} 1',
      'holdpoint_questions_settled_total{resolution="expired",by="clock"} 2',
      'holdpoint_questions_settled_total{resolution="expired",by="deadline"} 1',
    ]);
    const text = await registry.metrics();
    for (const secret of [SEEDS.reason, SEEDS.operatorKey, 'dana']) {
      assert.ok(!text.includes(secret), secret);
    }
  });
});

describe('the metrics of deliveries', () => {
  it('count tries by channel and outcome, also those that cannot be recorded', async () => {
    const { own, lines, recorded } = bench();
    await own.deliveries.recordTry(TRY);
    assert.deepEqual(recorded, [TRY]);
    const away = bench({ deliveries: { recordTry: () => Promise.reject(new Error('away')) } });
    await assert.rejects(
      away.own.deliveries.recordTry({ ...TRY, outcome: 'no_reply_in_time' }),
      /away/,
    );
    assert.deepEqual(await lines('holdpoint_delivery_tries_total'), [
      'holdpoint_delivery_tries_total{channel="desk",outcome="delivered"} 1',
    ]);
    assert.deepEqual(await away.lines('holdpoint_delivery_tries_total'), [
      'holdpoint_delivery_tries_total{channel="desk",outcome="no_reply_in_time"} 1',
    ]);
    assert.deepEqual(await lines('holdpoint_delivery_try_duration_seconds_sum'), [
      'holdpoint_delivery_try_duration_seconds_sum{channel="desk"} 0.25',
    ]);
  });

  it('count posts to subscriptions, without their address', async () => {
    const outcomes = [new ChannelError('response_not_2xx', 'no'), new TypeError(SEEDS.context)].map(
      (error) => () => Promise.reject(error),
    );
    const sendWebhook = () => outcomes.shift()?.() ?? Promise.resolve({});
    const { own, lines, registry } = bench({ sendWebhook });
    await assert.rejects(own.sendWebhook(MESSAGE), ChannelError);
    await assert.rejects(own.sendWebhook(MESSAGE), TypeError);
    await own.sendWebhook(MESSAGE);
    assert.deepEqual(await lines('holdpoint_event_posts_total'), [
      'holdpoint_event_posts_total{outcome="response_not_2xx"} 1',
      'holdpoint_event_posts_total{outcome="channel_failed"} 1',
      'holdpoint_event_posts_total{outcome="delivered"} 1',
    ]);
    assert.doesNotMatch(await registry.metrics(), /secret-path|example\.com/);
  });
});

describe('the metrics of activities', () => {
  /** Runs an activity through the interceptor; returns what it counted. */
  async function counted(run: () => Promise<unknown>, isCalledOff = false) {
    const registry = new Registry();
    const cancel = new AbortController();
    if (isCalledOff) cancel.abort();
    const context = { info: { activityType: 'notify' }, cancellationSignal: cancel.signal };
    const { inbound } = countFailures(registry)(context as unknown as Context);
    const execute = inbound?.execute as NonNullable<ActivityInboundCallsInterceptor['execute']>;
    const ending = await execute({ args: [], headers: {} }, run).catch((error: unknown) => error);
    const { values } = (await registry
      .getSingleMetric('holdpoint_activity_failures_total')
      ?.get()) ?? {
      values: [],
    };
    return { ending, values: values.map(({ labels, value }) => [labels['activity'], value]) };
  }

  it('count each that fails, and let its error pass', async () => {
    const failure = new Error('no');
    assert.deepEqual(await counted(() => Promise.reject(failure)), {
      ending: failure,
      values: [['notify', 1]],
    });
  });

  it('count neither what succeeds nor what was called off', async () => {
    assert.deepEqual(await counted(async () => 7), { ending: 7, values: [] });
    const { values } = await counted(() => Promise.reject(new Error('off')), true);
    assert.deepEqual(values, []);
  });
});
