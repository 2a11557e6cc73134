import type { z } from 'zod';
import type { FieldCodes } from '../../contracts/kernel/parse-fields.js';
import { parseKnownFields } from '../../contracts/kernel/unknown-fields.js';
import { InvalidInputError } from '../errors.js';

/**
 * Parses a body or query at the edge; see `parseKnownFields`.
 *
 * @param codes - codes of fields that have one of their own
 * @throws InvalidInputError with the code, path and accepted form of the first invalid field, and up to 20 fields in
 *   `issues`
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  codes: FieldCodes = {},
): z.output<Schema> {
  const parsed = parseKnownFields(schema, input, codes);
  if (parsed.ok) return parsed.value;
  throw new InvalidInputError(parsed.refusal, parsed.issues);
}

/** A JSON body: the schema that describes it, and the reader that demands it. */
export interface BodySpec<Body> {
  readonly schema: z.ZodType;
  readonly read: (raw: object) => Body;
  readonly codes?: FieldCodes;
}

/**
 * Returns a body that its schema alone describes and parses.
 *
 * @param codes - error codes of fields that have one of their own
 */
export function jsonOf<Schema extends z.ZodType>(
  schema: Schema,
  codes: FieldCodes = {},
): BodySpec<z.output<Schema>> {
  return { schema, codes, read: (raw) => parseInput(schema, raw, codes) };
}
