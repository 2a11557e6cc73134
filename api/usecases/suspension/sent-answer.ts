import { randomUUID } from 'node:crypto';
import type { AnswerKey } from '../../../contracts/log/journal.js';
import type { RespondRequest } from '../../../contracts/suspension/requests.js';
import { hashJson, sha256Hex } from '../../../domain/kernel/hashing.js';
import { authorize } from '../../../domain/policy/authorize.js';
import type { Answer } from '../../../domain/suspension/answering/answer.js';
import { notesIn } from '../../../domain/suspension/answering/notes.js';
import type { OperatorAnswer } from '../../../workflows/suspension/messages.js';
import type { RefusalError } from '../../errors.js';
import { proven } from '../../parts/caller.js';
import type { Attempt } from '../../parts/diagnosis.js';
import { idempotencyKeyReused, refused } from '../../parts/refusals.js';
import type { Call } from '../usecase.js';

/** An answer, or what resumes a pause: its signal, with the data as the value. */
export type AnswerRequest = RespondRequest & Pick<Answer, 'resume_signal'>;

/**
 * How an answer is recognised when it is sent again: by principal, Idempotency-Key and
 * suspension; without an Idempotency-Key no other request has its key. The key is also the id of the
 * Update that carries the answer. `body_hash` shows that another body came under the same key.
 */
function answerKeyOf(
  principal: string,
  request: AnswerRequest,
  idempotencyKey: string | undefined,
): AnswerKey {
  const { resume_signal } = request;
  const { suspension_id, value, responded_by, question_version, metadata } = request;
  const { proposal_hash, edits, despite_claim } = request;
  const body_hash = hashJson({
    suspension_id,
    value,
    ...(resume_signal !== undefined && { resume_signal }),
    ...(responded_by !== undefined && { responded_by }),
    ...(question_version !== undefined && { question_version }),
    ...(proposal_hash !== undefined && { proposal_hash }),
    ...(edits !== undefined && { edits }),
    ...(despite_claim !== undefined && { despite_claim }),
    ...notesIn(request),
    ...(metadata !== undefined && { metadata }),
  });
  if (idempotencyKey === undefined) return { key: `a:${randomUUID()}`, body_hash };
  const key = sha256Hex([principal, idempotencyKey, suspension_id].join('\0'));
  return { key: `r:${key}`, body_hash };
}

function mismatch(detail: string, accepted: string): RefusalError {
  return refused('responded_by_mismatch', detail, { field: 'responded_by', accepted });
}

/**
 * The principal of the key answers, unless an admin answers for somebody else. An agent never answers for a
 * person.
 *
 * @throws RefusalError `responded_by_mismatch`
 */
function responderOf(
  { caller, parts: { agents } }: Call,
  { responded_by = caller.principal }: RespondRequest,
): string {
  if (responded_by === caller.principal) return responded_by;
  if (!authorize(caller, 'respond', { when: 'inAnothersName' }).ok) {
    const detail = 'responded_by is not the principal of this key; only an admin key may do that.';
    throw mismatch(detail, 'the principal of the key, or nothing');
  }
  if (!agents.has(responded_by)) return responded_by;
  const detail = 'responded_by is an agent, and agents do not answer.';
  throw mismatch(detail, 'the name of the person who answers');
}

/**
 * The answer as the suspension gets it, but for what comes later: when it came in, and what the rules say of its edits.
 *
 * @throws RefusalError `responded_by_mismatch`
 */
export function answerOf(
  call: Call,
  intentId: string | undefined,
  asked: AnswerRequest,
  key: string | undefined,
): Omit<OperatorAnswer, 'received_at'> {
  const { caller, parts } = call;
  const { separation_of_duties } = parts.config.suspension;
  const responded_by = responderOf(call, asked);
  const request = { ...asked, responded_by };
  const { value, question_version, proposal_hash, edits, metadata, despite_claim } = request;
  return {
    ...(intentId !== undefined && { intent_id: intentId }),
    ...(request.resume_signal !== undefined && { resume_signal: request.resume_signal }),
    value,
    responded_by,
    by: proven(caller),
    ...(question_version !== undefined && { question_version }),
    ...(proposal_hash !== undefined && { proposal_hash }),
    ...(edits && { edits }),
    ...(separation_of_duties && { separation_of_duties }),
    ...(despite_claim !== undefined && { despite_claim }),
    ...notesIn(request),
    ...(metadata && { metadata }),
    sender_writes: true,
    answer: answerKeyOf(caller.principal, request, key),
  };
}

/** Temporal returns the first result for any body under one update id; another body is an error. */
export function demandSameBody(answer: OperatorAnswer, acceptedHash: string): void {
  if (answer.answer.body_hash === acceptedHash) return;
  throw idempotencyKeyReused();
}

/** The attempt that an answer is, for its diagnosis. */
export function attemptOf({
  by,
  resume_signal,
}: Pick<OperatorAnswer, 'by' | 'resume_signal'>): Attempt {
  return { by, action: resume_signal === undefined ? 'respond' : 'resumeSuspension' };
}
