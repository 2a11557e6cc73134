import { parseExact } from '../../contracts/constants/exact-json.js';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import { compare } from '../kernel/comparison.js';
import type { Operator } from '../kernel/comparison.js';
import { valueAt } from '../kernel/json.js';

/** `tasks['name'].output.path.to.key`, optionally compared with a JSON literal. */
const FORM = /^tasks\[(['"])([\w-]+)\1\]\.output((?:\.\w+)+)\s*(?:(==|!=|>=|<=|>|<)(.+))?$/;

/** What `FORM` finds: the whole text, a quote, the task, the path, and the comparison if there is one. */
type Found = readonly [
  string,
  string,
  string,
  string,
  ...([Operator, string] | [undefined, undefined]),
];

/** A parsed condition (RFC-0012 §2.4, in the form of its examples). */
interface Condition {
  /** Name or id of a task. */
  readonly task: string;
  readonly path: readonly string[];
  /** A condition without a comparison holds for every value but false, 0, "" and null. */
  readonly comparison?: { readonly operator: Operator; readonly literal: JsonValue };
}

/** Describes the form of a condition in error messages. */
export const CONDITION_FORM =
  "tasks['<name>'].output.<key>, alone or compared by ==, !=, >, >=, < or <= with a JSON literal that a double holds exactly";

/** Parses a condition. Returns undefined for any other text. */
export function parseCondition(when: string): Condition | undefined {
  const match = FORM.exec(when.trim());
  if (match === null) return undefined;
  const [, , task, path, operator, text] = match as unknown as Found;
  const base = { task, path: path.slice(1).split('.') };
  if (operator === undefined) return base;
  const literal = literalOf(text.trim());
  return literal === undefined ? undefined : { ...base, comparison: { operator, literal } };
}

/** Whether a condition holds for an output. Missing values count as null; different types never compare. */
export function holds(condition: Condition, output: JsonValue): boolean {
  const value = valueAt(output, condition.path) ?? null;
  const { comparison } = condition;
  if (comparison === undefined) return Boolean(value);
  return compare(value, comparison.operator, comparison.literal) ?? false;
}

/** Parses a JSON literal, but none that would be changed by it. A text may also stand in single quotes. */
function literalOf(text: string): JsonValue | undefined {
  const quoted = /^'([^'\\]*)'$/.exec(text)?.[1];
  try {
    return quoted ?? (parseExact(text) as JsonValue);
  } catch {
    return undefined;
  }
}
