import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';

export type Operator = '==' | '!=' | Ordering;
type Ordering = '>' | '>=' | '<' | '<=';

/**
 * Whether a comparison of two JSON values holds; undefined if their types cannot be compared. Numbers and texts have
 * an order, texts by UTF-16 units. Null equals only null and has no order.
 */
export function compare(
  value: JsonValue,
  operator: Operator,
  literal: JsonValue,
): boolean | undefined {
  if (operator === '==') return equals(value, literal);
  if (operator === '!=') return negated(equals(value, literal));
  if (typeof value !== typeof literal) return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  return isOrdered(value, operator, literal as typeof value);
}

function negated(holds: boolean | undefined): boolean | undefined {
  return holds === undefined ? undefined : !holds;
}

/** Whether all parts hold. One false part decides, even if others are undefined. */
function all(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false;
  return parts.includes(undefined) ? undefined : true;
}

function equals(value: JsonValue, literal: JsonValue): boolean | undefined {
  if (value === null || literal === null) return value === literal;
  if (typeof value !== typeof literal) return undefined;
  if (typeof value !== 'object' || typeof literal !== 'object') return value === literal;
  if (Array.isArray(value) !== Array.isArray(literal)) return undefined;
  const [own, other] = [value, literal] as readonly JsonObject[] as [JsonObject, JsonObject];
  const names = Object.keys(other);
  if (names.length !== Object.keys(own).length) return false;
  return all(
    names.map((name) =>
      Object.hasOwn(own, name) ? equals(own[name] ?? null, other[name] ?? null) : false,
    ),
  );
}

/**
 * Whether a value is one of several; undefined if it can be compared with none. For null the answer is never
 * undefined.
 */
export function isOneOf(value: JsonValue, literals: readonly JsonValue[]): boolean | undefined {
  const found = literals.map((literal) => equals(value, literal));
  if (found.includes(true)) return true;
  const isClear = literals.some((literal, index) => literal !== null && found[index] === false);
  const isNull = value === null || literals.every((literal) => literal === null);
  return isClear || isNull ? false : undefined;
}

function isOrdered<T extends number | string>(value: T, operator: Ordering, literal: T): boolean {
  switch (operator) {
    case '>':
      return value > literal;
    case '>=':
      return value >= literal;
    case '<':
      return value < literal;
    case '<=':
      return value <= literal;
  }
}
