import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { Counter, Histogram, type Registry } from 'prom-client';
import { shownChannel } from '../../activities/channels/routing.js';
import { failedTry } from '../../activities/channels/try-outcome.js';
import type { WebhookSender } from '../../activities/channels/webhook/sender.js';
import type { ActivityDependencies } from '../../activities/dependencies.js';
import { NO_FINDINGS } from '../../activities/look.js';
import type { ActivityStore } from '../../activities/ports/store.js';
import type { Activities, Finding } from '../../activities/types.js';
import type { ServerConfig } from '../../contracts/server/config.js';
import { UNDELIVERABLE, type DeliveryTry } from '../../contracts/channel/notification.js';

/** Seconds. A batch usually takes some hundredths; after an outage of the store, hours. */
const LAG_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];
/** Seconds. A try may take 20 at most. */
const TRY_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** The activity by which workflows write rows to the store. */
const JOURNAL: keyof Activities = 'writeJournal';

/**
 * Adds counters to what activities use: journal, deliveries and posts to subscriptions. Labels come from the
 * configuration or the code, never from callers.
 */
export function measured(
  dependencies: ActivityDependencies,
  registry: Registry,
): ActivityDependencies {
  const { store, deliveries, sendWebhook, config } = dependencies;
  const countTry = tryCounter(registry, config.notifications);
  return {
    ...dependencies,
    store: { ...store, writeRows: measuredJournal(store.writeRows, registry) },
    deliveries: {
      ...deliveries,
      recordTry: (tried) => {
        countTry(tried);
        return deliveries.recordTry(tried);
      },
    },
    sendWebhook: measuredPosts(sendWebhook, registry),
    found: findingCounter(registry),
  };
}

type WriteRows = ActivityStore['writeRows'];

function measuredJournal(write: WriteRows, registry: Registry): WriteRows {
  const registers = [registry];
  const batches = new Counter({
    name: 'holdpoint_journal_batches_total',
    help: 'Batches of rows that were handed to the store: written, or failed and to be tried again.',
    labelNames: ['outcome'] as const,
    registers,
  });
  // An increase shows only if the counter had a value before.
  for (const outcome of ['written', 'failed']) batches.inc({ outcome }, 0);
  return async (rows) => {
    const refusedRows = await write(rows).catch((error: unknown) => {
      batches.inc({ outcome: 'failed' });
      throw error;
    });
    batches.inc({ outcome: 'written' });
    return refusedRows;
  };
}

function tryCounter(
  registry: Registry,
  config: ServerConfig['notifications'],
): (tried: DeliveryTry) => void {
  const tries = new Counter({
    name: 'holdpoint_delivery_tries_total',
    help: 'Tries to deliver a notification, by how they ended; also those that the configuration forbids.',
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
  // An increase shows only if the counter had a value before.
  for (const outcome of UNDELIVERABLE) {
    for (const channel of [...Object.keys(config.channels), 'other'])
      tries.inc({ channel, outcome }, 0);
  }
  return ({ channel: name, outcome, duration_ms }) => {
    const channel = shownChannel(name, config);
    tries.inc({ channel, outcome });
    // It took no time, and so is no measurement of the channel.
    if (UNDELIVERABLE.some((one) => one === outcome)) return;
    durations.observe({ channel }, duration_ms / 1_000);
  };
}

const FINDINGS = { ...NO_FINDINGS, failed: 0 } satisfies Record<Finding, number>;

function findingCounter(registry: Registry): (finding: Finding) => void {
  const findings = new Counter({
    name: 'holdpoint_reconciler_findings_total',
    help: 'What the reconciler found to be otherwise in the store than in Temporal, by what it was.',
    labelNames: ['finding'] as const,
    registers: [registry],
  });
  // An increase shows only if the counter had a value before.
  for (const finding of Object.keys(FINDINGS)) findings.inc({ finding }, 0);
  return (finding) => findings.inc({ finding });
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

/** Counts failed tries of activities, except those that were cancelled. */
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

/**
 * Measures how long batches of rows take, by their activity: many rows wait on purpose, or are written again later.
 *
 * @param now - milliseconds since the epoch
 */
export function measureJournal(
  registry: Registry,
  now: () => number = Date.now,
): ActivityInterceptorsFactory {
  const lag = new Histogram({
    name: 'holdpoint_journal_lag_seconds',
    help: 'From when a workflow handed over a batch of rows until the store had it, all tries included.',
    buckets: LAG_BUCKETS,
    registers: [registry],
  });
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const result = await next(input);
        if (info.activityType === JOURNAL) {
          lag.observe(Math.max(0, now() - info.scheduledTimestampMs) / 1_000);
        }
        return result;
      },
    },
  });
}
