import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import { isObject } from '../kernel/message-form.js';

const REFERENCE = '#/$defs/';

/** What a `$ref` of a schema names; undefined where it names nothing. */
export function definedIn(
  { $defs }: JsonObject,
  reference: JsonValue | undefined,
): JsonValue | undefined {
  if (typeof reference !== 'string' || !isObject($defs)) return undefined;
  const name = reference.slice(REFERENCE.length);
  return Object.hasOwn($defs, name) ? ($defs as JsonObject)[name] : undefined;
}
