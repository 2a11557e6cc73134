import pMap from 'p-map';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { IntentErasure, SuspensionErasure } from '../../../contracts/log/erasure.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { checkApproval } from '../../../domain/approval/record/erasure.js';
import { checkSettled } from '../../../domain/intent/erasure.js';
import { toInstant } from '../../../domain/kernel/time.js';
import {
  approvalOfQuestion,
  approvalsOf,
  questionsOfApprovals,
} from '../../../store/queries/erasure/erase-approvals.js';
import {
  eraseClosedIntent,
  eraseSuspension as eraseStored,
  questionsOf,
} from '../../../store/queries/erasure/erasure.js';
import { erasePersonalDataUpdate } from '../../../workflows/intent/messages.js';
import { forgetSignal } from '../../../workflows/suspension/messages.js';
import { RefusalError, demand } from '../../errors.js';
import { actorOf, sentBy } from '../../parts/caller.js';
import { demandEntityId, notFound, refused, writeUnavailable } from '../../parts/refusals.js';
import { READ, WRITE, useCase, type Call } from '../usecase.js';

/** How many questions are erased at once. */
const AT_ONCE = 16;

/**
 * Erases the personal data of an intent with its questions and its decided approvals, by its workflow while that is
 * open, else in the store. The request may be repeated.
 */
export const erasePersonalData = useCase({
  name: 'erasePersonalData',
  resource: 'intent',
  refusals: ['question_open', ...WRITE],
  async run(call: Call, intentId: string): Promise<IntentErasure> {
    demandEntityId('intent', intentId);
    const approvals = await call.parts.fromStore(approvalsOf, intentId);
    demand(checkSettled(approvals.some(isPending), 'status'));
    const erasure = await erase(call, intentId);
    await tell(call, 'approval', approvals.map(idOf), erasure.erased_at);
    return erasure;
  },
});

async function erase(call: Call, intentId: string): Promise<IntentErasure> {
  const { caller, parts } = call;
  const workflowId = workflowIdOf('intent', intentId);
  const sent = sentBy(caller);
  const outcome = await parts.temporal.update(workflowId, erasePersonalDataUpdate, sent);
  if (outcome.kind === 'no_answer') throw writeUnavailable();
  if (outcome.kind === 'gone') return eraseClosed(call, intentId);
  await parts.consistency.hold(intentId, outcome.value.event_sequence);
  return outcome.value;
}

async function eraseClosed(call: Call, intentId: string): Promise<IntentErasure> {
  const { caller, parts } = call;
  const { clock, consistency, fromStore } = parts;
  const order = { by: caller.principal, actor: actorOf(caller), at: toInstant(clock.now()) };
  const erasure = valueOf(await fromStore(eraseClosedIntent, intentId, order, caller.space));
  if (erasure === undefined) throw notFound('intent');
  await tell(call, 'suspension', await fromStore(questionsOf, intentId), erasure.erased_at);
  consistency.touch(intentId, erasure.event_sequence);
  return erasure;
}

/**
 * Erases a question that belongs to no intent; if it asks for an approval, that too, with all of its questions. Throws
 * `question_of_intent` for the question of an intent, or of an approval of one, and `store_unavailable` also while the store
 * does not know yet how it ended.
 */
export const eraseSuspension = useCase({
  name: 'eraseSuspension',
  resource: 'suspension',
  refusals: ['question_open', 'question_of_intent', ...READ],
  async run(call: Call, suspensionId: string): Promise<SuspensionErasure> {
    const { caller, parts } = call;
    const { clock, fromStore, reads } = parts;
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
    const ruling = await fromStore(eraseStored, suspensionId, order, caller.space);
    if (ruling === undefined || !ruling.ok) {
      throw refused('store_unavailable', 'The store does not know yet how the question ended.');
    }
    const { erased_at } = ruling.value;
    await tell(call, 'suspension', [...new Set([suspensionId, ...others])], erased_at);
    await tell(call, 'approval', approvals, erased_at);
    return ruling.value;
  },
});

/**
 * Sends the erasure to workflows that still hold the data: a settled question until it ends, and a decided approval,
 * whose agent can pick up nothing from then on.
 */
async function tell(
  { parts: { temporal } }: Call,
  type: 'suspension' | 'approval',
  ids: readonly string[],
  at: string,
): Promise<void> {
  const forget = (id: string) => temporal.signal(workflowIdOf(type, id), forgetSignal, [at]);
  await pMap(ids, forget, { concurrency: AT_ONCE });
}

const isPending = ({ pending }: { readonly pending: boolean }): boolean => pending;
const idOf = ({ id }: { readonly id: string }): string => id;

function valueOf<T>(ruling: Ruling<T> | undefined): T | undefined {
  if (ruling?.ok === false) throw new RefusalError(ruling.refusal);
  return ruling?.value;
}
