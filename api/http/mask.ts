import type { IntentEvent } from '../../contracts/event.js';
import type { Intent } from '../../contracts/intent.js';
import { maskedEvent, withShort } from '../../domain/masked-event.js';
import { SUSPENSION_SLOT } from '../../domain/state-patch.js';
import type { MaskedEvent } from '../../domain/masked-event.js';
import { mayAnswer } from '../gateway/may-answer.js';
import type { Caller } from '../gateway/types.js';

/** The intent as a caller may read it: an agent sees the id of its own intent's suspension only (AM-45). */
export function intentFor(caller: Caller, intent: Intent): Intent {
  if (mayAnswer(caller) || intent.created_by === caller.principal) return intent;
  return maskedIntent(intent);
}

/** The intent without the id of its suspension. */
export function maskedIntent(intent: Intent): Intent {
  const record = intent.state[SUSPENSION_SLOT];
  if (record === undefined) return intent;
  return { ...intent, state: { ...intent.state, [SUSPENSION_SLOT]: withShort(record, 'id') } };
}

/** Events as somebody may read them who neither may answer nor owns the intent (AM-45). */
export function maskedEvents(events: readonly IntentEvent[]): readonly MaskedEvent[] {
  return events.map(maskedEvent);
}
