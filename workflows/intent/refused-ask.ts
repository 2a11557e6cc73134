import { log } from '@temporalio/workflow';
import type { Ruling } from '../../contracts/problem.js';
import { checkVersion, movedTo } from '../../domain/intent/entity.js';
import type { IntentChange } from '../../domain/intent/entity.js';
import { refuse, ok } from '../../domain/kernel/ruling.js';
import { toInstant } from '../../domain/kernel/time.js';
import { CLOCK_ACTOR } from '../../domain/suspension/events.js';
import { now } from '../engine/clock.js';
import { demand, onWrite } from '../engine/handlers.js';
import type { IntentEntity } from './entity.js';
import { endRefusedAskUpdate } from './messages.js';
import type { RefusedAskInput } from './messages.js';
import { mayDo } from './rights.js';
import { writtenOf } from './written.js';

/**
 * Ends the wait for a question that was refused: the OpenIntent SDK suspends first and gives up after a refusal, so that
 * nobody would ever be asked, or end it.
 */
export function registerRefusedAsks(entity: IntentEntity): void {
  onWrite(
    entity,
    endRefusedAskUpdate,
    'End the wait for a question that was refused',
    (input) => {
      demand(endOfWait(entity, input));
    },
    (input) => {
      const change = demand(endOfWait(entity, input));
      log.warn('question_refused', { status: change.intent.status, reason: input.reason });
      entity.commit(change);
      return writtenOf(entity);
    },
  );
}

/** The intent has the status that it had before. Refuses a wait of somebody else, and one that is over. */
function endOfWait(entity: IntentEntity, input: RefusedAskInput): Ruling<IntentChange> {
  const { intent, waiting, active, suspended } = entity;
  const allowed = mayDo(entity, input.by, 'setStatus', 'endsRefusedAsk');
  if (!allowed.ok) return allowed;
  if (!suspended || active) {
    return refuse('intent_not_suspended', 'The intent waits for no question.', {
      state: { intent_status: intent.status },
    });
  }
  const current = checkVersion(intent, input.if_match);
  if (!current.ok) return current;
  const at = toInstant(now());
  return ok(movedTo(intent, waiting.before, CLOCK_ACTOR, at, input.reason));
}
