import type { JsonValue } from '../../contracts/json.js';
import { awaitInput } from './await-input.js';
import { openInput } from './open-input.js';
import type { InputOptions } from './options.js';

/**
 * Asks an operator, from the code of a workflow, and returns the value of the answer (R25-87, R25-89), or
 * `fallback_value` (null without one, AM-05) where nobody answered and the policy returns a value.
 * Throws InputTimeoutError (policy `fail`), InputCancelledError, or an ApplicationFailure
 * with the code of what is wrong with the question; where the workflow or its scope is cancelled, the
 * question is withdrawn and the cancellation thrown. Several may be asked at once.
 */
export async function requestInput(options: InputOptions): Promise<JsonValue> {
  return awaitInput(await openInput(options));
}
