import { log } from '@temporalio/workflow';
import { checkVersion, movedTo } from '../../domain/intent/entity.js';
import type { IntentChange } from '../../domain/intent/entity.js';
import { toInstant } from '../../domain/kernel/time.js';
import { CLOCK_ACTOR } from '../../domain/suspension/record/events.js';
import { now } from '../engine/clock.js';
import { demand, failureOf, onWrite } from '../engine/handlers.js';
import type { IntentEntity } from './entity.js';
import { endRefusedAskUpdate } from './messages.js';
import type { RefusedAskInput } from './messages.js';
import { mayDo } from './rights.js';

/**
 * Ends the wait for a question that was refused: the OpenIntent SDK suspends first and gives up after a refusal, so that
 * nobody would ever be asked, or end it.
 */
export function registerRefusedAsks(entity: IntentEntity): void {
  onWrite(
    entity,
    endRefusedAskUpdate,
    'End the wait for a question that was refused',
    (input) => endOfWait(entity, input),
    (input) => {
      const change = endOfWait(entity, input);
      log.warn('question_refused', { status: change.intent.status, reason: input.reason });
      entity.commit(change);
      return entity.written;
    },
  );
}

/** Returns the intent with the status that it had before. Throws a refusal for somebody else's wait, and for one that is over. */
function endOfWait(entity: IntentEntity, input: RefusedAskInput): IntentChange {
  const { intent, waiting, active, suspended } = entity;
  demand(mayDo(entity, input.by, 'setStatus', 'endsRefusedAsk'));
  if (!suspended || active) {
    throw failureOf({
      code: 'intent_not_suspended',
      detail: 'The intent waits for no question.',
      state: { intent_status: intent.status },
    });
  }
  demand(checkVersion(intent, input.if_match));
  return movedTo(intent, waiting.before, CLOCK_ACTOR, toInstant(now()), input.reason);
}
