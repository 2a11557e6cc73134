import { Context, heartbeat, log } from '@temporalio/activity';
import type {
  DeliveryReceipt,
  DeliveryTry,
  NotificationRequest,
  OpeningRest,
  Undeliverable,
} from '../contracts/notification.js';
import type { HandedOver } from './channels/channel.js';
import { assertAllowedRecipient, selectChannel, undeliverableOf } from './channels/routing.js';
import type { SelectedChannel } from './channels/routing.js';
import { asFailure, failedTry, madeTry } from './channels/try-outcome.js';
import type { ActivityDependencies } from './dependencies.js';
import { redact } from './redaction.js';
import { tolerate } from './tolerate.js';
import { writeOpening } from './write-opening.js';
import type { OpeningDependencies } from './write-opening.js';

/** How long the store may take beside a delivery, and how often a delivery sends a heartbeat; milliseconds. */
export interface NotifyTiming {
  readonly logWaitMs: number;
  readonly heartbeatMs: number;
}

export type NotifyDependencies = Pick<
  ActivityDependencies,
  'channels' | 'deliveries' | 'config' | 'now'
> &
  Pick<OpeningDependencies, 'store'> & { readonly timing?: NotifyTiming };

const TIMING: NotifyTiming = { logWaitMs: 2_000, heartbeatMs: 1_000 };

/**
 * Delivers one notification. A delivery that the log knows is not sent again: its receipt is returned, marked
 * `duplicate`. If the log fails or does not answer in time, the message is sent all the same, with
 * `delivery_id` as idempotency key for channels that can recognise a repeat. For the same reason a sent
 * message that could not be recorded counts as delivered: an error would make Temporal send it again.
 *
 * Every try is recorded, failed ones too, and those that the configuration forbids. Delivery is at least once: after a
 * worker that dies between sending and recording, another one sends again.
 *
 * Errors of a channel are thrown and retryable, except a final ChannelError. `channel_not_configured` and
 * `recipient_not_allowed` (R26-88) are non-retryable ApplicationFailures. Cancelling the activity aborts the
 * channel's signal; a cancellation arrives with a heartbeat.
 *
 * @param rest - if given, each try also writes the opening row of the question, while it delivers (docs/adr/0053); the
 * receipt says whether the store has it
 */
export async function notify(
  dependencies: NotifyDependencies,
  request: NotificationRequest,
  rest?: OpeningRest,
): Promise<DeliveryReceipt> {
  if (rest === undefined) return deliverOnce(dependencies, request);
  const { store, timing = TIMING } = dependencies;
  const writing = writeOpening({ store, waitMs: timing.logWaitMs }, request, rest);
  try {
    const receipt = await deliverOnce(dependencies, request);
    return (await writing) ? { ...receipt, opening_written: true } : receipt;
  } finally {
    await writing;
  }
}

async function deliverOnce(
  dependencies: NotifyDependencies,
  request: NotificationRequest,
): Promise<DeliveryReceipt> {
  const { deliveries } = dependencies;
  const { logWaitMs, heartbeatMs } = dependencies.timing ?? TIMING;
  const known = await tolerate('delivery_log_unread', request, logWaitMs, () =>
    deliveries.find(request.delivery_id),
  );
  if (known !== undefined) return { ...known, duplicate: true };
  const selected = await route(request, dependencies);
  const beat = setInterval(heartbeat, heartbeatMs);
  try {
    return await deliver(request, selected, dependencies);
  } finally {
    clearInterval(beat);
  }
}

/** Selects the channel and checks the recipient; an error is logged in one line, and recorded as a try. */
async function route(
  request: NotificationRequest,
  dependencies: NotifyDependencies,
): Promise<SelectedChannel> {
  const { notifications } = dependencies.config;
  const { channel_hint, notify_to } = request;
  try {
    const selected = selectChannel(channel_hint, notifications, dependencies.channels);
    assertAllowedRecipient(notify_to, notifications.allowed_recipients);
    return selected;
  } catch (error) {
    log.warn(error instanceof Error ? error.message : String(error));
    const outcome = undeliverableOf(error);
    if (outcome) await recordUntried(request, dependencies, outcome);
    throw error;
  }
}

async function recordUntried(
  request: NotificationRequest,
  dependencies: NotifyDependencies,
  outcome: Undeliverable,
): Promise<void> {
  await recordTry(request, dependencies, {
    delivery_id: request.delivery_id,
    try_number: Context.current().info.attempt,
    at: dependencies.now().toISOString(),
    channel: request.channel_hint ?? dependencies.config.notifications.default_channel,
    outcome,
    status_code: null,
    duration_ms: 0,
  });
}

/** One try: sends the message, and records the try and, if it was sent, the delivery. */
async function deliver(
  request: NotificationRequest,
  selected: SelectedChannel,
  dependencies: NotifyDependencies,
): Promise<DeliveryReceipt> {
  const { info, cancellationSignal } = Context.current();
  const begun = dependencies.now();
  const record = (result: Pick<DeliveryTry, 'outcome' | 'status_code'>) =>
    recordTry(request, dependencies, {
      delivery_id: request.delivery_id,
      try_number: info.attempt,
      at: begun.toISOString(),
      channel: selected.name,
      ...result,
      duration_ms: Math.max(0, dependencies.now().getTime() - begun.getTime()),
    });
  try {
    const handedOver = await send(request, selected, dependencies);
    const sentAt = dependencies.now();
    const receipt = receiptOf(selected.name, handedOver, info.attempt, sentAt);
    await Promise.all([
      record(madeTry(handedOver)),
      recordDelivery(request, dependencies, receipt),
    ]);
    return receipt;
  } catch (error) {
    const calledOff = cancellationSignal.aborted;
    const failed = failedTry(error, calledOff);
    const logged = { attempt: request.attempt, channel: selected.name, ...failed };
    if (!calledOff) log.warn('delivery_try_failed', logged);
    await record(failed);
    throw asFailure(error, info.attempt);
  }
}

function send(
  request: NotificationRequest,
  { channel, e2e_encrypted }: SelectedChannel,
  { config }: NotifyDependencies,
): Promise<HandedOver> {
  const { context_keys, personal_data_keys } = config.notifications;
  const rules = { context_keys, personal_data_keys, e2e_encrypted };
  return channel.deliver(redact(request, rules), {
    idempotencyKey: request.delivery_id,
    signal: Context.current().cancellationSignal,
  });
}

function receiptOf(
  channel: string,
  { reference }: HandedOver,
  tryNumber: number,
  sentAt: Date,
): DeliveryReceipt {
  return {
    channel,
    delivered_at: sentAt.toISOString(),
    ...(reference !== undefined && { reference }),
    ...(tryNumber > 1 && { tries: tryNumber }),
  };
}

async function recordDelivery(
  request: NotificationRequest,
  { deliveries, timing = TIMING }: NotifyDependencies,
  receipt: DeliveryReceipt,
): Promise<void> {
  await tolerate('delivery_not_recorded', request, timing.logWaitMs, () =>
    deliveries.record(request.delivery_id, receipt),
  );
}

async function recordTry(
  request: NotificationRequest,
  { deliveries, timing = TIMING }: NotifyDependencies,
  tried: DeliveryTry,
): Promise<void> {
  await tolerate('delivery_try_not_recorded', request, timing.logWaitMs, () =>
    deliveries.recordTry(tried),
  );
}
