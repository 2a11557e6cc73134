import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { isObject } from '../kernel/message-form.js';

const REFERENCE = '#/$defs/';

/** The target of a schema's `$ref`; undefined if there is none. */
export function definedIn(
  { $defs }: JsonObject,
  reference: JsonValue | undefined,
): JsonValue | undefined {
  if (typeof reference !== 'string' || !isObject($defs)) return undefined;
  const name = reference.slice(REFERENCE.length);
  return Object.hasOwn($defs, name) ? ($defs as JsonObject)[name] : undefined;
}
