import type { ServerConfig } from '../../../contracts/server/config.js';
import type { ScheduledAttempt } from '../../../contracts/suspension/retry-policy.js';
import type { SuspensionDraft } from '../../../contracts/suspension/suspension.js';
import { quoted } from '../../kernel/text.js';
import { toInstant } from '../../kernel/time.js';
import { scheduleOf } from '../asking/schedule.js';
import { targetsOf, type Target } from './notifications.js';

// A channel of type `none` sends nothing: its questions wait in the inbox.

type Notifications = Pick<
  ServerConfig['notifications'],
  'channels' | 'default_channel' | 'allowed_recipients'
>;

/** How many attempts are checked; a question may have a hundred, each with its rungs. */
const MOST_LOOKED_AT = 20;

function attemptsOf(draft: SuspensionDraft): readonly ScheduledAttempt[] {
  return scheduleOf({ ...draft, suspended_at: toInstant(0) }).attempts;
}

function channelOf({ channel_hint }: Target, { default_channel }: Notifications): string {
  return channel_hint ?? default_channel;
}

function isSilent(target: Target, notifications: Notifications): boolean {
  const name = channelOf(target, notifications);
  const { channels } = notifications;
  return Object.hasOwn(channels, name) && channels[name]?.type === 'none';
}

/** Whether a delivery would refuse the recipient, and note that. */
function isRefused({ notify_to }: Target, { allowed_recipients: allowed }: Notifications): boolean {
  return notify_to !== null && allowed !== undefined && !allowed.includes(notify_to);
}

/** Whether the first attempt of a question sends no message, so that it needs no delivery. */
export function tellsNobodyAtFirst(draft: SuspensionDraft, notifications: Notifications): boolean {
  const [first] = attemptsOf(draft);
  return (
    first !== undefined &&
    targetsOf(first).every(
      (target) => isSilent(target, notifications) && !isRefused(target, notifications),
    )
  );
}

/** Warns of people and groups that a ladder names, and whose channel sends nothing. */
export function silentWarnings(
  draft: SuspensionDraft,
  notifications: Notifications,
): readonly string[] {
  const warnings = attemptsOf(draft)
    .filter(({ ladder }) => ladder.length > 0)
    .slice(0, MOST_LOOKED_AT)
    .flatMap(targetsOf)
    .flatMap((target) => {
      if (target.notify_to === null || !isSilent(target, notifications)) return [];
      const channel = channelOf(target, notifications);
      return [
        `The channel ${channel} sends nothing, so it does not notify ${quoted(target.notify_to)}.`,
      ];
    });
  return [...new Set(warnings)];
}
