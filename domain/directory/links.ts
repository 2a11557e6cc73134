import type { Caller } from '../../contracts/caller.js';
import type { Directory } from '../../contracts/directory.js';
import type { LinkContent } from '../../contracts/links.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { ok, refuse } from '../kernel/ruling.js';
import { matchedChoice } from '../suspension/response.js';
import { groupsOf, personNamed } from './directory.js';
import type { Recipient } from './directory.js';

/** What of a question decides whether a link to it still counts. */
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

/**
 * Who answers by a link: the person, as an operator and nothing more, in the groups that the directory has it in. Whether
 * that makes it eligible is judged as for every answer.
 */
export function callerByLink(directory: Directory, { principal, space }: Recipient): Caller {
  return { space, principal, roles: ['operator'], groups: groupsOf(directory, principal) };
}

/**
 * Whether a link is not enough to answer: approvals are signed for, and the directory says for whom links suffice.
 */
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

/**
 * Whether a link still counts for a question. Refuses `link_used` once its person has answered, and `link_stale` if the
 * question is over otherwise or has changed; the state says what happened.
 */
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

/** How a question ended, for somebody who was asked it. */
function endOf(record: SuspensionRecord): JsonObject {
  const { resolution, response, responded_by, responded_at, settled_by, settled_at } = record;
  const at = settled_at === undefined ? {} : { at: settled_at };
  if (resolution === 'expired') return { outcome: 'expired', ...at };
  if (resolution === 'cancelled') {
    return { outcome: 'withdrawn', ...(settled_by && { by: settled_by }), ...at };
  }
  const choice = response === undefined ? undefined : matchedChoice(record, response);
  return {
    outcome: 'answered',
    ...(responded_by !== undefined && { by: responded_by }),
    ...(responded_at !== undefined && { at: responded_at }),
    ...(choice && { choice_label: choice.label }),
    ...viaOf(record.metadata),
  };
}

/** Where an answer was given, as its sender says: the inbox, a link, a channel. */
function viaOf(metadata: JsonObject | undefined): JsonObject {
  const via = metadata?.['via'];
  return typeof via === 'string' ? { via } : {};
}
