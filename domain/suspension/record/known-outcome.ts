import { defined } from '../../../contracts/constants/defined.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { AnswerKey, RowOf } from '../../../contracts/log/journal.js';
import type { SettledRecord, TimelineKind } from '../../../contracts/suspension/suspension.js';
import { voteResult } from '../answering/answer.js';
import { votesOf } from '../answering/decision.js';
import { respondResult } from '../answering/response.js';
import { isSettled, type AcceptedAnswer, type SuspensionState } from './state.js';

/** The stored end of a question, with the keys of its answers. */
export type KnownOutcome = Pick<RowOf<'suspension_settled'>, 'settlement' | 'answer' | 'answers'>;

/** A question with the stored outcome, and the timeline entry for it. */
interface Restored {
  readonly state: SuspensionState;
  readonly entry: readonly [kind: TimelineKind, detail: JsonObject, at: string];
}

/**
 * Applies an outcome that was judged before, and that the question has lost because its Temporal was restored to an
 * earlier state. It is not judged again, because the person's rights may have changed. Undefined if the question is
 * settled.
 */
export function withOutcome(state: SuspensionState, known: KnownOutcome): Restored | undefined {
  if (isSettled(state.record)) return undefined;
  const { settlement, answer, answers = [] } = known;
  const record: SettledRecord = { ...state.record, ...settlement };
  const votes = settlement.votes?.flatMap((vote, place) => {
    const key = answers[place];
    return key ? [{ vote, answer: key }] : [];
  });
  const accepted = answer && acceptedOf(state.intent_id, record, answer);
  return {
    state: { ...state, record, ...defined({ votes, accepted }) },
    entry: [...entryOf(record), record.settled_at],
  };
}

function acceptedOf(
  intentId: string | null,
  record: SettledRecord,
  answer: AnswerKey,
): AcceptedAnswer {
  const votes = votesOf(record);
  const last = votes.at(-1);
  const isCounted = record.votes !== undefined || record.approval !== undefined;
  const result =
    isCounted && last
      ? voteResult(intentId, record, votes.slice(0, -1), last)
      : respondResult(intentId, record);
  return { answer, result };
}

/** The timeline entry of the question's end, as far as its record shows it. */
function entryOf(record: SettledRecord): readonly [kind: TimelineKind, detail: JsonObject] {
  const { resolution, responded_by, submitted_by, comment, reason, fallback_policy } = record;
  if (resolution === 'responded')
    return ['answer_accepted', defined({ responded_by, submitted_by, comment })];
  if (resolution === 'cancelled')
    return ['cancelled', defined({ cancelled_by: submitted_by, reason })];
  return ['expired', reason === undefined ? { fallback_policy } : { reason }];
}
