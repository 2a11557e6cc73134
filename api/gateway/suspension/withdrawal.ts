import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { SettledRecord } from '../../../contracts/suspension.js';
import type { CancelRequest } from '../../../contracts/suspension-requests.js';
import { cancelUpdate } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../../errors.js';
import { proven } from '../caller.js';
import type { Caller } from '../caller.js';
import { createLiveWrite } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import type { Reads } from '../intent/reads.js';
import type { Consistency } from '../reads/consistency.js';
import { demandEntityId, isEntityId } from '../refusals.js';
import { activeSuspensionId } from './diagnosis.js';
import type { Diagnose } from './diagnosis.js';
import type { Settlements } from './inbox.js';
import type { QuestionRows } from './question-rows.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'update' | 'told'>;
  readonly reads: Reads;
  readonly diagnose: Diagnose;
  readonly consistency: Pick<Consistency, 'touch'>;
  readonly settlements: Pick<Settlements, 'touch'>;
  readonly questionRows: Pick<QuestionRows, 'writeLast'>;
}

/** Withdrawing a question. */
export function createWithdrawals(deps: Deps) {
  const { temporal, reads, diagnose, consistency, settlements, questionRows } = deps;

  /** The question that an intent waits for. */
  async function openIn(intentId: string): Promise<string> {
    const { value: intent } = await reads.getIntent(intentId);
    const active = activeSuspensionId(intent);
    if (active === undefined) throw await diagnose(intentId, '');
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
      if (intentId !== undefined) demandEntityId('intent', intentId);
      const id = suspension_id ?? (intentId === undefined ? '' : await openIn(intentId));
      if (intentId !== undefined && !isEntityId(id)) throw await diagnose(intentId, id);
      const input = {
        ...(intentId !== undefined && { intent_id: intentId }),
        by: proven(caller),
        ...(reason !== undefined && { reason }),
      };
      try {
        const write = createLiveWrite(temporal, 'suspension', () => diagnose(intentId, id));
        const { record, intent_id, awaited_by } = await write(id, cancelUpdate, input);
        if (intent_id !== null) consistency.touch(intent_id);
        settlements.touch(id, 'settled');
        const workflowId = workflowIdOf('suspension', id);
        if (awaited_by !== undefined) await temporal.told(awaited_by, workflowId);
        if (intent_id === null) await questionRows.writeLast(id);
        return record;
      } catch (error) {
        const code = refusalOf(error)?.code;
        if (code !== 'suspension_settled' && code !== 'suspension_mismatch') throw error;
        throw await diagnose(intentId, id);
      }
    },
  };
}
