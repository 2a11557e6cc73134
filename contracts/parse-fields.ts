import { z } from 'zod';
import type { ErrorCode } from './constants/errors.js';
import { describeIssues, type FieldIssue } from './field-issues.js';
import type { Refusal } from './refusal.js';

const TOLD_ISSUES = 20;

/** Error code by the first name of a field's path; fields not listed are `invalid_request`. */
export type FieldCodes = Readonly<Record<string, ErrorCode>>;

/** What parsing came to: the value, or the refusal of the first field and up to 20 fields at fault. */
export type Parsed<T> =
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
  const issues = describeIssues(result.error, given).slice(0, TOLD_ISSUES);
  const [first] = issues;
  if (first === undefined) throw result.error;
  const [root = ''] = first.field.split(/[.[]/);
  return { ok: false, refusal: { code: codes[root] ?? 'invalid_request', ...first }, issues };
}
