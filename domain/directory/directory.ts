import { nearestName } from '../../contracts/constants/command-name.js';
import { slackMember } from '../../contracts/constants/slack-member.js';
import type { Directory, Person } from '../../contracts/people/directory.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { DelegationTarget } from '../../contracts/suspension/verbs.js';
import { quoted } from '../kernel/text.js';
import { ok, refuse } from '../kernel/ruling.js';

export interface Recipient extends Person {
  readonly principal: string;
}

export function personNamed(
  directory: Directory | undefined,
  principal: string,
  space: string,
): Recipient | undefined {
  const person = own(directory?.people, principal);
  return person?.space === space ? { principal, ...person } : undefined;
}

/** The workspaces to which Slack member ids belong. */
export interface SlackTeams {
  readonly team?: string | undefined;
  /** The bots' workspace; null if there are several, so that a member id is valid only with its team. */
  readonly own?: string | null | undefined;
}

/** The person of the directory with this Slack id, which is unique within its workspace. */
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

/** Returns the people that a name means in a space: a person, the members of a group, or nobody. Pure. */
export function recipientsNamed(
  directory: Directory | undefined,
  name: string,
  space: string,
): readonly Recipient[] {
  const principals = own(directory?.groups, name) ?? [name];
  return principals.flatMap((principal) => personNamed(directory, principal, space) ?? []);
}

export function groupsOf({ groups }: Directory, principal: string): readonly string[] {
  return Object.keys(groups).filter((name) => groups[name]?.includes(principal));
}

/**
 * Refuses `unknown_recipient` if a rung of the ladder names somebody outside this space's directory. Without a
 * directory the channel decides. Agents may not see the directory, so no name is suggested.
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

/** Names whose lengths differ more than this are not suggested. */
const MOST_APART = 3;

/** A sentence with the name that was probably meant. Only for people who may know the other names. */
export function hintFrom(names: Iterable<string>, name: string): string {
  const near = [...names].filter((one) => Math.abs(one.length - name.length) <= MOST_APART);
  const meant = nearestName(name, near);
  return meant === undefined ? '' : ` Did you mean ${quoted(meant)}?`;
}

export function groupsIn(directory: Directory, space: string): readonly string[] {
  return Object.keys(directory.groups).filter(
    (name) => recipientsNamed(directory, name, space).length > 0,
  );
}

/**
 * Refuses `unknown_recipient` for a delegate or a group outside this space's directory. Without a directory it
 * accepts every name.
 */
export function checkDelegate(
  directory: Directory | undefined,
  { to, to_group }: DelegationTarget,
  space: string,
): Ruling<true> {
  if (directory === undefined) return ok(true);
  const groups = groupsIn(directory, space);
  if (to_group !== undefined) {
    return groups.includes(to_group) ? ok(true) : unknownDelegate('to_group', to_group, groups);
  }
  if (to === undefined || personNamed(directory, to, space) !== undefined) return ok(true);
  if (groups.includes(to)) {
    return refuse(
      'unknown_recipient',
      `${quoted(to)} is a group of the directory, and no person.`,
      {
        field: 'to',
        accepted: 'the same name as `to_group`, or a person of the directory',
      },
    );
  }
  const people = Object.keys(directory.people);
  const here = people.filter((one) => directory.people[one]?.space === space);
  return unknownDelegate('to', to, here);
}

function unknownDelegate(
  field: 'to' | 'to_group',
  name: string,
  known: readonly string[],
): Ruling<never> {
  const what = field === 'to' ? 'person' : 'group';
  const detail = `The directory does not know ${quoted(name)}, to whom it is delegated.`;
  return refuse('unknown_recipient', `${detail}${hintFrom(known, name)}`, {
    field,
    accepted: `a ${what} of the directory in the configuration of this server`,
  });
}

/** Names come from callers, so inherited properties do not count. */
export function own<T>(all: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return all !== undefined && Object.hasOwn(all, name) ? all[name] : undefined;
}

/**
 * Whether a push service may be sent to: by https, at a configured host. Plain http requires a host with its port, in
 * a private network.
 *
 * @param hosts - `push.hosts` of the configuration
 */
export function isPushHost(url: URL, hosts: readonly string[], allowsPrivate: boolean): boolean {
  const { protocol, username, password, hostname, host, port } = url;
  const isPlain = protocol === 'http:' && allowsPrivate && port !== '';
  if ((protocol !== 'https:' && !isPlain) || username !== '' || password !== '') return false;
  return hosts.some((allowed) => {
    if (allowed.startsWith('*.')) return port === '' && hostname.endsWith(allowed.slice(1));
    return host === allowed;
  });
}
