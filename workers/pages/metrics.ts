import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { failedTry } from '../../activities/channels/try-outcome.js';
import type { WebhookSender } from '../../activities/channels/webhook/sender.js';
import type { ActivityDependencies, ActivityStore } from '../../activities/dependencies.js';
import type { JournalRow } from '../../contracts/journal.js';
import type { DeliveryTry } from '../../contracts/notification.js';
import { questionCounter } from '../../runtime/metrics/questions.js';

/** Seconds. Usually a row is written within some hundredths, after an outage of the store after hours. */
const LAG_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];
/** Seconds. A try may take 20 at most. */
const TRY_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/**
 * What activities use, with counters around it: journal, deliveries and posts to subscriptions. All labels come from
 * the configuration or from lists in the code, and hold nothing that callers wrote.
 */
export function measured(
  dependencies: ActivityDependencies,
  registry: Registry,
): ActivityDependencies {
  const { store, deliveries, reconciliation, sendWebhook, now } = dependencies;
  const countTry = tryCounter(registry);
  const countQuestions = questionCounter(registry);
  return {
    ...dependencies,
    store: { ...store, writeRows: measuredJournal(store.writeRows, now, registry, countQuestions) },
    reconciliation: {
      ...reconciliation,
      writeRows: async (rows, space) => {
        await reconciliation.writeRows(rows, space);
        countQuestions(rows);
      },
    },
    deliveries: {
      ...deliveries,
      recordTry: (tried) => {
        countTry(tried);
        return deliveries.recordTry(tried);
      },
    },
    sendWebhook: measuredPosts(sendWebhook, registry),
  };
}

type WriteRows = ActivityStore['writeRows'];

function measuredJournal(
  write: WriteRows,
  now: () => Date,
  registry: Registry,
  countQuestions: (rows: readonly JournalRow[]) => void,
): WriteRows {
  const registers = [registry];
  const batches = new Counter({
    name: 'holdpoint_journal_batches_total',
    help: 'Batches of rows that were handed to the store: written, or failed and to be tried again.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const written = new Counter({
    name: 'holdpoint_journal_rows_total',
    help: 'Rows that the store took, repeated and refused ones included.',
    labelNames: ['kind'] as const,
    registers,
  });
  const refused = new Counter({
    name: 'holdpoint_journal_refused_rows_total',
    help: 'Rows that the store refused for good.',
    labelNames: ['kind'] as const,
    registers,
  });
  const lag = new Histogram({
    name: 'holdpoint_journal_lag_seconds',
    help: 'How old the oldest change of a batch was when the batch was written.',
    buckets: LAG_BUCKETS,
    registers,
  });
  // An increase shows only from a value on that was there before.
  for (const outcome of ['written', 'failed']) batches.inc({ outcome }, 0);
  return async (rows) => {
    const refusedRows = await write(rows).catch((error: unknown) => {
      batches.inc({ outcome: 'failed' });
      throw error;
    });
    batches.inc({ outcome: 'written' });
    for (const { kind } of refusedRows) refused.inc({ kind });
    for (const { kind } of rows) written.inc({ kind });
    countQuestions(rows);
    const instants = rows.map(instantOf).filter((instant) => instant !== undefined);
    if (instants.length > 0) lag.observe(secondsSince(instants, now()));
    return refusedRows;
  };
}

/** When that happened which a row tells of; undefined of rows that only say how something is. */
function instantOf(row: JournalRow): string | undefined {
  if (row.kind === 'event') return row.event.created_at;
  if (row.kind === 'timeline') return row.entry.at;
  if (row.kind === 'suspension_opened') return row.record.suspended_at;
  return row.kind === 'suspension_settled' ? row.settlement.settled_at : undefined;
}

/** How long ago the earliest of some instants was. */
function secondsSince(instants: readonly string[], now: Date): number {
  const earliest = Math.min(...instants.map((instant) => Date.parse(instant)));
  return Math.max(0, now.getTime() - earliest) / 1_000;
}

function tryCounter(registry: Registry): (tried: DeliveryTry) => void {
  const tries = new Counter({
    name: 'holdpoint_delivery_tries_total',
    help: 'Tries to deliver a notification, by how they ended.',
    labelNames: ['channel', 'outcome'] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'holdpoint_delivery_try_duration_seconds',
    help: 'How long tries took, failed ones included.',
    labelNames: ['channel'] as const,
    buckets: TRY_BUCKETS,
    registers: [registry],
  });
  return ({ channel, outcome, duration_ms }) => {
    tries.inc({ channel, outcome });
    durations.observe({ channel }, duration_ms / 1_000);
  };
}

function measuredPosts(send: WebhookSender, registry: Registry): WebhookSender {
  const posts = new Counter({
    name: 'holdpoint_event_posts_total',
    help: 'Tries to post an event to a webhook subscription, by how they ended.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  return async (message) => {
    try {
      const taken = await send(message);
      posts.inc({ outcome: 'delivered' });
      return taken;
    } catch (error) {
      posts.inc({ outcome: failedTry(error, message.signal.aborted).outcome });
      throw error;
    }
  };
}

/** Counts activities that fail, each try for itself; those that were called off do not count. */
export function countFailures(registry: Registry): ActivityInterceptorsFactory {
  const failures = new Counter({
    name: 'holdpoint_activity_failures_total',
    help: 'Tries of activities that failed, also those that are expected to fail now and then.',
    labelNames: ['activity'] as const,
    registers: [registry],
  });
  return ({ info, cancellationSignal }) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          if (!cancellationSignal.aborted) failures.inc({ activity: info.activityType });
          throw error;
        }
      },
    },
  });
}
