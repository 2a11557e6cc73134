import { jsonBytes } from '../../domain/json-size.js';
import type { IntentEntity } from './entity.js';
import type { IntentPosition, IntentWritten } from './messages.js';

/** No Update result may be larger; the caller then reads the intent by Query (design §4). */
const RESULT_BYTES = 256 * 1_024;

/** The result of a write. */
export function writtenOf({ intent, logEnd: { last_sequence } }: IntentEntity): IntentWritten {
  const position = { version: intent.version, last_sequence };
  return jsonBytes(intent) > RESULT_BYTES ? position : { ...position, intent };
}

/** How far the log has come, and how far the store has confirmed it. */
export function positionOf({ intent, logEnd, journal }: IntentEntity): IntentPosition {
  const unwritten = journal.unwritten.find((row) => row.kind === 'event');
  return {
    version: intent.version,
    ...logEnd,
    written_sequence: (unwritten?.event.sequence ?? logEnd.last_sequence + 1) - 1,
  };
}
