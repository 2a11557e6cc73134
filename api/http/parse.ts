import type { z } from 'zod';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { InvalidInputError } from './invalid-input.js';
import { describeIssues } from './zod-issues.js';

const TOLD_ISSUES = 20;

/** Error code by the first name of a field's path; fields not listed are `invalid_request`. */
export type FieldCodes = Readonly<Record<string, ErrorCode>>;

/**
 * Parses a body or query at the edge.
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
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issues = describeIssues(result.error, input).slice(0, TOLD_ISSUES);
  const [first] = issues;
  if (first === undefined) throw result.error;
  const [root = ''] = first.field.split(/[.[]/);
  throw new InvalidInputError({ code: codes[root] ?? 'invalid_request', ...first }, issues);
}
