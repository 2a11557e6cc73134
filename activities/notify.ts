import { Context, heartbeat, log as activityLog } from '@temporalio/activity';
import type { ServerConfig } from '../contracts/config.js';
import type { DeliveryReceipt, NotificationRequest } from '../contracts/notification.js';
import { assertAllowedRecipient } from './allowlist.js';
import { selectChannel } from './channels/registry.js';
import type { Channels, SelectedChannel } from './channels/registry.js';
import type { DeliveryLog } from './ports.js';
import { shortened } from '../domain/shortened-id.js';
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
 * Delivery is at least once: a worker that dies between sending and recording sends again.
 *
 * Errors of a channel propagate and are retryable. `channel_not_configured` and
 * `recipient_not_allowed` (R26-88) are non-retryable ApplicationFailures. Cancelling the activity
 * aborts the channel's signal; the heartbeats are what lets a cancellation arrive.
 */
export function createNotifyActivities(ports: NotifyPorts): Pick<Activities, 'notify'> {
  const { notifications } = ports.config;
  const { logWaitMs, heartbeatMs } = ports.timing ?? TIMING;
  return {
    async notify(request) {
      const known = await tolerate('delivery_log_unread', request, logWaitMs, () =>
        ports.log.find(request.delivery_id),
      );
      if (known !== undefined) return { ...known, duplicate: true };
      const selected = route(request, notifications, ports.channels);
      const rules = {
        context_keys: notifications.context_keys,
        e2e_encrypted: selected.e2e_encrypted,
      };
      const receipt = await deliver(request, selected, rules, heartbeatMs);
      const deliveredAt = ports.now().toISOString();
      await tolerate('delivery_not_recorded', request, logWaitMs, () =>
        ports.log.record(request.delivery_id, receipt, deliveredAt),
      );
      return receipt;
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

async function deliver(
  request: NotificationRequest,
  { name, channel }: SelectedChannel,
  rules: Parameters<typeof redact>[1],
  heartbeatMs: number,
): Promise<DeliveryReceipt> {
  const beat = setInterval(heartbeat, heartbeatMs);
  try {
    const { reference } = await channel.deliver(redact(request, rules), {
      idempotencyKey: request.delivery_id,
      signal: Context.current().cancellationSignal,
    });
    return { channel: name, ...(reference === undefined ? {} : { reference }) };
  } finally {
    clearInterval(beat);
  }
}

/** Runs a call to the log; where it fails or takes longer than `waitMs`, says so and goes on. */
async function tolerate<T>(
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
    activityLog.warn(event, {
      suspension: shortened(request.suspension_id),
      attempt: request.attempt,
      reason: error instanceof Error ? error.message : String(error),
    });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
