import type { TimelineEntry } from '../../../../contracts/suspension/suspension.js';
import type { Question } from '../../api/types.js';
import { isBegun, type Draft, type Sent } from './draft.js';

type Shown = Pick<Question, 'state' | 'question_version' | 'votes' | 'timeline'>;

/**
 * Judges by a question whether a sent answer counts, came too late, or is still undecided.
 *
 * Only three facts are proof: the question shows the answer, it is settled, or it no longer has the version of the
 * answer. Its lack proves nothing: the question may have been read too early.
 *
 * @param me - the sender; undefined as long as the page does not know, which leaves the answer open
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

/** Whether a draft is known to be useless: it was not sent, or too late. */
export function isInVain(draft: Draft, question: Shown, me: string | undefined): boolean {
  return isBegun(draft) && (!draft.sent || fateOf(draft.sent, question, me) === 'late');
}

/** Returns why a worker has refused an answer after it was handed over, which no reply reports. */
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

/** Whether somebody's answer counts for a version, or counted until an edit made another version. */
function showsVote(question: Shown, version: number, me: string): boolean {
  const isVote = question.votes.some(
    (vote) => vote.question_version === version && [vote.principal, vote.actor].includes(me),
  );
  return (
    isVote || entriesOf(question, version).some((entry) => isCounted(entry) && isOf(entry, me))
  );
}

/** Whether a version is somebody's edit. The edit is also the first vote for it. */
function showsEdit(question: Shown, version: number, me: string): boolean {
  const [first] = question.votes;
  if (first?.question_version === version) return [first.principal, first.actor].includes(me);
  return entriesOf(question, version).some(
    (entry) => entry.kind === 'proposal_edited' && isOf(entry, me),
  );
}

/** Returns the entries of a version. It counts back from the current version, because the timeline need not begin with the first. */
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
