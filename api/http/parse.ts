import { z } from 'zod';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { InvalidInputError } from './invalid-input.js';
import { describeIssues } from '../../contracts/field-issues.js';

const TOLD_ISSUES = 20;

/** Error code by the first name of a field's path; fields not listed are `invalid_request`. */
export type FieldCodes = Readonly<Record<string, ErrorCode>>;

/** Whether a field may be left out, and so be null, which it does not take itself. */
export function takesNullAsAbsent(field: z.ZodType): boolean {
  return field.safeParse(undefined).success && !field.safeParse(null).success;
}

/**
 * Drops each null of an optional field that takes none: clients that write out every field of theirs
 * say null for what they leave out.
 */
function withoutNulls(schema: z.ZodType, input: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof input !== 'object' || input === null) return input;
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  const isLeftOut = ([name, value]: [string, unknown]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return value === null && field !== undefined && takesNullAsAbsent(field);
  };
  return Object.fromEntries(Object.entries(input).filter((entry) => !isLeftOut(entry)));
}

/**
 * Parses a body or query at the edge; a null that an optional field does not take counts as left out.
 *
 * @param codes - codes of fields that have one of their own
 * @throws InvalidInputError with the code, path and accepted form of the first field at fault, and
 *   up to 20 fields in `issues`
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  codes: FieldCodes = {},
): z.output<Schema> {
  const given = withoutNulls(schema, input);
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const issues = describeIssues(result.error, given).slice(0, TOLD_ISSUES);
  const [first] = issues;
  if (first === undefined) throw result.error;
  const [root = ''] = first.field.split(/[.[]/);
  throw new InvalidInputError({ code: codes[root] ?? 'invalid_request', ...first }, issues);
}
