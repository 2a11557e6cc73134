import { condition } from '@temporalio/workflow';
import { ENDINGS } from '../../contracts/constants/statuses.js';
import type { Caller } from '../../contracts/caller.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { slotOf } from '../../domain/intent/state-patch.js';
import type { WrittenWithdrawal } from '../../domain/openintent/ask.js';
import { failureOf } from '../engine/handlers.js';
import { trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { withdrawSignal } from '../suspension/messages.js';
import type { IntentEntity } from './entity.js';

/**
 * Withdraws the open question for a principal, whose state write wants that, and waits until it is settled. If an
 * answer came first, it counts, and the write is refused with `suspension_settled`.
 */
export async function withdrawQuestion(
  entity: IntentEntity,
  { principal }: Caller,
  { suspension_id, reason }: WrittenWithdrawal,
): Promise<void> {
  const settled_by = principal === entity.waiting.asker ? 'agent' : 'admin';
  const about = { intent_id: entity.intent.id, cancelled_by: principal };
  const cancel = { ...about, settled_by, ...(reason !== undefined && { reason }) } as const;
  entity.withdrawing = true;
  try {
    await condition(() => entity.opening !== suspension_id);
    const workflowId = peerIdOf('suspension', suspension_id);
    const taken = await trySignal(workflowId, withdrawSignal, cancel);
    if (!taken) entity.watch.miss(suspension_id);
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
