import type { Directory } from '../../contracts/people/directory.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { ButtonContent } from '../../contracts/channel/slack.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { ok, refuse } from '../kernel/ruling.js';
import { personInSlack, personNamed } from './directory.js';
import type { Recipient, SlackTeams } from './directory.js';

/**
 * Returns the person of the directory who has pressed a button in Slack, in the space of its question. Member ids
 * count within their workspace. Refuses `not_answered_for` for unknown members, without naming others.
 */
export function personPressing(
  directory: Directory | undefined,
  member: string,
  space: string,
  teams: SlackTeams = {},
): Ruling<Recipient> {
  const found = personInSlack(directory, member, teams);
  const person = found && personNamed(directory, found.principal, space);
  if (person !== undefined) return ok(person);
  return refuse('not_answered_for', 'The directory does not know this member of Slack here.', {
    field: 'user',
    accepted: 'a member whose id, or team and id, a person of the directory has under `slack`',
  });
}

/**
 * Refuses `sign_in_needed` for an approval unless the channel may decide it and the button names a choice: only a
 * message with the whole proposal has such buttons. Unlike a link, a press is signed in by Slack.
 */
export function checkPressSuffices(
  { approval }: Pick<SuspensionRecord, 'approval'>,
  { choice }: Pick<ButtonContent, 'choice'>,
  { approvals }: { readonly approvals: boolean },
): Ruling<true> {
  if (approval === undefined || (approvals && choice !== undefined)) return ok(true);
  return refuse('sign_in_needed', 'To decide an approval, sign in to the inbox.');
}
