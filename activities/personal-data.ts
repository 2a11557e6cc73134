import type { JsonObject, JsonValue } from '../contracts/json.js';

/** Stands for a whole value, whatever it was: neither its type, its size nor its absence is told. */
export const MASK = '•••';

/**
 * Replaces the value under each of the given names by a mask, at any depth, lists included. Names are
 * compared without regard to case. Pure.
 */
export function maskPersonalData(object: JsonObject, names: readonly string[]): JsonObject {
  const masked = new Set(names.map((name) => name.toLowerCase()));
  const maskIn = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(maskIn);
    return typeof value === 'object' && value !== null ? maskObject(value as JsonObject) : value;
  };
  const maskObject = (inner: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(inner).map(([name, value]) => [
        name,
        masked.has(name.toLowerCase()) ? MASK : maskIn(value),
      ]),
    );
  return maskObject(object);
}
