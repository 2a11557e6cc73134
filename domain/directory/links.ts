import type { Caller } from '../../contracts/people/caller.js';
import type { Directory } from '../../contracts/people/directory.js';
import type { LinkContent } from '../../contracts/channel/links.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { ok, refuse } from '../kernel/ruling.js';
import { matchedChoice } from '../suspension/answering/response.js';
import { groupsOf, personNamed } from './directory.js';
import type { Recipient } from './directory.js';
import { defined } from '../../contracts/constants/defined.js';

/** The parts of a question that decide whether a link to it is still valid. */
export type LinkedQuestion = Pick<
  SuspensionView,
  'state' | 'record' | 'votes' | 'question_version'
>;

function stale(detail: string, state: JsonObject): Ruling<never> {
  return refuse('link_stale', detail, { state });
}

/** The person that a link is for, if the directory still has it there. Refuses `link_stale`. */
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

/** Whether an answer needs more than a link: for an approval, or if the directory says so for the person. */
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

/** Refuses `link_used` once the person has answered, and `link_stale` if the question is over or has changed. */
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

/** Returns how a question ended, for somebody who was asked. */
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

/** Returns the place of an answer according to its sender: the inbox, a link, a channel. */
function viaOf(metadata: JsonObject | undefined): JsonObject {
  const via = metadata?.['via'];
  return typeof via === 'string' ? { via } : {};
}
