import type { Caller } from '../../contracts/people/caller.js';
import type { Directory } from '../../contracts/people/directory.js';
import type { LinkContent } from '../../contracts/channel/links.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { ok, refuse } from '../kernel/ruling.js';
import { matchedChoice } from '../suspension/answering/response.js';
import {
  groupsOf,
  personInSlack,
  personNamed,
  recipientsNamed,
  type Recipient,
  type SlackTeams,
} from './directory.js';
import { defined } from '../../contracts/constants/defined.js';
import type { AnsweringChannel } from '../../contracts/channel/webhook-answer.js';
import type { ButtonContent } from '../../contracts/channel/slack.js';

/** The parts of a question that determine whether a link to it is still valid. */
export type LinkedQuestion = Pick<
  SuspensionView,
  'state' | 'record' | 'votes' | 'question_version'
>;

function stale(detail: string, state: JsonObject): Ruling<never> {
  return refuse('link_stale', detail, { state });
}

/** The person that a link is for. Refuses `link_stale` if the directory no longer has them in that space. */
export function personOf(
  directory: Directory | undefined,
  { person, space }: LinkContent,
): Ruling<Recipient> {
  const found = personNamed(directory, person, space);
  if (found !== undefined) return ok(found);
  return stale('The link is for somebody who is no longer in the directory.', {
    outcome: 'person_unknown',
  });
}

/** The caller of an answer by link: the person, only as an operator, with its groups in the directory. */
export function callerByLink(directory: Directory, { principal, space }: Recipient): Caller {
  return { space, principal, roles: ['operator'], groups: groupsOf(directory, principal) };
}

/** Whether an answer requires a sign-in: for an approval, or if the directory says so for the person. */
export function needsSignIn(
  { approval }: Pick<SuspensionRecord, 'approval'>,
  { answers_by_link }: Recipient,
): boolean {
  return approval !== undefined || !answers_by_link;
}

/** Refuses `sign_in_needed` where a link is not enough. */
export function checkLinkSuffices(
  record: Pick<SuspensionRecord, 'approval'>,
  person: Recipient,
): Ruling<true> {
  if (!needsSignIn(record, person)) return ok(true);
  return refuse('sign_in_needed', 'The link shows the question; to answer it, sign in.');
}

/** Refuses `link_used` if the person has answered, and `link_stale` if the question is over or has changed. */
export function checkLink(
  { state, record, votes, question_version: current }: LinkedQuestion,
  { person, question_version }: Pick<LinkContent, 'person' | 'question_version'>,
): Ruling<true> {
  const own = votes.find(({ principal }) => principal === person);
  if (own !== undefined) {
    return refuse(
      'link_used',
      'The question was answered with this link, or by its person elsewhere.',
      {
        state: {
          outcome: 'answered',
          by: own.actor,
          at: own.counted_at,
          value: own.value,
          ...viaOf(own.metadata),
        },
      },
    );
  }
  if (state === 'settled') return stale('The question is over.', endOf(record));
  if (question_version === current) return ok(true);
  return stale('The question has changed since the link was sent.', {
    outcome: 'changed',
    question_version: current,
  });
}

function endOf(record: SuspensionRecord): JsonObject {
  const { resolution, response, responded_by, responded_at, settled_by, settled_at } = record;
  const at = settled_at === undefined ? {} : { at: settled_at };
  if (resolution === 'expired') return { outcome: 'expired', ...at };
  if (resolution === 'cancelled') {
    return { outcome: 'withdrawn', ...defined({ by: settled_by }), ...at };
  }
  const choice = response === undefined ? undefined : matchedChoice(record, response);
  return {
    outcome: 'answered',
    ...defined({ by: responded_by, at: responded_at }),
    ...(choice && { choice_label: choice.label }),
    ...viaOf(record.metadata),
  };
}

/** Returns where an answer was given, according to its sender: the inbox, a link, a channel. */
function viaOf(metadata: JsonObject | undefined): JsonObject {
  const via = metadata?.['via'];
  return typeof via === 'string' ? { via } : {};
}

/**
 * Returns the person for whom a channel submits an answer. Refuses `not_answered_for` unless the configuration allows
 * this; an unknown person too, because the sender may not learn who is in the directory.
 */
export function personAnsweredFor(
  directory: Directory | undefined,
  { people }: AnsweringChannel,
  principal: string,
): Ruling<Recipient> {
  const space = Object.hasOwn(directory?.people ?? {}, principal)
    ? directory?.people[principal]?.space
    : undefined;
  const person = space === undefined ? undefined : personNamed(directory, principal, space);
  const isMeant = people.some((name) =>
    recipientsNamed(directory, name, space ?? '').some((one) => one.principal === principal),
  );
  if (person !== undefined && isMeant) return ok(person);
  return refuse('not_answered_for', 'This webhook does not answer for this person.', {
    field: 'person',
    accepted: 'the principal of a person for whom its channel may answer',
  });
}

/**
 * Returns the person of the directory who pressed a button in Slack, in the space of its question. Member ids are
 * unique only within their workspace. Refuses `not_answered_for` for unknown members, without naming others.
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
 * message with the whole proposal has such buttons. Unlike a link, a press is authenticated by Slack.
 */
export function checkPressSuffices(
  { approval }: Pick<SuspensionRecord, 'approval'>,
  { choice }: Pick<ButtonContent, 'choice'>,
  { approvals }: { readonly approvals: boolean },
): Ruling<true> {
  if (approval === undefined || (approvals && choice !== undefined)) return ok(true);
  return refuse('sign_in_needed', 'To decide an approval, sign in to the inbox.');
}
