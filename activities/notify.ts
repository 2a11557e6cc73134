import { heartbeat, log } from '@temporalio/activity';
import type {
  DeliveryReceipt,
  NotificationRequest,
  OpeningRest,
} from '../contracts/notification.js';
import { assertAllowedRecipient, selectChannel, undeliverableOf } from './channels/routing.js';
import type { SelectedChannel } from './channels/routing.js';
import { deliverToPeople } from './deliver-to-people.js';
import type { PeopleDependencies } from './deliver-to-people.js';
import type { ActivityDependencies } from './dependencies.js';
import { TIMING, deliveredBefore, recordUntried, tryOnce } from './one-try.js';
import { reasonOf } from './reason.js';
import { writeOpening } from './write-opening.js';
import type { OpeningDependencies } from './write-opening.js';

export type NotifyDependencies = Pick<ActivityDependencies, 'channels'> &
  PeopleDependencies &
  Pick<OpeningDependencies, 'store'>;

/**
 * Delivers one notification. A delivery that the log knows is not sent again: its receipt is returned, marked
 * `duplicate`. If the log fails or does not answer in time, the message is sent all the same, with
 * `delivery_id` as idempotency key for channels that can recognise a repeat. For the same reason a sent
 * message that could not be recorded counts as delivered: an error would make Temporal send it again.
 *
 * Every try is recorded, failed ones too, and those that the configuration forbids. Delivery is at least once: after a
 * worker that dies between sending and recording, another one sends again.
 *
 * Errors of a channel are thrown and retryable, except a final ChannelError. `channel_not_configured`,
 * `recipient_not_allowed` (R26-88), `recipient_unknown` and `address_missing` are non-retryable ApplicationFailures.
 * Cancelling the activity aborts the channel's signal; a cancellation arrives with a heartbeat.
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
  const known = await deliveredBefore(request, dependencies);
  if (known !== undefined) return { ...known, duplicate: true };
  const selected = await route(request, dependencies);
  const { reaches } = selected.channel;
  if (reaches !== undefined)
    return deliverToPeople(request, { ...selected, reaches }, dependencies);
  const beat = setInterval(heartbeat, (dependencies.timing ?? TIMING).heartbeatMs);
  try {
    return await tryOnce(request, selected, dependencies);
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
    log.warn(reasonOf(error));
    const outcome = undeliverableOf(error);
    if (outcome) await recordUntried(request, dependencies, outcome);
    throw error;
  }
}
