import type { SettledRecord } from '../../../contracts/suspension.js';
import type { CancelRequest } from '../../../contracts/suspension-requests.js';
import { cancelUpdate } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../../errors.js';
import { proven } from '../caller.js';
import type { Caller } from '../caller.js';
import { createLiveWrite } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import type { Reads } from '../intent/reads.js';
import { demandEntityId, isEntityId } from '../refusals.js';
import { activeSuspensionId } from './diagnosis.js';
import type { Attempt, Diagnose } from './diagnosis.js';
import { afterSettling } from './settling.js';
import type { SettlingDeps } from './settling.js';

interface Deps extends SettlingDeps {
  readonly temporal: Pick<Temporal, 'update' | 'told'>;
  readonly reads: Reads;
  readonly diagnose: Diagnose;
}

/** Withdrawing a question. */
export function createWithdrawals(deps: Deps) {
  const { temporal, reads, diagnose } = deps;

  /** The question that an intent waits for. */
  async function openIn(attempt: Attempt, intentId: string): Promise<string> {
    const { value: intent } = await reads.getIntent(intentId);
    const active = activeSuspensionId(intent);
    if (active === undefined) throw await diagnose(attempt, intentId, '');
    return active;
  }

  return {
    /**
     * Without a `suspension_id` it is the intent's open question that is withdrawn. Throws
     * `intent_not_found`, `intent_not_suspended`, `suspension_mismatch`, `suspension_settled`,
     * `forbidden`, or `workflow_unavailable`: the withdrawal may then still happen later.
     */
    async cancel(
      caller: Caller,
      intentId: string | undefined,
      request: CancelRequest,
    ): Promise<SettledRecord> {
      const { suspension_id, reason } = request;
      const attempt = { by: proven(caller), action: 'cancelSuspension' } as const;
      if (intentId !== undefined) demandEntityId('intent', intentId);
      const id = suspension_id ?? (intentId === undefined ? '' : await openIn(attempt, intentId));
      const whyNot = () => diagnose(attempt, intentId, id);
      if (intentId !== undefined && !isEntityId(id)) throw await whyNot();
      const input = {
        ...(intentId !== undefined && { intent_id: intentId }),
        by: attempt.by,
        ...(reason !== undefined && { reason }),
        sender_writes: true,
      } as const;
      try {
        const write = createLiveWrite(temporal, 'suspension', whyNot);
        const receipt = await write(id, cancelUpdate, input);
        await afterSettling(deps, id, receipt);
        return receipt.record;
      } catch (error) {
        const code = refusalOf(error)?.code;
        if (code !== 'suspension_settled' && code !== 'suspension_mismatch') throw error;
        throw await whyNot();
      }
    },
  };
}
