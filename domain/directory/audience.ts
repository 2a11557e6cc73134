import type { Deciders, NotificationRequest } from '../../contracts/channel/notification.js';
import type { Directory } from '../../contracts/people/directory.js';
import type { Eligible } from '../../contracts/suspension/decision.js';
import { isNamed, mayDecide } from '../suspension/people/deciders.js';
import { groupsOf, own, personNamed, recipientsNamed } from './directory.js';
import type { Recipient } from './directory.js';
import type { KnownPeople } from './known-people.js';

/** An installation, as far as it decides whom a delivery tells. */
export interface AudienceHere {
  readonly directory: Directory | undefined;
  readonly space: string;
  /** Whether duties are separate: who asks does not answer. */
  readonly separate: boolean;
  /** The people and groups that may be notified; undefined for all (R26-88). */
  readonly allowed?: readonly string[] | undefined;
  /** Who can answer, and in which groups; undefined if that is not known. */
  readonly known?: KnownPeople | undefined;
  /** People who have keys, none of which lets them answer: they decide only by a link, or what is asked of them by name. */
  readonly lost?: ReadonlySet<string> | undefined;
}

/** A person whom a delivery tells. */
export interface Told extends Recipient {
  /** Whether they may decide the question; otherwise the message only informs them. */
  readonly decides: boolean;
}

/**
 * Returns the people of the directory whom a delivery tells, each once: those whom `notify_to` names and, unless enough of them may
 * decide, all whom the rule names. What names nobody goes to the people of the channel. Who has decided is not told again. Pure.
 *
 * @param otherwise - the person or group that the channel tells where nobody is named
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

/** Those of these people who have not decided yet, and whether each may. */
function stillTold(
  people: readonly Recipient[],
  deciders: Deciders,
  here: AudienceHere,
): readonly Told[] {
  return people
    .filter(({ principal }) => !deciders.done.includes(principal))
    .map((person) => ({ ...person, decides: mayDecideHere(deciders, person.principal, here) }));
}

/** Those whom a rule does not name that was in force before, or all of them if it named each. */
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

/** Whether somebody would have to sign in to decide, and has only keys that let nobody answer. */
function hasLostRole(
  { principal, answers_by_link }: Recipient,
  { eligible }: Deciders,
  isApproval: boolean,
  { lost }: AudienceHere,
): boolean {
  const needsSignIn = isApproval || !answers_by_link;
  return needsSignIn && lost?.has(principal) === true && !eligible.principals?.includes(principal);
}

/** Whether somebody may decide. A group that nobody knows here may be theirs by a key or a token. */
export function mayDecideHere(
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

/** The people of the directory whom a rule names, in person or by a group, as far as they may be notified. */
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
