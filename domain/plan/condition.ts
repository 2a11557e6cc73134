import type { JsonValue } from '../../contracts/primitives.js';
import { jsonEqual } from '../kernel/json.js';

/** `tasks['name'].output.path.to.key`, and optionally a comparison with a JSON literal. */
const FORM =
  /^\s*tasks\[(['"])([\w-]+)\1\]\.output((?:\.\w+)+)\s*(?:(==|!=|>=|<=|>|<)\s*(.+?)\s*)?$/;

type Operator = '==' | '!=' | '>' | '>=' | '<' | '<=';

/** A condition of a plan that could be read (RFC-0012 §2.4, the form its examples have). */
interface Condition {
  /** Name or id. */
  readonly task: string;
  readonly path: readonly string[];
  /** Nothing asks whether the value is there and neither false, 0, empty text nor null. */
  readonly comparison?: { readonly operator: Operator; readonly literal: JsonValue };
}

export const CONDITION_FORM =
  "tasks['<name>'].output.<key>, alone or compared by ==, !=, >, >=, < or <= with a JSON literal";

/** Reads a condition; undefined where it is of another form. */
export function parseCondition(when: string): Condition | undefined {
  const match = FORM.exec(when);
  if (match === null) return undefined;
  const [, , task = '', path = '', operator, text] = match;
  const base = { task, path: path.slice(1).split('.') };
  if (operator === undefined || text === undefined) return base;
  const literal = literalOf(text);
  if (literal === undefined) return undefined;
  return { ...base, comparison: { operator: operator as Operator, literal } };
}

/** Whether a condition holds for the output of the task it names; a value that is missing is null. */
export function holds(condition: Condition, output: JsonValue): boolean {
  const value = condition.path.reduce<JsonValue>(memberOf, output);
  const { comparison } = condition;
  if (comparison === undefined) return Boolean(value);
  const { operator, literal } = comparison;
  if (operator === '==') return jsonEqual(value, literal);
  if (operator === '!=') return !jsonEqual(value, literal);
  if (typeof value === 'number' && typeof literal === 'number') {
    return isOrdered(value, operator, literal);
  }
  return typeof value === 'string' && typeof literal === 'string'
    ? isOrdered(value, operator, literal)
    : false;
}

function isOrdered<T extends number | string>(
  value: T,
  operator: Exclude<Operator, '==' | '!='>,
  literal: T,
): boolean {
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

function memberOf(value: JsonValue, key: string): JsonValue {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
  return (value as Readonly<Record<string, JsonValue>>)[key] ?? null;
}

/** A JSON literal; a text may stand in single quotes. */
function literalOf(text: string): JsonValue | undefined {
  const quoted = /^'([^'\\]*)'$/.exec(text)?.[1];
  try {
    return quoted ?? (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}
