import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { SettledRecord } from '../../../contracts/suspension.js';
import type { CancelRequest } from '../../../contracts/suspension-requests.js';
import { cancelUpdate } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../../errors.js';
import type { Caller } from '../caller.js';
import type { Temporal } from '../calls/temporal.js';
import type { Reads } from '../intent/reads.js';
import type { Consistency } from '../reads/consistency.js';
import { refused, writeUnavailable } from '../refusals.js';
import { activeSuspensionId } from './diagnosis.js';
import type { Diagnose } from './diagnosis.js';
import type { Settlements } from './inbox.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'update'>;
  readonly reads: Reads;
  readonly diagnose: Diagnose;
  readonly consistency: Pick<Consistency, 'touch'>;
  readonly settlements: Pick<Settlements, 'touch'>;
}

/** Withdrawing is for who asked, or an admin; the record tells which of the two it was. */
function withdrawerOf({ principal, roles }: Caller, askedBy: string): 'agent' | 'admin' {
  if (principal === askedBy) return 'agent';
  if (roles.has('admin')) return 'admin';
  throw refused('forbidden', 'Only who asked, or an admin, may cancel the question.');
}

/** Withdrawing a question. */
export function createWithdrawals(deps: Deps) {
  const { temporal, reads, diagnose, consistency, settlements } = deps;

  /** The question to withdraw: the intent's open one, which the request may refer to. */
  async function openIn(intentId: string, suspensionId: string | undefined): Promise<string> {
    const { value: intent } = await reads.getIntent(intentId);
    const active = activeSuspensionId(intent);
    const id = suspensionId ?? active ?? '';
    if (active === undefined || id !== active) throw await diagnose(intentId, id);
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
      const { suspension_id } = request;
      const id =
        intentId === undefined ? (suspension_id ?? '') : await openIn(intentId, suspension_id);
      const { value: view } = await reads.getSuspension(id);
      const settled_by = withdrawerOf(caller, view.asked_by);
      const { reason } = request;
      const input = {
        ...(intentId !== undefined && { intent_id: intentId }),
        cancelled_by: caller.principal,
        settled_by,
        ...(reason !== undefined && { reason }),
      };
      try {
        const workflowId = workflowIdOf('suspension', id);
        const outcome = await temporal.update(workflowId, cancelUpdate, input);
        if (outcome.kind === 'gone') throw await diagnose(intentId, id);
        if (outcome.kind === 'no_answer') throw writeUnavailable();
        if (view.intent_id !== null) consistency.touch(view.intent_id);
        settlements.touch(id, 'settled');
        return outcome.value;
      } catch (error) {
        if (refusalOf(error)?.code !== 'suspension_settled') throw error;
        throw await diagnose(intentId, id);
      }
    },
  };
}
