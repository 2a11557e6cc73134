import type { RespondResult, SuspensionView } from '../../contracts/suspension-view.js';
import { respondResult } from '../../domain/response.js';
import { isSettled } from '../../domain/suspension-state.js';
import type { OperatorAnswer } from '../../workflows/suspension/messages.js';
import type { Diagnose } from './diagnosis.js';
import { idempotencyKeyReused } from './refusals.js';
import type { Settlements } from './settlements.js';
import type { FromStore } from './store-reads.js';

interface Deps {
  readonly fromStore: FromStore;
  readonly settlements: Pick<Settlements, 'touch' | 'catchUp'>;
  readonly diagnose: Diagnose;
}

/**
 * The stored result of an answer that reaches a closed suspension, where it is the one that was accepted:
 * same Idempotency-Key, same body (AM-47). Throws the diagnosis otherwise, or `idempotency_key_reused`.
 */
export type Repeated = (suspensionId: string, answer: OperatorAnswer) => Promise<RespondResult>;

/** Temporal gives the first result for any body under one update id; another body is an error. */
export function demandSameBody(answer: OperatorAnswer, acceptedHash: string): void {
  if (answer.answer.body_hash === acceptedHash) return;
  throw idempotencyKeyReused();
}

export function createRepeated({ fromStore, settlements, diagnose }: Deps): Repeated {
  /** What a suspension left to its intent to write may still be on its way to the store. */
  async function viewOf(suspensionId: string): Promise<SuspensionView | undefined> {
    const find = () => fromStore((store) => store.findSuspension(suspensionId));
    const view = await find();
    if (view?.state !== 'pending') return view;
    settlements.touch(suspensionId, 'settled');
    await settlements.catchUp();
    return find();
  }

  return async (suspensionId, answer) => {
    const { answer: own } = answer;
    const intent_id = answer.intent_id ?? undefined;
    if (!own.key.startsWith('r:')) throw await diagnose(intent_id, suspensionId);
    const view = await viewOf(suspensionId);
    const stored = view && (await fromStore((store) => store.findAnswer(suspensionId)));
    const through = intent_id ?? view?.intent_id;
    const same = stored?.key === own.key && view?.intent_id === through;
    if (!same || !view || !isSettled(stored.record)) throw await diagnose(intent_id, suspensionId);
    demandSameBody(answer, stored.body_hash);
    return respondResult(view.intent_id, stored.record);
  };
}
