import type { z } from 'zod';
import { fieldPath, parseFields } from '../../contracts/parse-fields.js';
import type { FieldCodes } from '../../contracts/parse-fields.js';
import { InvalidInputError } from '../errors.js';

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

type Path = readonly PropertyKey[];
type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function ignoredIn(input: unknown, parsed: unknown, path: Path): readonly string[] {
  if (!isFields(input) || !isFields(parsed)) return [];
  return Object.entries(input).flatMap(([name, value]) => {
    const here = [...path, Array.isArray(input) ? Number(name) : name];
    if (Object.hasOwn(parsed, name)) return ignoredIn(value, parsed[name], here);
    return value === null ? [] : [fieldPath(here)];
  });
}

/**
 * The fields of a body that its schema does not know, as paths like `choices[0].lable`: they change
 * nothing, which a misspelt one should tell.
 *
 * @param parsed - what parsing `input` gave
 */
export function ignoredFields(input: unknown, parsed: unknown): readonly string[] {
  return ignoredIn(input, parsed, []);
}
