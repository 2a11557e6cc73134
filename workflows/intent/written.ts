import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import type { IntentEntity } from './entity.js';
import type { IntentWritten } from './messages.js';

/** The result of a write. */
export function writtenOf({ intent, logEnd: { last_sequence } }: IntentEntity): IntentWritten {
  const position = { version: intent.version, last_sequence };
  return jsonBytes(intent) > WORKFLOW_LIMITS.resultBytes ? position : { ...position, intent };
}
