import { randomUUID } from 'node:crypto';
import type { AnswerKey } from '../../contracts/journal.js';
import type { RespondRequest } from '../../contracts/suspension-requests.js';
import { hashJson, sha256Hex } from '../../domain/canonical.js';

/**
 * How an answer is recognised when it is sent again (AM-47): by principal, Idempotency-Key and
 * suspension; without an Idempotency-Key no other request has its key. The key is also the id of the
 * Update that carries the answer. `body_hash` tells another body under the same key.
 */
export function answerKeyOf(
  principal: string,
  request: RespondRequest,
  idempotencyKey: string | undefined,
): AnswerKey {
  const { suspension_id, value, responded_by, metadata } = request;
  const body_hash = hashJson({
    suspension_id,
    value,
    ...(responded_by !== undefined && { responded_by }),
    ...(metadata !== undefined && { metadata }),
  });
  if (idempotencyKey === undefined) return { key: `a:${randomUUID()}`, body_hash };
  const key = sha256Hex([principal, idempotencyKey, suspension_id].join('\0'));
  return { key: `r:${key}`, body_hash };
}
