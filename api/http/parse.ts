import type { z } from 'zod';
import { parseFields, type FieldCodes } from '../../contracts/parse-fields.js';
import { InvalidInputError } from './invalid-input.js';

/**
 * Parses a body or query at the edge; see `parseFields`.
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
  const parsed = parseFields(schema, input, codes);
  if (parsed.ok) return parsed.value;
  throw new InvalidInputError(parsed.refusal, parsed.issues);
}
