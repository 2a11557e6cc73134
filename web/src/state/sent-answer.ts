import type { TimelineEntry } from '../../../contracts/suspension.js';
import type { Question } from '../api/types.js';
import { isBegun } from './draft.js';
import type { Draft, Sent } from './draft.js';

type Shown = Pick<Question, 'state' | 'question_version' | 'votes' | 'timeline'>;

/**
 * What a question tells of an answer that was sent: that it counts, that it came too late, or nothing so far.
 *
 * That a view shows no answer proves nothing. It may have been read while the answer was still on its way: the API waits for a
 * worker, and leaves the answer for one that comes later. What ends the doubt does not turn back: the question shows the answer,
 * it is over, or it has another version than the one for which alone the answer could count.
 *
 * @param me - who has sent it; while that is not known, nothing is
 */
export function fateOf(
  { answer }: Sent,
  question: Shown,
  me: string | undefined,
): 'open' | 'counted' | 'late' {
  const { question_version: version, edits } = answer;
  if (me === undefined) return 'open';
  if (edits ? showsEdit(question, version + 1, me) : showsVote(question, version, me)) {
    return 'counted';
  }
  const isPast = question.state === 'settled' || question.question_version > version;
  return isPast ? 'late' : 'open';
}

/** A draft that came to nothing, if that is known: it was not sent, or too late. */
export function isInVain(draft: Draft, question: Shown, me: string | undefined): boolean {
  return isBegun(draft) && (!draft.sent || fateOf(draft.sent, question, me) === 'late');
}

/** Why a worker has refused an answer after it was handed over, which is where no reply tells it. */
export function refusalOf({ entries }: Sent, { timeline }: Shown, me: string | undefined) {
  const refused = timeline.find(
    (entry) => entry.sequence > entries && entry.kind === 'answer_rejected' && isOf(entry, me),
  );
  return refused && { code: textIn(refused, 'code'), why: textIn(refused, 'message') };
}

function textIn({ detail }: TimelineEntry, name: string): string {
  const text = detail[name];
  return typeof text === 'string' ? text : '';
}

/** Whether somebody's answer counts for a version, or did until an edit made another one. */
function showsVote(question: Shown, version: number, me: string): boolean {
  const isVote = question.votes.some(
    (vote) => vote.question_version === version && [vote.principal, vote.actor].includes(me),
  );
  return (
    isVote || entriesOf(question, version).some((entry) => isCounted(entry) && isOf(entry, me))
  );
}

/** Whether a version is somebody's edit, which is also its first vote. */
function showsEdit(question: Shown, version: number, me: string): boolean {
  const [first] = question.votes;
  if (first?.question_version === version) return [first.principal, first.actor].includes(me);
  return entriesOf(question, version).some(
    (entry) => entry.kind === 'proposal_edited' && isOf(entry, me),
  );
}

/** What the timeline says of a version. It counts back from the present one, for a question need not begin with the first. */
function entriesOf({ timeline, question_version }: Shown, version: number): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  let current = question_version;
  for (const entry of [...timeline].reverse()) {
    if (current === version) entries.push(entry);
    if (entry.kind === 'proposal_edited' || entry.kind === 'amended') current -= 1;
  }
  return entries;
}

function isCounted({ kind }: TimelineEntry): boolean {
  return kind === 'vote_counted' || kind === 'answer_accepted';
}

function isOf({ detail }: TimelineEntry, me: string | undefined): boolean {
  return detail['submitted_by'] === me || detail['responded_by'] === me;
}
