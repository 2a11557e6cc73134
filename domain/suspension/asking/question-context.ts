import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import { jsonBytes } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';

/** Keys that hooks and channels add to their copies of `context`, so a question may not set them. */
const RESERVED_KEYS = ['_attempt', '_max_attempts'];

/** Returns a context without the keys that hooks and channels fill in. */
export function withoutReserved(context: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(context).filter(([key]) => !RESERVED_KEYS.includes(key)),
  );
}

/** Returns the context for the record, without the keys that hooks and channels fill in. */
export function contextOf(
  request: Pick<SuspendRequest, 'context'>,
  limits: { readonly contextBytes: number },
): Ruling<JsonObject | undefined> {
  if (request.context === undefined) return ok(undefined);
  const context = withoutReserved(request.context);
  if (jsonBytes(context) <= limits.contextBytes) return ok(context);
  return refuse('invalid_request', 'The context is too large.', {
    field: 'context',
    accepted: `at most ${limits.contextBytes} bytes of JSON`,
  });
}

/** Says which entries of the context are dropped, for nothing that people would look for is left out in silence. */
export function reservedWarnings({
  context = {},
}: Pick<SuspendRequest, 'context'>): readonly string[] {
  return RESERVED_KEYS.filter((key) => Object.hasOwn(context, key)).map(
    (key) =>
      `The entry ${key} of the context is left out: Holdpoint fills it in for hooks and channels.`,
  );
}
