import type { RespondResult, SuspensionView } from '../../../contracts/suspension/view.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import { voteResult } from '../../../domain/suspension/answering/answer.js';
import { votesOf } from '../../../domain/suspension/answering/decision.js';
import { respondResult } from '../../../domain/suspension/answering/response.js';
import { isSettled } from '../../../domain/suspension/record/state.js';
import { findAnswer, findSuspension } from '../../../store/queries/suspension.js';
import type { OperatorAnswer } from '../../../workflows/suspension/messages.js';
import type { RefusalError } from '../../errors.js';
import { READ_MS } from '../../parts/calls/deadline.js';
import type { Parts } from '../../parts/index.js';
import { refused } from '../../parts/refusals.js';
import { attemptOf, demandSameBody } from './sent-answer.js';

/** The rows that a suspension left to its intent, or to who settled it, may still be on their way to the store. */
async function storedView(parts: Parts, suspensionId: string): Promise<SuspensionView | undefined> {
  const { fromStore, settlements, questionRows, intentRows } = parts;
  const view = await fromStore(findSuspension, suspensionId);
  if (view?.state !== 'pending') return view;
  if (view.intent_id === null) await questionRows.writeLast(suspensionId, READ_MS);
  else await intentRows.collect(view.intent_id);
  settlements.touch(suspensionId, 'settled');
  await settlements.catchUp();
  return fromStore(findSuspension, suspensionId);
}

/**
 * The stored result, if this is the answer that a closed suspension accepted: same Idempotency-Key, same
 * body. Throws the diagnosis otherwise, or `idempotency_key_reused`, or `store_unavailable` while the store is behind.
 */
export async function storedResult(
  parts: Parts,
  suspensionId: string,
  answer: OperatorAnswer,
): Promise<RespondResult> {
  const { fromStore, diagnose } = parts;
  const { answer: own } = answer;
  const intent_id = answer.intent_id ?? undefined;
  const whyNot = () => diagnose(attemptOf(answer), intent_id, suspensionId);
  if (!own.key.startsWith('r:')) throw await whyNot();
  const view = await storedView(parts, suspensionId);
  const stored = view && (await fromStore(findAnswer, suspensionId, own.key));
  const through = intent_id ?? view?.intent_id;
  // Nobody can tell yet whether this is the answer that counted: its sender comes back.
  if (view?.state === 'pending' && view.intent_id === through) throw notStoredYet();
  const same = stored !== undefined && view?.intent_id === through;
  if (!same || !view || !isSettled(stored.record)) throw await whyNot();
  demandSameBody(answer, stored.body_hash);
  return storedReply(view.intent_id, stored.record, stored.vote);
}

function notStoredYet(): RefusalError {
  return refused('store_unavailable', 'The store does not know yet how the question ended.');
}

/** The reply to an answer that counted, as it was then. */
function storedReply(
  intentId: string | null,
  record: SettledRecord,
  place: number | undefined,
): RespondResult {
  const votes = votesOf(record);
  const only = record.approval === undefined ? undefined : votes[0];
  const vote = place === undefined ? only : votes[place];
  return vote === undefined
    ? respondResult(intentId, record)
    : voteResult(intentId, record, votes.slice(0, place ?? 0), vote);
}
