import { defined } from '../../contracts/constants/defined.js';
import type { KnownOutcome } from '../../domain/suspension/record/known-outcome.js';
import { isSettled, settlementOf } from '../../domain/suspension/record/state.js';
import type { Store } from '../schema.js';

/** Returns how a question has ended, with the keys of its answers; `erased` if that is gone, undefined while it is open. */
export async function knownOutcome(
  db: Store,
  id: string,
): Promise<KnownOutcome | 'erased' | undefined> {
  const row = await db
    .selectFrom('suspensions')
    .select(['record', 'answer_key', 'answer_body_hash', 'answer_keys'])
    .where('id', '=', id)
    .where('state', '=', 'settled')
    .executeTakeFirst();
  if (row === undefined || !isSettled(row.record)) return undefined;
  const { record, answer_key: key, answer_body_hash: body_hash, answer_keys } = row;
  if (record.erased_at !== undefined) return 'erased';
  return {
    settlement: settlementOf(record),
    ...defined({
      answer: key !== null && body_hash !== null ? { key, body_hash } : undefined,
      answers: answer_keys ?? undefined,
    }),
  };
}
