import pMap from 'p-map';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { IntentErasure, SuspensionErasure } from '../../../contracts/erasure.js';
import type { Ruling } from '../../../contracts/problem.js';
import { checkApproval } from '../../../domain/approval/erasure.js';
import { checkSettled } from '../../../domain/intent/erasure.js';
import { toInstant } from '../../../domain/kernel/time.js';
import {
  approvalOfQuestion,
  approvalsOf,
  questionsOfApprovals,
} from '../../../store/queries/erase-approvals.js';
import { eraseClosedIntent, eraseSuspension, questionsOf } from '../../../store/queries/erasure.js';
import { erasePersonalDataUpdate } from '../../../workflows/intent/messages.js';
import { forgetSignal } from '../../../workflows/suspension/messages.js';
import { RefusalError, demand } from '../../errors.js';
import { actorOf, sentBy } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import type { Consistency } from '../reads/consistency.js';
import type { FromStore } from '../reads/from-store.js';
import { demandEntityId, notFound, refused, writeUnavailable } from '../refusals.js';
import type { Reads } from './reads.js';

/** So many questions are told to forget at once. */
const AT_ONCE = 16;

interface Deps {
  readonly temporal: Pick<Temporal, 'update' | 'signal'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly fromStore: FromStore;
  readonly reads: Pick<Reads, 'getSuspension'>;
  readonly consistency: Pick<Consistency, 'touch' | 'hold'>;
}

/**
 * Erases personal data: by the workflow of the intent where that is open, else by the store alone. The same request may
 * be sent again after any failure, for what is erased already has the same result.
 */
export function createErasures({ temporal, clock, fromStore, reads, consistency }: Deps) {
  const tell = tellTo(temporal);

  async function eraseClosed(caller: Caller, intentId: string): Promise<IntentErasure> {
    const { principal: by } = caller;
    const order = { by, actor: actorOf(caller), at: toInstant(clock.now()) };
    const erasure = valueOf(await fromStore(eraseClosedIntent, intentId, order, caller.space));
    if (erasure === undefined) throw notFound('intent');
    await tell('suspension', await fromStore(questionsOf, intentId), erasure.erased_at);
    consistency.touch(intentId, erasure.event_sequence);
    return erasure;
  }

  async function erase(caller: Caller, intentId: string): Promise<IntentErasure> {
    const workflowId = workflowIdOf('intent', intentId);
    const outcome = await temporal.update(workflowId, erasePersonalDataUpdate, sentBy(caller));
    if (outcome.kind === 'no_answer') throw writeUnavailable();
    if (outcome.kind === 'gone') return eraseClosed(caller, intentId);
    await consistency.hold(intentId, outcome.value.event_sequence);
    return outcome.value;
  }

  return {
    /**
     * Erases an intent with its questions and the approvals of it that are decided. Throws `forbidden`, `question_open`, `intent_not_found`, `store_unavailable`, and `workflow_unavailable` if no
     * worker took it within 10 s: it may still be carried out later.
     */
    async erasePersonalData(caller: Caller, intentId: string): Promise<IntentErasure> {
      demandEntityId('intent', intentId);
      const approvals = await fromStore(approvalsOf, intentId);
      demand(checkSettled(approvals.some(isPending), 'status'));
      const erasure = await erase(caller, intentId);
      await tell('approval', approvals.map(idOf), erasure.erased_at);
      return erasure;
    },

    /**
     * Erases a question that belongs to no intent; if it asks for an approval, that too, with all of its questions. Throws
     * `suspension_not_found`, `question_open`, `question_of_intent` for the question of an intent, or of an approval of one, and
     * `store_unavailable`, also while the store does not know yet how it ended.
     */
    async eraseSuspension(caller: Caller, suspensionId: string): Promise<SuspensionErasure> {
      const { intent_id, state } = (await reads.getSuspension(suspensionId)).value;
      if (intent_id !== null) {
        throw refused('question_of_intent', 'The question belongs to an intent.', {
          field: 'suspension_id',
          accepted: 'a question without an intent; erase its intent',
        });
      }
      demand(checkSettled(state === 'pending', 'state'));
      const approval = await fromStore(approvalOfQuestion, suspensionId);
      demand(checkApproval(approval));
      const approvals = approval ? [approval.id] : [];
      const others = await fromStore(questionsOfApprovals, approvals);
      const order = { by: caller.principal, at: toInstant(clock.now()) };
      const ruling = await fromStore(eraseSuspension, suspensionId, order, caller.space);
      if (ruling === undefined || !ruling.ok) {
        throw refused('store_unavailable', 'The store does not know yet how the question ended.');
      }
      const { erased_at } = ruling.value;
      await tell('suspension', [...new Set([suspensionId, ...others])], erased_at);
      await tell('approval', approvals, erased_at);
      return ruling.value;
    },
  };
}

/**
 * A settled question ends by itself, but until then it has what it was asked. A decided approval keeps what its agent may pick
 * up: from now on it has nothing.
 */
function tellTo(temporal: Pick<Temporal, 'signal'>) {
  return async (type: 'suspension' | 'approval', ids: readonly string[], at: string) => {
    const forget = (id: string) => temporal.signal(workflowIdOf(type, id), forgetSignal, [at]);
    await pMap(ids, forget, { concurrency: AT_ONCE });
  };
}

const isPending = ({ pending }: { readonly pending: boolean }): boolean => pending;
const idOf = ({ id }: { readonly id: string }): string => id;

function valueOf<T>(ruling: Ruling<T> | undefined): T | undefined {
  if (ruling?.ok === false) throw new RefusalError(ruling.refusal);
  return ruling?.value;
}
