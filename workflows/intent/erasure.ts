import type { IntentErasure } from '../../contracts/log/erasure.js';
import {
  checkSettled,
  erasedIntent,
  erasedRow,
  erasureEvent,
  isStillErased,
} from '../../domain/intent/erasure.js';
import { toInstant } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import { demand, onWrite } from '../engine/handlers.js';
import type { IntentEntity } from './entity.js';
import { erasePersonalDataUpdate, type ErasureInput } from './messages.js';
import { mayDo } from './rights.js';

/** Registers the erasure of personal data of an intent without an open question, for an admin. */
export function registerErasure(entity: IntentEntity): void {
  onWrite(
    entity,
    erasePersonalDataUpdate,
    'Erase the personal data',
    ({ by }) => {
      demand(mayDo(entity, by, 'erasePersonalData'));
      demand(checkSettled(entity.suspended || entity.active !== undefined, 'status'));
    },
    (input) => erase(entity, input),
  );
}

/**
 * Removes it from everything that this run passes on: the state, the records about the log, and the pending rows. The
 * run ends afterwards, because its history contains the data.
 */
function erase(entity: IntentEntity, { by, actor }: ErasureInput): IntentErasure {
  const { last_sequence } = entity.log.end;
  const { current } = entity.erasures;
  if (isStillErased(current, last_sequence)) return current;
  const at = toInstant(now());
  const erasure = {
    intent_id: entity.intent.id,
    erased_at: at,
    erased_by: by.principal,
    through_sequence: last_sequence,
    event_sequence: last_sequence + 1,
  };
  const questions = new Set([...entity.recorded.questionIds, entity.waiting.lastId ?? []].flat());
  entity.journal.rewrite((row) => erasedRow(row, at));
  entity.recorded.forget();
  entity.requestKeys.forget();
  entity.repeats.forget();
  entity.erasures.take(erasure, [...questions]);
  entity.journal.append({ kind: 'erasure', ...erasure });
  const events = [erasureEvent(last_sequence, actor)];
  entity.commit({ intent: erasedIntent(entity.intent, at), events }, by.principal);
  entity.renew();
  return erasure;
}
