import type { z } from 'zod';
import { parseInput } from './parse.js';
import type { FieldCodes } from '../../contracts/parse-fields.js';

/** A JSON body: the schema that tells what is accepted, and the reader that demands it. */
export interface BodySpec<Body> {
  readonly schema: z.ZodType;
  readonly read: (raw: object) => Body;
  readonly example: unknown;
  readonly codes?: FieldCodes;
}

/**
 * A body that its schema alone describes and parses.
 *
 * @param codes - error codes of fields that have one of their own
 */
export function jsonOf<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
  codes: FieldCodes = {},
): BodySpec<z.output<Schema>> {
  return { schema, example, codes, read: (raw) => parseInput(schema, raw, codes) };
}
