import { defined } from '../../contracts/constants/defined.js';
import type { ChannelConfig, ServerConfig } from '../../contracts/server/config.js';
import type { SuspensionDraft } from '../../contracts/suspension/suspension.js';
import type { ScheduledAttempt } from '../../contracts/suspension/retry-policy.js';
import { quoted } from '../kernel/text.js';
import { toInstant } from '../kernel/time.js';
import { scheduleOf } from '../suspension/asking/schedule.js';
import { decidersOf } from '../suspension/people/deciders.js';
import { targetsOf } from '../suspension/telling/notifications.js';
import { audienceOf, mayDecideHere } from './audience.js';
import type { AudienceHere } from './audience.js';
import { recipientsNamed } from './directory.js';
import type { Recipient } from './directory.js';

/** What a question says of whom it tells and who may answer. */
export type ToldQuestion = Pick<
  SuspensionDraft,
  'decision_rule' | 'denials' | 'retry_policy' | 'timeout_seconds' | 'channel_hint'
>;

/** An installation, as far as it decides whom a question reaches. */
export interface TellingHere extends AudienceHere {
  readonly channels: Readonly<Record<string, ChannelConfig>>;
  readonly default_channel: string;
}

/** Returns what a configuration says of whom questions of a space reach. */
export function tellingHere(
  {
    directory,
    suspension,
    notifications,
  }: Pick<ServerConfig, 'directory' | 'suspension' | 'notifications'>,
  space: string,
  known: AudienceHere['known'],
): TellingHere {
  const { allowed_recipients: allowed, channels, default_channel } = notifications;
  const separate = suspension.separation_of_duties;
  return { directory, space, separate, allowed, known, channels, default_channel };
}

/** A question may have a hundred attempts, each with its rungs. */
const MOST_LOOKED_AT = 20;

/**
 * Warns of each rung that tells somebody who may not answer, and of each attempt that tells nobody who may. Names no member of a
 * group, because agents may not see the directory.
 *
 * @param askers - who asks, and for whom
 */
export function tellingWarnings(
  asked: ToldQuestion,
  askers: readonly string[],
  here: TellingHere,
): readonly string[] {
  const { attempts } = scheduleOf({ ...asked, suspended_at: toInstant(0) });
  const looked = attempts
    .filter(({ attempt, ladder }) => attempt === 1 || ladder.length > 0)
    .slice(0, MOST_LOOKED_AT);
  return looked.flatMap((attempt) => {
    const deciders = decidersOf({ record: asked, attempt: attempt.attempt }, [], askers);
    const at = attempts.length > 1 ? ` at attempt ${attempt.attempt}` : '';
    return [
      ...attempt.ladder.flatMap(({ notify_to }) =>
        notify_to
          ? mistold(notify_to, deciders, here).map((rest) => `${NOTIFIES(notify_to)}${at}, ${rest}`)
          : [],
      ),
      ...(reachesDeciders(attempt, deciders, here) ? [] : [`${NOBODY_TOLD}${at}.`]),
    ];
  });
}

type Deciders = ReturnType<typeof decidersOf>;

const NOTIFIES = (name: string): string => `The ladder notifies ${quoted(name)}`;
const NOBODY_TOLD = 'No channel reaches anybody who may answer';

/** What is to be said of the people and groups whom a rung tells and who may not answer. */
function mistold(name: string, deciders: Deciders, here: TellingHere): readonly string[] {
  const { directory, known, space } = here;
  const isPerson = directory
    ? !Object.hasOwn(directory.groups, name)
    : known?.members.get(name) === undefined;
  const people = directory
    ? recipientsNamed(directory, name, space).map(({ principal }) => principal)
    : [...(known?.members.get(name) ?? (known?.principals.has(name) ? [name] : []))];
  const most = people.filter((principal) => !mayDecideHere(deciders, principal, here)).length;
  if (most === 0) return [];
  if (isPerson) return ['who may not answer.'];
  return [`of whom ${most === people.length ? 'nobody may' : 'some may not'} answer.`];
}

/** Whether an attempt may reach somebody who may answer. Of a channel with one place for all nobody knows who reads it. */
function reachesDeciders(
  attempt: ScheduledAttempt,
  deciders: Deciders,
  here: TellingHere,
): boolean {
  const { directory, channels, default_channel } = here;
  if (directory === undefined) return true;
  const kinds = new Set(Object.values(channels).flatMap((channel) => addressOf(channel) ?? []));
  const isReached = (person: Recipient) => [...kinds].some((kind) => person[kind] !== undefined);
  return targetsOf(attempt).some(({ channel_hint, notify_to, telling }) => {
    const name = channel_hint ?? default_channel;
    const channel = Object.hasOwn(channels, name) ? channels[name] : undefined;
    // There is a warning of its own about a channel that is not configured.
    if (channel === undefined || addressOf(channel) === undefined) return true;
    const otherwise = 'to' in channel ? channel.to : undefined;
    const told = audienceOf({ notify_to, deciders, ...defined({ telling }) }, otherwise, here);
    return told.some((person) => person.decides && isReached(person));
  });
}

/** The address by which a channel reaches each person; undefined if it has one place for all. */
function addressOf(channel: ChannelConfig): 'email' | 'slack' | undefined {
  if (channel.type === 'email') return 'email';
  return channel.type === 'slack' && channel.conversation === undefined ? 'slack' : undefined;
}
