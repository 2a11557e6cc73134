import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject } from '../../contracts/json.js';
import { RefusalError } from '../errors.js';

/**
 * Refuses a `context` over 64 KiB, counted as UTF-8 JSON.
 *
 * @throws RefusalError `invalid_request`
 */
export function checkContextSize(context: JsonObject | undefined): void {
  if (context === undefined) return;
  if (Buffer.byteLength(JSON.stringify(context)) <= LIMITS.contextBytes) return;
  throw new RefusalError({
    code: 'invalid_request',
    detail: 'context is too large.',
    field: 'context',
    accepted: `at most ${LIMITS.contextBytes} bytes of JSON`,
  });
}
