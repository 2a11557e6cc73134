import type { Deciders, NotificationRequest } from '../../contracts/channel/notification.js';
import type { Directory } from '../../contracts/people/directory.js';
import type { Eligible } from '../../contracts/suspension/decision.js';
import { decidersOf, isNamed, mayDecide } from '../suspension/people/deciders.js';
import { groupsOf, own, personNamed, recipientsNamed, type Recipient } from './directory.js';
import type { KnownPeople } from './known-people.js';
import { defined } from '../../contracts/constants/defined.js';
import type { ChannelConfig, ServerConfig } from '../../contracts/server/config.js';
import type { SuspensionDraft } from '../../contracts/suspension/suspension.js';
import type { ScheduledAttempt } from '../../contracts/suspension/retry-policy.js';
import { quoted } from '../kernel/text.js';
import { toInstant } from '../kernel/time.js';
import { scheduleOf } from '../suspension/asking/schedule.js';
import { targetsOf } from '../suspension/telling/notifications.js';

/** The part of an installation that determines whom a delivery notifies. */
export interface AudienceHere {
  readonly directory: Directory | undefined;
  readonly space: string;
  /** Whether separation of duties applies: the asker may not answer. */
  readonly separate: boolean;
  /** The people and groups that may be notified; undefined for all (R26-88). */
  readonly allowed?: readonly string[] | undefined;
  /** Who can answer, and in which groups; undefined if that is not known. */
  readonly known?: KnownPeople | undefined;
  /** People whose keys all lack the right to answer: they can decide only by a link, or what is asked of them by name. */
  readonly lost?: ReadonlySet<string> | undefined;
}

export interface Told extends Recipient {
  /** Whether they may decide the question; otherwise the message only informs them. */
  readonly decides: boolean;
}

/**
 * Returns the people of the directory whom a delivery notifies, each once: those that `notify_to` names and, unless
 * enough of them may decide, all that the rule names. Without names, the channel's own people are notified. People
 * who have decided are omitted. Pure.
 *
 * @param otherwise - the person or group that the channel notifies if nobody is named
 */
export function audienceOf(
  {
    notify_to,
    deciders,
    telling = {},
    approval,
  }: Pick<NotificationRequest, 'notify_to' | 'deciders' | 'telling' | 'approval'>,
  otherwise: string | undefined,
  here: AudienceHere,
): readonly Told[] {
  const namedBy = (name: string | null | undefined) =>
    typeof name === 'string' ? recipientsNamed(here.directory, name, here.space) : [];
  const ofChannel = namedBy(otherwise);
  if (deciders === undefined) {
    const people = notify_to === null ? ofChannel : namedBy(notify_to);
    return people.map((person) => ({ ...person, decides: true }));
  }
  const { others, beside = [], except = {} } = telling;
  const left = (people: readonly Recipient[]) =>
    stillTold(people, deciders, here).map((one) => ({
      ...one,
      decides: one.decides && !hasLostRole(one, deciders, approval !== undefined, here),
    }));
  const named = left(namedBy(notify_to));
  if (others === 'none') return named;
  const elsewhere = left(beside.flatMap(namedBy));
  const isEnough = deciding([...named, ...elsewhere]).length >= deciders.needed;
  if (notify_to !== null && isEnough && others !== 'all') return named;
  const all = deciding(left(peopleIn(deciders.eligible, here)));
  const ruled = newTo(except, all, here);
  const isElsewhere = ({ principal }: Told) => elsewhere.some((one) => one.principal === principal);
  const told = [...named, ...ruled.filter((one) => !isElsewhere(one))];
  const known = deciding([...told, ...elsewhere]).length;
  if (notify_to !== null)
    return eachOnce(known > 0 ? told : [...told, ...deciding(left(ofChannel))]);
  if (known >= deciders.needed || known < all.length) return eachOnce(told);
  return eachOnce([...told, ...(known > 0 ? deciding(left(ofChannel)) : left(ofChannel))]);
}

function deciding(people: readonly Told[]): readonly Told[] {
  return people.filter(({ decides }) => decides);
}

function eachOnce(people: readonly Told[]): readonly Told[] {
  return [...new Map(people.map((one) => [one.principal, one])).values()];
}

/** The people who have not decided yet, and whether each may. */
function stillTold(
  people: readonly Recipient[],
  deciders: Deciders,
  here: AudienceHere,
): readonly Told[] {
  return people
    .filter(({ principal }) => !deciders.done.includes(principal))
    .map((person) => ({ ...person, decides: mayDecideHere(deciders, person.principal, here) }));
}

/** The people that the earlier rule did not name; all of them if it named each. */
function newTo(
  before: Eligible,
  people: readonly Told[],
  { directory }: AudienceHere,
): readonly Told[] {
  const found = people.filter(({ principal }) => {
    const groups = directory ? groupsOf(directory, principal) : [];
    return !isNamed(before, { principal, groups });
  });
  return found.length > 0 ? found : people;
}

/** Whether somebody would have to sign in to decide, but has only keys without the right to answer. */
function hasLostRole(
  { principal, answers_by_link }: Recipient,
  { eligible }: Deciders,
  isApproval: boolean,
  { lost }: AudienceHere,
): boolean {
  const needsSignIn = isApproval || !answers_by_link;
  return needsSignIn && lost?.has(principal) === true && !eligible.principals?.includes(principal);
}

/** Whether somebody may decide. A key or token may put them into a group that is unknown here. */
function mayDecideHere(
  deciders: Pick<Deciders, 'eligible' | 'excluded' | 'askers'>,
  principal: string,
  { directory, separate, known }: Pick<AudienceHere, 'directory' | 'separate' | 'known'>,
): boolean {
  const groups = (deciders.eligible.groups ?? []).filter((group) => {
    const listed = own(directory?.groups, group);
    const byKey = known?.members.get(group);
    if (listed?.includes(principal) || byKey?.has(principal)) return true;
    return known?.isComplete !== true && listed === undefined;
  });
  return mayDecide(deciders, { principal, groups }, separate);
}

/** The people of the directory that a rule names, in person or by a group, if they may be notified. */
function peopleIn(
  { principals = [], groups = [] }: Eligible,
  { directory, space, allowed }: AudienceHere,
): readonly Recipient[] {
  const isAllowed = (...names: readonly string[]) =>
    allowed === undefined || names.some((name) => allowed.includes(name));
  const byName = principals.filter((name) => isAllowed(name));
  const members = groups.flatMap((group) =>
    (own(directory?.groups, group) ?? []).filter((name) => isAllowed(group, name)),
  );
  return [...byName, ...members].flatMap((name) => personNamed(directory, name, space) ?? []);
}

/** The parts of a question that determine who is notified and who may answer. */
export type ToldQuestion = Pick<
  SuspensionDraft,
  'decision_rule' | 'denials' | 'retry_policy' | 'timeout_seconds' | 'channel_hint'
>;

export interface TellingHere extends AudienceHere {
  readonly channels: Readonly<Record<string, ChannelConfig>>;
  readonly default_channel: string;
}

/** Returns the parts of a configuration that determine whom questions of a space reach. */
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

/** How many attempts are checked; a question may have a hundred, each with its rungs. */
const MOST_LOOKED_AT = 20;

/**
 * Warns of each rung that notifies somebody who may not answer, and of each attempt that reaches nobody who may.
 * Names no member of a group, because agents may not see the directory.
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

type DecidersNow = ReturnType<typeof decidersOf>;

const NOTIFIES = (name: string): string => `The ladder notifies ${quoted(name)}`;
const NOBODY_TOLD = 'No channel reaches anybody who may answer';

/** The warnings about people and groups that a rung notifies and that may not answer. */
function mistold(name: string, deciders: DecidersNow, here: TellingHere): readonly string[] {
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

/**
 * Whether an attempt may reach somebody who may answer. If the channel has one place for all, it is not known who
 * reads it.
 */
function reachesDeciders(
  attempt: ScheduledAttempt,
  deciders: DecidersNow,
  here: TellingHere,
): boolean {
  const { directory, channels, default_channel } = here;
  if (directory === undefined) return true;
  const kinds = new Set(Object.values(channels).flatMap((channel) => addressOf(channel) ?? []));
  const isReached = (person: Recipient) => [...kinds].some((kind) => person[kind] !== undefined);
  return targetsOf(attempt).some(({ channel_hint, notify_to, telling }) => {
    const name = channel_hint ?? default_channel;
    const channel = Object.hasOwn(channels, name) ? channels[name] : undefined;
    // An unconfigured channel has a warning of its own.
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
