import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import type { CancelRequest } from '../../../contracts/suspension/requests.js';
import { cancelUpdate } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../../errors.js';
import { proven } from '../../parts/caller.js';
import { createLiveWrite } from '../../parts/calls/live.js';
import { activeSuspensionId } from '../../parts/diagnosis.js';
import type { Attempt } from '../../parts/diagnosis.js';
import type { Parts } from '../../parts/index.js';
import { demandEntityId, isEntityId } from '../../parts/refusals.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { afterSettling } from './settling.js';

/**
 * Withdraws a question; by whoever asked it, or an admin. Without a `suspension_id` it is the intent's open question. Throws
 * `intent_not_found`, `intent_not_suspended`, `suspension_mismatch` and `forbidden` besides. After `workflow_unavailable` the
 * withdrawal may still happen later.
 */
export const cancelSuspension = useCase({
  name: 'cancelSuspension',
  resource: 'suspension',
  refusals: ['suspension_settled', ...WRITE],
  async run(
    { caller, parts }: Call,
    intentId: string | undefined,
    { suspension_id, reason }: CancelRequest,
  ): Promise<SettledRecord> {
    const attempt = { by: proven(caller), action: 'cancelSuspension' } as const;
    if (intentId !== undefined) demandEntityId('intent', intentId);
    const id =
      suspension_id ?? (intentId === undefined ? '' : await openIn(parts, attempt, intentId));
    const whyNot = () => parts.diagnose(attempt, intentId, id);
    if (intentId !== undefined && !isEntityId(id)) throw await whyNot();
    const input = {
      ...(intentId !== undefined && { intent_id: intentId }),
      by: attempt.by,
      ...(reason !== undefined && { reason }),
      sender_writes: true,
    } as const;
    try {
      const receipt = await createLiveWrite(parts.temporal, 'suspension', whyNot)(
        id,
        cancelUpdate,
        input,
      );
      await afterSettling(parts, id, receipt);
      return receipt.record;
    } catch (error) {
      const code = refusalOf(error)?.code;
      if (code !== 'suspension_settled' && code !== 'suspension_mismatch') throw error;
      throw await whyNot();
    }
  },
});

/** The question that an intent waits for. */
async function openIn(
  { reads, diagnose }: Parts,
  attempt: Attempt,
  intentId: string,
): Promise<string> {
  const { value: intent } = await reads.getIntent(intentId);
  const active = activeSuspensionId(intent);
  if (active === undefined) throw await diagnose(attempt, intentId, '');
  return active;
}
