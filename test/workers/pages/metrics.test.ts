import assert from 'node:assert/strict';
import type { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor, ActivityInterceptors } from '@temporalio/worker';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Registry } from 'prom-client';
import { ChannelError } from '../../../activities/channels/try-outcome.js';
import { createActivities } from '../../../activities/index.js';
import type { ActivityDependencies } from '../../../activities/dependencies.js';
import type { JournalRow, RefusedRow } from '../../../contracts/log/journal.js';
import { countFailures, measureJournal, measured } from '../../../workers/pages/metrics.js';
import { noQuestions } from '../../activities/support.js';
import { SEEDS } from '../../support/secrets.js';
import { aRecord, anEvent, anIntent, instant, openedRow, settledRow } from '../../store/rows.js';

const TRY = {
  delivery_id: 'd:1',
  try_number: 1,
  at: instant(0),
  channel: 'desk',
  outcome: 'delivered',
  status_code: null,
  duration_ms: 250,
} as const;
/** What nobody has tried yet is shown as 0, so that the first one is an increase. */
const UNTRIED = [
  'holdpoint_delivery_tries_total{channel="desk",outcome="address_missing"} 0',
  'holdpoint_delivery_tries_total{channel="other",outcome="address_missing"} 0',
  'holdpoint_delivery_tries_total{channel="desk",outcome="channel_not_configured"} 0',
  'holdpoint_delivery_tries_total{channel="other",outcome="channel_not_configured"} 0',
  'holdpoint_delivery_tries_total{channel="desk",outcome="recipient_not_allowed"} 0',
  'holdpoint_delivery_tries_total{channel="other",outcome="recipient_not_allowed"} 0',
  'holdpoint_delivery_tries_total{channel="desk",outcome="recipient_unknown"} 0',
  'holdpoint_delivery_tries_total{channel="other",outcome="recipient_unknown"} 0',
];
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

/** Among the open questions is one whose workflow was terminated. */
const oneLost = {
  ...noQuestions(),
  openIn: async function* () {
    yield [{ id: 's-1', space: 'default' }];
  },
  notSettled: async <T>(page: T) => page,
  endOf: async () => ({ kind: 'gone' }),
};

/** What activities use, measured; every call is answered at once unless something else is said. */
function bench(changes: object = {}) {
  const registry = new Registry();
  const recorded: unknown[] = [];
  const dependencies = {
    store: {
      writeRows: async () => [],
      findSuspension: async () => ({
        id: 's-1',
        state: 'settled',
        record: { resolution: 'cancelled' },
      }),
    },
    now: () => new Date(instant(100)),
    deliveries: {
      recordTry: async (tried: unknown) => {
        recorded.push(tried);
      },
    },
    sendWebhook: async () => ({}),
    config: { notifications: { channels: { desk: {} } } },
    ...changes,
  } as unknown as ActivityDependencies;
  const lines = async (name: string) =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));
  return { own: measured(dependencies, registry), registry, lines, recorded };
}

const LAG = 'holdpoint_journal_lag_seconds';
const noWork = (): Promise<unknown> => Promise.resolve();

function executeOf({ inbound }: ActivityInterceptors) {
  return inbound?.execute as NonNullable<ActivityInboundCallsInterceptor['execute']>;
}

describe('the metrics of the journal', () => {
  const ROWS: readonly JournalRow[] = [
    { kind: 'event', event: anEvent() },
    { kind: 'event', event: anEvent({ actor: SEEDS.agentKey }) },
    { kind: 'intent', intent: anIntent(), last_sequence: 2 },
  ];

  it('count batches, and return what the store refused', async () => {
    const refused = [refusedRow('event')];
    const { own, lines } = bench({ store: { writeRows: async () => refused } });
    assert.deepEqual(await own.store.writeRows(ROWS), refused);
    assert.deepEqual(await lines('holdpoint_journal_batches_total'), [
      'holdpoint_journal_batches_total{outcome="written"} 1',
      'holdpoint_journal_batches_total{outcome="failed"} 0',
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
      ...UNTRIED,
      'holdpoint_delivery_tries_total{channel="desk",outcome="delivered"} 1',
    ]);
    assert.deepEqual(await away.lines('holdpoint_delivery_tries_total'), [
      ...UNTRIED,
      'holdpoint_delivery_tries_total{channel="desk",outcome="no_reply_in_time"} 1',
    ]);
    assert.deepEqual(await lines('holdpoint_delivery_try_duration_seconds_sum'), [
      'holdpoint_delivery_try_duration_seconds_sum{channel="desk"} 0.25',
    ]);
  });

  it('count what the configuration forbids, without the name of a channel that it lacks', async () => {
    const { own, lines, registry } = bench();
    const forbidden = { ...TRY, duration_ms: 0 };
    await own.deliveries.recordTry({
      ...forbidden,
      channel: SEEDS.question,
      outcome: 'channel_not_configured',
    });
    await own.deliveries.recordTry({ ...forbidden, outcome: 'recipient_not_allowed' });
    assert.deepEqual(
      (await lines('holdpoint_delivery_tries_total')).filter((line) => line.endsWith(' 1')),
      [
        'holdpoint_delivery_tries_total{channel="other",outcome="channel_not_configured"} 1',
        'holdpoint_delivery_tries_total{channel="desk",outcome="recipient_not_allowed"} 1',
      ],
    );
    assert.deepEqual(await lines('holdpoint_delivery_try_duration_seconds_count'), []);
    assert.ok(!(await registry.metrics()).includes(SEEDS.question));
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

describe('the lag of the journal', () => {
  const HOUR_MS = 3_600_000;

  /** Runs an activity that was scheduled at an instant through the interceptor; returns what it observed. */
  async function observed(scheduledAt: string, activityType = 'writeJournal', run = noWork) {
    const registry = new Registry();
    const scheduledTimestampMs = Date.parse(scheduledAt);
    const context = { info: { activityType, scheduledTimestampMs } } as unknown as Context;
    const factory = measureJournal(registry, () => Date.parse(instant(100)));
    const execute = executeOf(factory(context));
    // What waited on purpose, and what is written once more, is old.
    const asked = new Date(Date.parse(instant(100)) - 5 * HOUR_MS).toISOString();
    const rows = [openedRow('i', aRecord({ suspended_at: asked })), settledRow('s', 1)];
    await execute({ args: [rows], headers: {} }, run).catch(() => undefined);
    const { values } = (await registry.getSingleMetric(LAG)?.get()) ?? { values: [] };
    const named = values as readonly { readonly metricName?: string; readonly value: number }[];
    return named
      .filter(({ metricName = '' }) => /_(?:sum|count)$/.test(metricName))
      .map(({ value }) => value);
  }

  it('is how long a batch was under way, however old its rows are', async () => {
    assert.deepEqual(await observed(instant(97)), [3, 1]);
  });

  it('is never below zero', async () => {
    assert.deepEqual(await observed(instant(101)), [0, 1]);
  });

  it('counts neither a try that failed nor another activity', async () => {
    const failing = () => Promise.reject(new Error('away'));
    assert.deepEqual(await observed(instant(97), 'writeJournal', failing), [0, 0]);
    assert.deepEqual(await observed(instant(97), 'notify'), [0, 0]);
  });
});

describe('the metrics of the reconciler', () => {
  it('count what a look finds, and begin with 0', async () => {
    const { own, lines } = bench({ reconciliation: oneLost });
    const shown = (lost: number) => [
      'holdpoint_reconciler_findings_total{finding="written"} 0',
      `holdpoint_reconciler_findings_total{finding="lost"} ${lost}`,
      'holdpoint_reconciler_findings_total{finding="missing"} 0',
      'holdpoint_reconciler_findings_total{finding="unknown"} 0',
      'holdpoint_reconciler_findings_total{finding="behind"} 0',
      'holdpoint_reconciler_findings_total{finding="handed_in"} 0',
      'holdpoint_reconciler_findings_total{finding="contradicted"} 0',
      'holdpoint_reconciler_findings_total{finding="failed"} 0',
    ];
    assert.deepEqual(await lines('holdpoint_reconciler_findings_total'), shown(0));
    const activities = createActivities(own);
    const look = () => activities.reconcile({ since: null });
    await new MockActivityEnvironment().run(look);
    assert.deepEqual(await lines('holdpoint_reconciler_findings_total'), shown(1));
  });
});

describe('the metrics of activities', () => {
  /** Runs an activity through the interceptor; returns what it counted. */
  async function counted(run: () => Promise<unknown>, isCalledOff = false) {
    const registry = new Registry();
    const cancel = new AbortController();
    if (isCalledOff) cancel.abort();
    const context = { info: { activityType: 'notify' }, cancellationSignal: cancel.signal };
    const execute = executeOf(countFailures(registry)(context as unknown as Context));
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
