import { nearestName } from '../../contracts/constants/nearest-name.js';
import { slackMember } from '../../contracts/constants/slack-member.js';
import type { Directory, Person } from '../../contracts/directory.js';
import type { Ruling } from '../../contracts/problem.js';
import { quoted } from '../kernel/text.js';
import { ok, refuse } from '../kernel/ruling.js';

/** A person of the directory with the principal under which it answers. */
export interface Recipient extends Person {
  readonly principal: string;
}

/** The person that has this principal in a space. */
export function personNamed(
  directory: Directory | undefined,
  principal: string,
  space: string,
): Recipient | undefined {
  const person = own(directory?.people, principal);
  return person?.space === space ? { principal, ...person } : undefined;
}

/** Where a member of Slack is known by its id. */
export interface SlackTeams {
  /** The workspace of the member. */
  readonly team?: string | undefined;
  /** That of the bots; null if they are of several, so that no id stands for anybody without its team. */
  readonly own?: string | null | undefined;
}

/** The person of the directory with this id in Slack, which stands for one person within its workspace. */
export function personInSlack(
  directory: Directory | undefined,
  user: string,
  { team, own }: SlackTeams = {},
): Recipient | undefined {
  const found = Object.entries(directory?.people ?? {}).find(([, { slack }]) => {
    if (slack === undefined) return false;
    const known = slackMember(slack);
    return known.user === user && team === (known.team ?? own);
  });
  return found && { principal: found[0], ...found[1] };
}

/**
 * Whom a name stands for in a space: the person, or the people of the group, each once. Nobody if the directory does not
 * know it there. Pure.
 */
export function recipientsNamed(
  directory: Directory | undefined,
  name: string,
  space: string,
): readonly Recipient[] {
  const principals = own(directory?.groups, name) ?? [name];
  return principals.flatMap((principal) => personNamed(directory, principal, space) ?? []);
}

/** The groups of the directory that a person is in. */
export function groupsOf({ groups }: Directory, principal: string): readonly string[] {
  return Object.keys(groups).filter((name) => groups[name]?.includes(principal));
}

/**
 * Refuses `unknown_recipient` where a rung of the ladder names somebody whom the directory does not know in this space.
 * Without a directory every name is left to the channel. Who is in the directory is not for agents, so nobody is named.
 */
export function checkRecipients(
  directory: Directory | undefined,
  ladder: readonly { readonly notify_to?: string | null | undefined }[],
  space: string,
): Ruling<true> {
  if (directory === undefined) return ok(true);
  const unknown = ladder.findIndex(
    ({ notify_to: name }) =>
      typeof name === 'string' && recipientsNamed(directory, name, space).length === 0,
  );
  if (unknown === -1) return ok(true);
  return refuse('unknown_recipient', 'The directory does not know whom the ladder names.', {
    field: `retry_policy.escalation_ladder[${unknown}].notify_to`,
    accepted: 'a person or a group of the directory in the configuration of this server',
  });
}

/** Names that differ more in length are not meant. */
const MOST_APART = 3;

/** Who was probably meant by a name that nobody has, as a sentence. Only for people who may know who is there. */
export function hintFrom(names: Iterable<string>, name: string): string {
  const near = [...names].filter((one) => Math.abs(one.length - name.length) <= MOST_APART);
  const meant = nearestName(name, near);
  return meant === undefined ? '' : ` Did you mean ${quoted(meant)}?`;
}

/**
 * Refuses `unknown_recipient` for somebody to whom a question is passed on whom the directory does not know in this space, and says
 * who was probably meant. Without a directory everybody is taken for somebody who exists.
 */
export function checkDelegate(
  directory: Directory | undefined,
  to: string,
  space: string,
): Ruling<true> {
  if (directory === undefined || personNamed(directory, to, space) !== undefined) return ok(true);
  const names = Object.keys(directory.people).filter(
    (one) => directory.people[one]?.space === space,
  );
  const detail = `The directory does not know ${quoted(to)}, to whom it is delegated.`;
  return refuse('unknown_recipient', `${detail}${hintFrom(names, to)}`, {
    field: 'to',
    accepted: 'a person of the directory in the configuration of this server',
  });
}

/** Names come from callers, so what every object has is not one of them. */
function own<T>(all: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return all !== undefined && Object.hasOwn(all, name) ? all[name] : undefined;
}
