import { Context, log } from '@temporalio/activity';
import type { SentMessage } from '../contracts/channel/follow-up.js';
import type {
  DeliveryReceipt,
  DeliveryTry,
  NotificationRequest,
} from '../contracts/channel/notification.js';
import { redact } from '../domain/suspension/telling/redaction.js';
import type { Addressee, DeliverOptions, HandedOver } from './channels/channel.js';
import type { SelectedChannel } from './channels/routing.js';
import { asFailure, failedTry, madeTry } from './channels/try-outcome.js';
import type { ActivityDependencies, NotifyTiming } from './dependencies.js';
import { ownSpace } from './own-call.js';
import { tolerate } from './failures.js';
import { defined } from '../contracts/constants/defined.js';

export const TIMING: NotifyTiming = { logWaitMs: 2_000, heartbeatMs: 1_000 };

type Whom = Pick<DeliverOptions, 'to' | 'addressed'>;

export type TryDependencies = Pick<
  ActivityDependencies,
  'deliveries' | 'config' | 'now' | 'timing'
>;

/**
 * Makes one try of a delivery: sends the message, and records the try and, if it was sent, the delivery. Throws the
 * error of the channel as a Temporal failure.
 *
 * @param whom - the recipient, if the channel reaches people by their addresses, or else the people whom the message
 * is for
 */
export async function tryOnce(
  request: NotificationRequest,
  selected: SelectedChannel,
  dependencies: TryDependencies,
  whom: Whom,
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
    const handedOver = await send(request, selected, dependencies, whom);
    const sentAt = dependencies.now();
    const receipt = receiptOf(selected.name, handedOver, info.attempt, sentAt);
    await Promise.all([
      record(madeTry(handedOver)),
      recordDelivery(request, dependencies, receipt, followedOf(request, selected, whom.to)),
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

/** Returns what to store about a message so that it can be updated later; undefined if its channel cannot update. */
function followedOf(
  { alert, question_version: shows = 1 }: NotificationRequest,
  { channel }: SelectedChannel,
  to: Addressee | undefined,
): Pick<SentMessage, 'person' | 'shows'> | undefined {
  if (channel.update === undefined || alert !== undefined) return undefined;
  return { person: to?.principal ?? null, shows };
}

function send(
  request: NotificationRequest,
  { channel, e2e_encrypted }: SelectedChannel,
  { config }: TryDependencies,
  whom: Whom,
): Promise<HandedOver> {
  const { context_keys, personal_data_keys } = config.notifications;
  const rules = { context_keys, personal_data_keys, e2e_encrypted };
  return channel.deliver(redact(request, rules), {
    idempotencyKey: request.delivery_id,
    signal: Context.current().cancellationSignal,
    ...whom,
    ...(request.alert === undefined && {
      asks: { space: ownSpace(), question_version: request.question_version ?? 1 },
    }),
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
    ...defined({ reference }),
    ...(tryNumber > 1 && { tries: tryNumber }),
  };
}

/** Records a delivery in the log; logs a warning if the log is unavailable. */
export async function recordDelivery(
  request: Pick<NotificationRequest, 'delivery_id' | 'suspension_id' | 'attempt'>,
  { deliveries, timing = TIMING }: TryDependencies,
  receipt: DeliveryReceipt,
  followed?: Pick<SentMessage, 'person' | 'shows'>,
): Promise<void> {
  await tolerate('delivery_not_recorded', request, timing.logWaitMs, () =>
    deliveries.record(request.delivery_id, receipt, followed),
  );
}

export async function recordTry(
  request: Pick<NotificationRequest, 'suspension_id' | 'attempt'>,
  { deliveries, timing = TIMING }: TryDependencies,
  tried: DeliveryTry,
): Promise<void> {
  await tolerate('delivery_try_not_recorded', request, timing.logWaitMs, () =>
    deliveries.recordTry(tried),
  );
}

/** Records a try that the configuration forbids, under the channel that was asked for. */
export async function recordUntried(
  request: NotificationRequest,
  dependencies: TryDependencies,
  outcome: DeliveryTry['outcome'],
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

/** Returns the delivery with this id; undefined if the log has none or cannot be read in time. */
export function deliveredBefore(
  request: Pick<NotificationRequest, 'delivery_id' | 'suspension_id' | 'attempt'>,
  { deliveries, timing = TIMING }: TryDependencies,
): Promise<DeliveryReceipt | undefined> {
  return tolerate('delivery_log_unread', request, timing.logWaitMs, () =>
    deliveries.find(request.delivery_id),
  );
}
