import type { z } from 'zod';
import { REPORTED_ISSUES, parseFields } from '../../contracts/parse-fields.js';
import type { FieldCodes } from '../../contracts/parse-fields.js';
import { InvalidInputError } from '../errors.js';
import { unknownFields } from './unknown-fields.js';

/**
 * Parses a body or query at the edge; see `parseFields`. A field that the schema does not know is refused,
 * because a misspelt one would change nothing in silence.
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
  const unknown = unknownFields(schema, input);
  const parsed = parseFields(schema, input, codes);
  const [first] = unknown;
  if (first !== undefined) {
    const issues = [...unknown, ...(parsed.ok ? [] : parsed.issues)].slice(0, REPORTED_ISSUES);
    throw new InvalidInputError({ code: 'invalid_request', ...first }, issues);
  }
  if (parsed.ok) return parsed.value;
  throw new InvalidInputError(parsed.refusal, parsed.issues);
}

/** A JSON body: the schema that tells what is accepted, and the reader that demands it. */
export interface BodySpec<Body> {
  readonly schema: z.ZodType;
  readonly read: (raw: object) => Body;
  readonly codes?: FieldCodes;
}

/**
 * A body that its schema alone describes and parses.
 *
 * @param codes - error codes of fields that have one of their own
 */
export function jsonOf<Schema extends z.ZodType>(
  schema: Schema,
  codes: FieldCodes = {},
): BodySpec<z.output<Schema>> {
  return { schema, codes, read: (raw) => parseInput(schema, raw, codes) };
}
