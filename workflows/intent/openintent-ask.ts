import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { LIMITS } from '../../contracts/constants/limits.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { AskChange, AskWrite } from '../../domain/openintent/ask.js';
import { now } from '../engine/clock.js';
import { allTakenIn } from '../engine/outbox.js';
import { openingRow } from '../suspension/rows.js';
import type { IntentEntity } from './entity.js';
import type { AskingInput } from './messages.js';
import { loseQuestion, startSuspension } from './questions.js';

/** What a write of the OpenIntent-compatible door is judged by. */
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
 * Takes over a write that may complete a question put in two calls; its suspension then runs like any
 * other. One whose id another suspension has or had is withdrawn at once.
 */
export async function commitAsking(
  entity: IntentEntity,
  change: AskChange,
  { actor, two_call }: AskingInput,
): Promise<void> {
  const { intent, opens } = change;
  const events = change.events.filter((draft) => !entity.recorded.find(draft, true));
  const goesOn = entity.suspended && intent.status === 'active';
  const rows = entity.commit({ intent, events });
  if (!opens) {
    if (goesOn && entity.leases.length > 0) await timersAreSet();
    return;
  }
  const { record, schedule } = opens;
  const { id } = record;
  entity.recorded.turnTo(id);
  entity.recorded.note(rows);
  entity.active = { suspension_id: id, report_sequence: 0, agent: actor };
  entity.waiting.asked(record);
  const asked_by = two_call?.asked_by ?? actor;
  const opening = { intent_id: intent.id, asked_by, record, schedule };
  entity.journal.append(openingRow(opening));
  const subject_workflow_id = workflowIdOf('intent', intent.id);
  const suspension = { ...opening, subject_workflow_id, opening_journalled: true };
  try {
    await startSuspension(entity, suspension, 'REJECT_DUPLICATE');
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    loseQuestion(entity, id, actor, 'suspension_id_taken');
  }
}

/**
 * Lets the timer of a lease that runs on start before the Update completes. It had fired for nothing while
 * the intent was suspended, so that a replay takes in both at once, and its commands would change places
 * (docs/adr/0011): the first look sets timers, the second sends what is to be told.
 */
async function timersAreSet(): Promise<void> {
  await allTakenIn();
  await allTakenIn();
}
