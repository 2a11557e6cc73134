import { Context, heartbeat, log, log as activityLog } from '@temporalio/activity';
import type { ServerConfig } from '../contracts/config.js';
import type {
  DeliveryReceipt,
  DeliveryTry,
  NotificationRequest,
} from '../contracts/notification.js';
import { shortened } from '../domain/kernel/text.js';
import type { DeliveryLog, HandedOver } from './channels/channel.js';
import { assertAllowedRecipient, selectChannel } from './channels/routing.js';
import type { Channels, SelectedChannel } from './channels/routing.js';
import { asFailure, failedTry, madeTry } from './channels/try-outcome.js';
import { redact } from './redaction.js';
import type { Activities } from './types.js';

/** How long the log may take and how often a running delivery shows life; milliseconds. */
export interface NotifyTiming {
  readonly logWaitMs: number;
  readonly heartbeatMs: number;
}

export interface NotifyPorts {
  readonly channels: Channels;
  readonly log: DeliveryLog;
  readonly config: ServerConfig;
  readonly now: () => Date;
  readonly timing?: NotifyTiming;
}

const TIMING: NotifyTiming = { logWaitMs: 2_000, heartbeatMs: 1_000 };

/**
 * The notify activity. A delivery that the log knows is not sent again: its receipt comes back
 * marked `duplicate`. The log serves the reminder, not the other way round: where it fails or does
 * not answer in time the message goes out all the same, with `delivery_id` as idempotency key for
 * channels that can tell a repeat. For the same reason a delivery that went out but could not be
 * recorded counts as delivered: failing it would make Temporal send it a second time.
 *
 * Every try is recorded, the failed ones too. Delivery is at least once: a worker that dies between
 * sending and recording sends again.
 *
 * Errors of a channel propagate and are retryable, but a ChannelError that is final.
 * `channel_not_configured` and `recipient_not_allowed` (R26-88) are non-retryable
 * ApplicationFailures. Cancelling the activity aborts the channel's signal; the heartbeats are what
 * lets a cancellation arrive.
 */
export function createNotifyActivities(ports: NotifyPorts): Pick<Activities, 'notify'> {
  const { logWaitMs, heartbeatMs } = ports.timing ?? TIMING;
  return {
    async notify(request) {
      const known = await tolerate('delivery_log_unread', request, logWaitMs, () =>
        ports.log.find(request.delivery_id),
      );
      if (known !== undefined) return { ...known, duplicate: true };
      const selected = route(request, ports.config.notifications, ports.channels);
      const beat = setInterval(heartbeat, heartbeatMs);
      try {
        return await deliver(request, selected, ports);
      } finally {
        clearInterval(beat);
      }
    },
  };
}

/** The channel of a message whose recipient may be notified; what it throws is said in one line. */
function route(
  { channel_hint, notify_to }: NotificationRequest,
  config: ServerConfig['notifications'],
  channels: Channels,
): SelectedChannel {
  try {
    const selected = selectChannel(channel_hint, config, channels);
    assertAllowedRecipient(notify_to, config.allowed_recipients);
    return selected;
  } catch (error) {
    activityLog.warn(error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** One try: sends, and records the try and, where it went out, the delivery. */
async function deliver(
  request: NotificationRequest,
  selected: SelectedChannel,
  ports: NotifyPorts,
): Promise<DeliveryReceipt> {
  const { info, cancellationSignal } = Context.current();
  const begun = ports.now();
  const record = (result: Pick<DeliveryTry, 'outcome' | 'status_code'>) =>
    recordTry(request, ports, {
      delivery_id: request.delivery_id,
      try_number: info.attempt,
      at: begun.toISOString(),
      channel: selected.name,
      ...result,
      duration_ms: Math.max(0, ports.now().getTime() - begun.getTime()),
    });
  try {
    const handedOver = await send(request, selected, ports);
    const receipt = receiptOf(selected.name, handedOver, info.attempt);
    await Promise.all([record(madeTry(handedOver)), recordDelivery(request, ports, receipt)]);
    return receipt;
  } catch (error) {
    const calledOff = cancellationSignal.aborted;
    const failed = failedTry(error, calledOff);
    const logged = { attempt: request.attempt, channel: selected.name, ...failed };
    if (!calledOff) activityLog.warn('delivery_try_failed', logged);
    await record(failed);
    throw asFailure(error, info.attempt);
  }
}

function send(
  request: NotificationRequest,
  { channel, e2e_encrypted }: SelectedChannel,
  { config }: NotifyPorts,
): Promise<HandedOver> {
  const { context_keys, personal_data_keys } = config.notifications;
  const rules = { context_keys, personal_data_keys, e2e_encrypted };
  return channel.deliver(redact(request, rules), {
    idempotencyKey: request.delivery_id,
    signal: Context.current().cancellationSignal,
  });
}

function receiptOf(channel: string, { reference }: HandedOver, tryNumber: number): DeliveryReceipt {
  return {
    channel,
    ...(reference !== undefined && { reference }),
    ...(tryNumber > 1 && { tries: tryNumber }),
  };
}

async function recordDelivery(
  request: NotificationRequest,
  { log, now, timing = TIMING }: NotifyPorts,
  receipt: DeliveryReceipt,
): Promise<void> {
  const deliveredAt = now().toISOString();
  await tolerate('delivery_not_recorded', request, timing.logWaitMs, () =>
    log.record(request.delivery_id, receipt, deliveredAt),
  );
}

async function recordTry(
  request: NotificationRequest,
  { log, timing = TIMING }: NotifyPorts,
  tried: DeliveryTry,
): Promise<void> {
  await tolerate('delivery_try_not_recorded', request, timing.logWaitMs, () =>
    log.recordTry(tried),
  );
}

/**
 * Runs a call to the record of deliveries; where it fails or takes longer than `waitMs` milliseconds,
 * logs `event` and goes on with undefined.
 */
export async function tolerate<T>(
  event: string,
  request: NotificationRequest,
  waitMs: number,
  call: () => Promise<T>,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${waitMs} ms`)), waitMs);
  });
  try {
    return await Promise.race([call(), late]);
  } catch (error) {
    log.warn(event, {
      suspension: shortened(request.suspension_id),
      attempt: request.attempt,
      reason: error instanceof Error ? error.message : String(error),
    });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
