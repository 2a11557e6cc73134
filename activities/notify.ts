import { Context, heartbeat, log } from '@temporalio/activity';
import type {
  DeliveryReceipt,
  NotificationRequest,
  RowBeside,
} from '../contracts/channel/notification.js';
import type { JournalRow } from '../contracts/log/journal.js';
import { openingBeside } from '../domain/suspension/record/opening-row.js';
import {
  assertAllowedRecipient,
  selectChannel,
  undeliverableOf,
  type SelectedChannel,
} from './channels/routing.js';
import { audienceOf } from '../domain/directory/audience.js';
import { audienceHere, deliverToPeople, type PeopleDependencies } from './deliver-to-people.js';
import { TIMING, deliveredBefore, recordUntried, tryOnce } from './one-try.js';
import { ownSpace } from './own-call.js';
import type { ActivityStore } from './ports/store.js';
import { reasonOf, tolerate } from './failures.js';

export type NotifyDependencies = PeopleDependencies & { readonly store: RowStore };

type RowStore = Pick<ActivityStore, 'writeRows' | 'findSuspension'>;

/**
 * Delivers one notification at least once. A delivery that the log knows returns its receipt, marked `duplicate`. If
 * the log is unavailable, the message is sent all the same, with `delivery_id` as idempotency key. Every try is
 * recorded.
 *
 * Errors of a channel are retryable, except a final ChannelError. `channel_not_configured`, `recipient_not_allowed`
 * (R26-88), `recipient_unknown`, `address_missing` and `nobody_may_decide` are non-retryable. Cancelling the activity
 * aborts the channel's signal.
 *
 * @param beside - a row of the question that each try also writes
 */
export async function notify(
  dependencies: NotifyDependencies,
  request: NotificationRequest,
  beside?: RowBeside,
): Promise<DeliveryReceipt> {
  if (beside === undefined) return deliverOnce(dependencies, request);
  const { store, timing = TIMING } = dependencies;
  const writing = writeBeside(store, timing.logWaitMs, request, beside);
  try {
    const receipt = await deliverOnce(dependencies, request);
    return (await writing) ? { ...receipt, row_written: true } : receipt;
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
  const { reaches, tellsNobody } = selected.channel;
  if (tellsNobody) {
    const delivered_at = dependencies.now().toISOString();
    return { channel: selected.name, delivered_at, told: 'nobody' };
  }
  if (reaches !== undefined)
    return deliverToPeople(request, { ...selected, reaches }, dependencies);
  const beat = setInterval(heartbeat, (dependencies.timing ?? TIMING).heartbeatMs);
  try {
    return await tryInOnePlace(request, selected, dependencies);
  } finally {
    clearInterval(beat);
  }
}

/**
 * Sends a message to a channel with one place for all. The message only informs if its audience is known and none of
 * them may decide.
 */
function tryInOnePlace(
  request: NotificationRequest,
  selected: SelectedChannel,
  dependencies: NotifyDependencies,
): Promise<DeliveryReceipt> {
  const addressed = audienceOf(
    request,
    selected.channel.mentions,
    audienceHere(dependencies.config, ownSpace()),
  );
  const informs = addressed.length > 0 && !addressed.some(({ decides }) => decides);
  const message = informs ? { ...request, informs } : request;
  return tryOnce(message, selected, dependencies, { addressed });
}

/** Selects the channel and checks the recipient; logs an error in one line, and records it as a try. */
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

/**
 * Writes a row of a question during its delivery; returns whether the store has it. Never rejects: a failure or
 * timeout is logged, and the question writes the row.
 */
async function writeBeside(
  store: RowStore,
  waitMs: number,
  request: NotificationRequest,
  beside: RowBeside,
): Promise<boolean> {
  const written = await tolerate('row_not_written', request, waitMs, async () => {
    if ('opening' in beside && (await isThere(store, request))) return true;
    const refused = await store.writeRows([rowOf(request, beside)]);
    for (const row of refused) log.error('journal row refused', { ...row });
    return true;
  });
  return written ?? false;
}

function rowOf(request: NotificationRequest, beside: RowBeside): JournalRow {
  return 'opening' in beside ? openingBeside(request, beside.opening) : beside.progress;
}

/** Whether an earlier try wrote the opening; a first try need not look. */
async function isThere(store: RowStore, { suspension_id }: NotificationRequest): Promise<boolean> {
  if (Context.current().info.attempt === 1) return false;
  return (await store.findSuspension(suspension_id, ownSpace())) !== undefined;
}
