import { z } from 'zod';
import type { ErrorCode } from './constants/errors.js';
import type { Refusal } from './problem.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** One field at fault, as a problem body and a start-up error tell it. */
export interface FieldIssue {
  /** Path into the input, e.g. `choices[0].label`; empty for the input itself. */
  readonly field: string;
  readonly detail: string;
  readonly accepted?: string;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'entr' };

/** Writes a path the way JavaScript would: `choices[0].label`, `state["a/b"]`. */
export function fieldPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = String(part);
    if (!/^[\w-]+$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

function bound(issue: Issue & { code: 'too_big' | 'too_small' }): string {
  const [limit, side] =
    issue.code === 'too_big' ? [issue.maximum, 'at most'] : [issue.minimum, 'at least'];
  const unit = UNITS[issue.origin];
  if (unit === undefined) return `a number of ${side} ${String(limit)}`;
  const plural = unit === 'entr' ? (limit === 1 ? 'y' : 'ies') : limit === 1 ? '' : 's';
  return `${KINDS[issue.origin] ?? issue.origin} of ${side} ${String(limit)} ${unit}${plural}`;
}

/** Joins what the branches of a union accept, where all of them fail at the union itself. */
function unionKinds(branches: readonly (readonly Issue[])[]): string {
  const kinds = branches.flatMap((branch) =>
    branch.map((issue) => acceptedBy(issue) ?? 'another form'),
  );
  return [...new Set(kinds)].join(', ').replace(/, ([^,]*)$/, ' or $1');
}

/** What would have been accepted in place of what an issue is about. */
function acceptedBy(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? issue.expected;
    case 'too_big':
    case 'too_small':
      return bound(issue);
    case 'invalid_value':
      return `one of: ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return `a valid ${issue.format}`;
    case 'not_multiple_of':
      return `a multiple of ${String(issue.divisor)}`;
    case 'custom':
      return issue.params?.['accepted'] as string | undefined;
    case 'invalid_union':
      return issue.errors.length > 0
        ? unionKinds(issue.errors)
        : `one of: ${('options' in issue ? (issue.options ?? []) : []).map(String).join(', ')}`;
    default:
      return undefined;
  }
}

/** The issues of the union branch that came closest; undefined where none got past the start. */
function closestBranch(issue: Issue): readonly Issue[] | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  return issue.errors.find((branch) => branch.some(({ path }) => path.length > 0));
}

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    input,
  );
}

function describe(issue: Issue, prefix: Path, input: unknown): readonly FieldIssue[] {
  const path = [...prefix, ...issue.path];
  const branch = closestBranch(issue);
  if (branch !== undefined) return branch.flatMap((inner) => describe(inner, path, input));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const field = fieldPath([...path, key]);
      return { field, detail: `${field} is not known here.` };
    });
  }
  const field = fieldPath(path);
  const name = field === '' ? 'The input' : field;
  const accepted = acceptedBy(issue);
  if (accepted === undefined) return [{ field, detail: `${name}: ${issue.message}` }];
  const verb = valueAt(input, path) === undefined ? 'is required' : 'is not accepted';
  return [{ field, accepted, detail: `${name} ${verb}: it must be ${accepted}.` }];
}

/**
 * Translates what zod found into fields and what they accept. No value of the input is repeated.
 *
 * @param input - what was parsed, to tell a missing field from a wrong one
 */
export function describeIssues(error: z.ZodError, input: unknown): readonly FieldIssue[] {
  const closer = error.issues.filter((issue) => !isSafeIntegerBound(issue));
  const told = closer.length > 0 ? closer : error.issues;
  return told.flatMap((issue) => describe(issue, [], input));
}

/** The bound of every whole number in zod, beside which the field's own bound is what helps. */
function isSafeIntegerBound(issue: Issue): boolean {
  return issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER;
}

const REPORTED_ISSUES = 20;

/** Error code by the first name of a field's path; fields not listed are `invalid_request`. */
export type FieldCodes = Readonly<Record<string, ErrorCode>>;

/** What parsing came to: the value, or the refusal of the first field and up to 20 fields at fault. */
type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal; readonly issues: readonly FieldIssue[] };

/** Whether a field may be left out, and so be null, which it does not take itself. */
export function takesNullAsAbsent(field: z.ZodType): boolean {
  return field.safeParse(undefined).success && !field.safeParse(null).success;
}

/**
 * Drops each null of an optional field that takes none: clients that write out every field of theirs
 * say null for what they leave out.
 */
export function withoutNulls(schema: z.ZodType, input: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof input !== 'object' || input === null) return input;
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  const isLeftOut = ([name, value]: [string, unknown]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return value === null && field !== undefined && takesNullAsAbsent(field);
  };
  return Object.fromEntries(Object.entries(input).filter((entry) => !isLeftOut(entry)));
}

/**
 * Parses what came in by any door; a null that an optional field does not take counts as left out.
 *
 * @param codes - codes of fields that have one of their own
 */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  codes: FieldCodes = {},
): Parsed<z.output<Schema>> {
  const given = withoutNulls(schema, input);
  const result = schema.safeParse(given);
  if (result.success) return { ok: true, value: result.data };
  const issues = describeIssues(result.error, given).slice(0, REPORTED_ISSUES);
  const [first] = issues;
  if (first === undefined) throw result.error;
  const [root = ''] = first.field.split(/[.[]/);
  return { ok: false, refusal: { code: codes[root] ?? 'invalid_request', ...first }, issues };
}
