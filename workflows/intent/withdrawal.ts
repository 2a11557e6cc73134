import { condition } from '@temporalio/workflow';
import { defined } from '../../contracts/constants/defined.js';
import { ENDINGS } from '../../contracts/constants/statuses.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { SettledRecord } from '../../contracts/suspension/suspension.js';
import { isApproval } from '../../domain/graph/announcement.js';
import { slotOf } from '../../domain/intent/state-patch.js';
import type { WrittenWithdrawal } from '../../domain/openintent/question-writes.js';
import { failureOf } from '../engine/handlers.js';
import { trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { withdrawSignal, type Withdrawal } from '../suspension/messages.js';
import type { IntentEntity } from './entity.js';
import type { SetStatusInput } from './messages.js';

/**
 * Asks the suspension to withdraw its question; its report then abandons the intent, after an answer that came first.
 * If the suspension is gone, the intent ends the question itself.
 */
export async function abandonSuspended(
  entity: IntentEntity,
  { by: { principal }, actor, reason }: Pick<SetStatusInput, 'by' | 'actor' | 'reason'>,
): Promise<void> {
  if (!entity.active || entity.active.abandoning) return;
  const abandoning = { actor, principal, ...defined({ reason }) };
  entity.active = { ...entity.active, abandoning };
  await withdraw(entity, entity.active.suspension_id, {
    cancelled_by: principal,
    settled_by: 'intent',
    reason: 'intent_abandoned',
  });
}

/** How long a write that closes an intent waits for its approvals to withdraw their questions. */
const WITHDRAWN_WITHIN_MS = 2_000;

/**
 * Resolves once all approvals of a closed intent have been informed, so that later messages find them withdrawn. It
 * then waits a moment until they have withdrawn their questions.
 */
export async function approvalsTold({ announcer, over }: IntentEntity): Promise<void> {
  if (!over || !announcer.has(isApproval)) return;
  await condition(() => !announcer.owesTo(isApproval));
  await condition(() => !announcer.has(isApproval), WITHDRAWN_WITHIN_MS);
}

/** Sends the withdrawal, once the suspension has started. */
async function withdraw(
  entity: IntentEntity,
  suspension_id: string,
  withdrawal: Omit<Withdrawal, 'intent_id'>,
): Promise<void> {
  await condition(() => entity.opening !== suspension_id);
  const workflowId = peerIdOf('suspension', suspension_id);
  const cancel = { intent_id: entity.intent.id, ...withdrawal };
  if (!(await trySignal(workflowId, withdrawSignal, cancel))) entity.watch.miss(suspension_id);
}

/**
 * Withdraws the open question for a principal, as requested by a state write, and waits until it is settled. If an
 * answer came first, the write is refused with `suspension_settled`.
 */
export async function withdrawQuestion(
  entity: IntentEntity,
  { principal }: Caller,
  { suspension_id, reason }: WrittenWithdrawal,
): Promise<void> {
  const settled_by = principal === entity.waiting.asker ? 'agent' : 'admin';
  const withdrawal = { cancelled_by: principal, settled_by, ...defined({ reason }) } as const;
  entity.withdrawing = true;
  try {
    await withdraw(entity, suspension_id, withdrawal);
    await condition(() => !entity.isOpen(suspension_id));
  } finally {
    entity.withdrawing = false;
  }
  const { resolution } = slotOf(entity.intent) as unknown as SettledRecord;
  if (resolution === 'cancelled') return;
  throw failureOf({
    code: 'suspension_settled',
    detail: `The question ${ENDINGS[resolution]}.`,
    state: { intent_status: entity.intent.status, resolution },
  });
}
