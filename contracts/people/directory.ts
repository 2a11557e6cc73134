import { z } from 'zod';
import { principalSchema } from './api-key.js';
import { DEFAULT_SPACE } from '../constants/callers.js';
import { LIMITS } from '../constants/limits.js';
import { slackMember } from '../constants/slack-member.js';
import { boundedText, eachOnce, nameSchema } from '../kernel/primitives.js';

/** The longest address that SMTP accepts. */
const EMAIL_CHARACTERS = 254;
/** A Slack member id, optionally after the id of its workspace; by default it is in the bot's workspace. */
const SLACK_MEMBER = /^(?:T[A-Z\d]+\/)?[UW][A-Z\d]+$/;
const EMAIL = /^[^\s\p{Cc}<>"@,;]+@[^\s\p{Cc}<>"@,;]+$/u;

/** A person whom messages can reach. The key in the directory is the principal under which the person answers. */
const personSchema = z.strictObject({
  /** The name that messages address; the principal if absent. */
  name: nameSchema.optional(),
  email: boundedText(EMAIL_CHARACTERS)
    .refine((text) => EMAIL.test(text), {
      params: { accepted: 'an address such as ana@example.com' },
    })
    .optional(),
  /** The member id in Slack, with the team if there are several workspaces. */
  slack: nameSchema
    .refine((text) => SLACK_MEMBER.test(text), {
      params: {
        accepted:
          'the id of a member such as U0123456789, or with its team T0123456789/U0123456789',
      },
    })
    .optional(),
  /** The space in which the person answers; questions of other spaces cannot notify them. */
  space: nameSchema.default(DEFAULT_SPACE),
  /** Whether a link in a message suffices to answer an ordinary question; otherwise links require a sign-in. */
  answers_by_link: z.boolean().default(true),
});
export type Person = Readonly<z.output<typeof personSchema>>;

/** The people that `notify_to` can name, by principal, and the groups that it can name. */
export const directorySchema = z.strictObject({
  people: z.record(principalSchema, personSchema).default({}),
  groups: z.record(nameSchema, eachOnce(principalSchema, LIMITS.groupPeople).min(1)).default({}),
});
export type Directory = Readonly<z.output<typeof directorySchema>>;

/** A part of the configuration that contradicts the directory: its place, and what would be accepted. */
export interface DirectoryFault {
  readonly path: readonly (string | number)[];
  readonly accepted: string;
}

const MOST_NAMES = 10;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown}, …` : shown || 'none yet';
}

/** The faults in the directory itself: unknown members of groups, and names or identities shared by two people. */
export function directoryFaults({ people, groups }: Directory): readonly DirectoryFault[] {
  const accepted = `one of the people: ${listed(Object.keys(people))}`;
  const unknown = Object.entries(groups).flatMap(([group, members]) =>
    members.flatMap((member, index) =>
      Object.hasOwn(people, member)
        ? []
        : [{ path: ['directory', 'groups', group, index], accepted }],
    ),
  );
  const both = Object.keys(groups)
    .filter((group) => Object.hasOwn(people, group))
    .map((group) => ({
      path: ['directory', 'groups', group],
      accepted: 'under a name that no person has',
    }));
  return [...unknown, ...both, ...sharedIdentities(people)];
}

/** A Slack member must be one person. A member without a team may belong to any team. */
function sharedIdentities(people: Directory['people']): readonly DirectoryFault[] {
  const known: {
    readonly principal: string;
    readonly user: string;
    readonly team?: string | undefined;
  }[] = [];
  return Object.entries(people).flatMap(([principal, { slack }]) => {
    if (slack === undefined) return [];
    const { user, team } = slackMember(slack);
    const other = known.find(
      (one) =>
        one.user === user && (one.team === team || one.team === undefined || team === undefined),
    );
    known.push({ principal, user, team });
    if (other === undefined) return [];
    const accepted = `another member than that of ${other.principal}`;
    return [{ path: ['directory', 'people', principal, 'slack'], accepted }];
  });
}

interface SlackWorkspace {
  readonly bot_token: string;
  readonly team?: string | undefined;
}

/**
 * Finds members and channels without a team where one is needed, because a member id can belong to somebody else in
 * another workspace.
 *
 * @param channels - the Slack channels, by name
 */
export function slackTeamFaults(
  { people }: Directory,
  channels: readonly (readonly [name: string, workspace: SlackWorkspace])[],
): readonly DirectoryFault[] {
  const alone = Object.entries(people).filter(
    ([, { slack }]) => slack !== undefined && slackMember(slack).team === undefined,
  );
  if (alone.length === 0) return [];
  const named = new Set(channels.flatMap(([, { team }]) => team ?? []));
  if (named.size > 1) {
    const accepted =
      'the team and the member, such as T0123456789/U0123456789, for the channels are in several';
    return alone.map(([principal]) => ({
      path: ['directory', 'people', principal, 'slack'],
      accepted,
    }));
  }
  const bots = new Set(channels.map(([, { bot_token }]) => bot_token));
  if (bots.size < 2) return [];
  const accepted =
    'the id of its workspace, such as T0123456789, for there are several bots, and members without a team';
  return channels
    .filter(([, { team }]) => team === undefined)
    .map(([name]) => ({ path: ['notifications', 'channels', name, 'team'], accepted }));
}

/** A name in the configuration that must be in the directory. */
export interface NamedRecipient {
  readonly path: readonly (string | number)[];
  readonly name: string | null | undefined;
}

export function unknownRecipients(
  { people, groups }: Directory,
  named: readonly NamedRecipient[],
): readonly DirectoryFault[] {
  const known = [...Object.keys(people), ...Object.keys(groups)];
  const accepted = `a person or a group of the directory: ${listed(known)}`;
  return named
    .filter(({ name }) => name !== null && name !== undefined && !known.includes(name))
    .map(({ path }) => ({ path, accepted }));
}
