import type { JsonValue } from '../../contracts/primitives.js';
import { jsonEqual } from './json.js';

/** How two JSON values are compared. */
export type Operator = '==' | '!=' | Ordering;
type Ordering = '>' | '>=' | '<' | '<=';

/**
 * Whether a comparison of two JSON values holds. Two numbers, and two texts, have an order; undefined is the answer where
 * there is none. Texts are ordered by their UTF-16 units.
 */
export function compare(
  value: JsonValue,
  operator: Operator,
  literal: JsonValue,
): boolean | undefined {
  if (operator === '==') return jsonEqual(value, literal);
  if (operator === '!=') return !jsonEqual(value, literal);
  if (typeof value !== typeof literal) return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  return isOrdered(value, operator, literal as typeof value);
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
