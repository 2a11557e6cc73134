import { z } from 'zod';
import { boundedParse } from './bounded-parse.js';
import type { ErrorCode } from '../constants/errors.js';
import { LIMITS } from '../constants/limits.js';
import { fieldPath } from '../constants/field-path.js';
import type { Refusal } from './problem.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A field that was refused, for problem bodies and for errors at start-up. */
export interface FieldIssue {
  /** Path into the input, such as `choices[0].label`. Empty for the input itself. */
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
const UNITS: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'entr',
  record: 'entr',
};

function bound(issue: Issue & { code: 'too_big' | 'too_small' }): string {
  const [limit, side] =
    issue.code === 'too_big' ? [issue.maximum, 'at most'] : [issue.minimum, 'at least'];
  const unit = UNITS[issue.origin];
  if (unit === undefined) return `a number of ${side} ${String(limit)}`;
  const plural = unit === 'entr' ? (limit === 1 ? 'y' : 'ies') : limit === 1 ? '' : 's';
  return `${KINDS[issue.origin] ?? issue.origin} of ${side} ${String(limit)} ${unit}${plural}`;
}

/** Lists what the branches of a union accept, if the value fits none of them at all. */
function unionKinds(branches: readonly (readonly Issue[])[]): string {
  const kinds = branches.flatMap((branch) =>
    branch.map((issue) => acceptedBy(issue) ?? 'another form'),
  );
  return [...new Set(kinds)].join(', ').replace(/, ([^,]*)$/, ' or $1');
}

function unionForms(issue: Issue & { code: 'invalid_union' }): string {
  return issue.errors.length > 0
    ? unionKinds(issue.errors)
    : `one of: ${('options' in issue ? (issue.options ?? []) : []).map(String).join(', ')}`;
}

function formatOf({ format, pattern }: Issue & { code: 'invalid_format' }): string {
  return format === 'regex' && pattern ? `text that matches ${pattern}` : `a valid ${format}`;
}

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
      return formatOf(issue);
    case 'not_multiple_of':
      return `a multiple of ${String(issue.divisor)}`;
    case 'invalid_key': {
      const [first] = issue.issues;
      return first && `under keys that are ${acceptedBy(first) ?? 'of another form'}`;
    }
    case 'custom':
      return issue.params?.['accepted'] as string | undefined;
    case 'invalid_union':
      return unionForms(issue);
    default:
      return undefined;
  }
}

/** Returns the issues of the union branch that fits best, or undefined if no branch fits at all. */
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

/** A refused field with its path into the input, one part for each key or index. */
export interface LocatedIssue {
  readonly path: Path;
  readonly issue: FieldIssue;
}

function describe(issue: Issue, prefix: Path, input: unknown): readonly LocatedIssue[] {
  const path = [...prefix, ...issue.path];
  const branch = closestBranch(issue);
  if (branch !== undefined) return branch.flatMap((inner) => describe(inner, path, input));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, LIMITS.reportedIssues).map((key) => {
      const field = fieldPath([...path, key]);
      return { path: [...path, key], issue: { field, detail: `${field} is not known here.` } };
    });
  }
  const field = fieldPath(path);
  const name = field === '' ? 'The input' : field;
  const accepted = acceptedBy(issue);
  if (accepted === undefined) {
    return [{ path, issue: { field, detail: `${name}: ${issue.message}` } }];
  }
  const verb = valueAt(input, path) === undefined ? 'is required' : 'is not accepted';
  const detail = `${name} ${verb}: it must be ${accepted}.`;
  return [{ path, issue: { field, accepted, detail } }];
}

/**
 * Translates the first zod issues into fields and accepted values, without values of the input.
 *
 * @param input - the parsed input, to distinguish a missing field from a wrong one
 */
export function describeIssues(error: z.ZodError, input: unknown): readonly FieldIssue[] {
  return locateIssues(error, input).map(({ issue }) => issue);
}

/** Translates issues like `describeIssues`, with each path as a list of keys. */
export function locateIssues(error: z.ZodError, input: unknown): readonly LocatedIssue[] {
  const closer = error.issues.filter((issue) => !isSafeIntegerBound(issue));
  const reported = closer.length > 0 ? closer : error.issues;
  return reported.slice(0, LIMITS.reportedIssues).flatMap((issue) => describe(issue, [], input));
}

/** Whether the issue is zod's own bound of whole numbers. The bound of the field is more helpful. */
function isSafeIntegerBound(issue: Issue): boolean {
  return issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER;
}

/** Maps the first name of a field's path to an error code. Other fields get `invalid_request`. */
export type FieldCodes = Readonly<Record<string, ErrorCode>>;

/** The value, or a refusal of the first field together with up to 20 refused fields. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal; readonly issues: readonly FieldIssue[] };

/** Whether a field is optional but does not accept null. */
export function takesNullAsAbsent(field: z.ZodType): boolean {
  return field.safeParse(undefined).success && !field.safeParse(null).success;
}

/** Removes the null of each optional field that does not accept it: some clients send null for absent fields. */
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
 * Parses an input. Null counts as absent for optional fields that do not accept it.
 *
 * @param codes - error codes for particular fields
 */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  codes: FieldCodes = {},
): Parsed<z.output<Schema>> {
  const values = withoutNulls(schema, input);
  const result = boundedParse(schema, values);
  if (result.success) return { ok: true, value: result.data };
  const issues = describeIssues(result.error, values).slice(0, LIMITS.reportedIssues);
  const [first] = issues;
  if (first === undefined) throw result.error;
  const [root = ''] = first.field.split(/[.[]/);
  return { ok: false, refusal: { code: codes[root] ?? 'invalid_request', ...first }, issues };
}
