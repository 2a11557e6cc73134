import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { AskChange, AskWrite } from '../../domain/openintent/ask.js';
import { now } from '../engine/clock.js';
import { timersAreSet } from '../engine/sender.js';
import type { IntentEntity } from './entity.js';
import type { AskingInput } from './messages.js';
import { askerOf, loseQuestion, noteQuestion, startSuspension } from './questions.js';

/** What a write through the OpenIntent API is judged by. */
export function askingContext(entity: IntentEntity, { actor }: AskingInput): AskWrite {
  return {
    actor,
    now: now(),
    questionIsOpen: entity.active !== undefined,
    maxBytes: LIMITS.intentStateBytes,
    limits: LIMITS,
  };
}

/**
 * Takes over a write that may complete a question, which the OpenIntent API asks in two calls; its suspension then
 * runs like any other. One whose id another suspension has or had is withdrawn at once.
 */
export async function commitAsking(
  entity: IntentEntity,
  change: AskChange,
  { actor, openintent_ask }: AskingInput,
): Promise<void> {
  const { intent, opens } = change;
  const events = change.events.filter((draft) => !entity.recorded.find(draft, true));
  const goesOn = entity.suspended && intent.status === 'active';
  const rows = entity.commit({ intent, events });
  if (!opens) {
    // The timer of a lease may have fired for nothing while the intent was suspended.
    if (goesOn && entity.leases.length > 0) await timersAreSet();
    return;
  }
  const { record, schedule } = opens;
  const question = { ...askerOf(entity, openintent_ask?.asked_by ?? actor), record, schedule };
  noteQuestion(entity, question, rows, actor);
  try {
    await startSuspension(entity, question, 'REJECT_DUPLICATE');
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    loseQuestion(entity, record.id, actor, 'suspension_id_taken');
  }
}
