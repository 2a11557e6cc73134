import { z } from 'zod';
import { nearestName } from './constants/nearest-name.js';
import { fieldPath } from './constants/field-path.js';
import { boundedParse, firstOf, isFields, isTooLong, optionsFor } from './bounded-parse.js';
import { LIMITS } from './constants/limits.js';
import { parseFields } from './parse-fields.js';
import type { FieldCodes, FieldIssue, Parsed } from './parse-fields.js';

type Path = readonly PropertyKey[];
type Fields = Readonly<Record<string, unknown>>;

/** A field that its schema does not know, and the names that the schema knows in its place. */
interface Unknown {
  readonly path: Path;
  readonly name: string;
  readonly known: readonly string[];
}

const SHOWN_CHARACTERS = 100;

/** A schema with a catchall takes any field. */
function isClosed({ def }: z.ZodObject): boolean {
  return def.catchall === undefined || def.catchall instanceof z.ZodNever;
}

function* inObject(schema: z.ZodObject, value: Fields, path: Path): Generator<Unknown> {
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  const known = Object.keys(shape);
  for (const name of Object.keys(value)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field !== undefined) yield* unknownIn(field, value[name], [...path, name]);
    else if (isClosed(schema)) yield { path, name, known };
  }
}

/** Of several options, the one that takes the value and knows most of it. If none takes it, the parser says why. */
function inUnion(union: z.ZodUnion, value: unknown, path: Path): readonly Unknown[] {
  const options = optionsFor(union, value);
  const taking =
    options.length > 1 ? options.filter((one) => boundedParse(one, value).success) : options;
  const [closest = []] = taking
    .map((option) => firstOf(unknownIn(option, value, path)))
    .sort((a, b) => a.length - b.length);
  return closest;
}

function* unknownIn(schema: z.ZodType, value: unknown, path: Path): Generator<Unknown> {
  if (typeof value !== 'object' || value === null) return;
  if ('innerType' in schema.def) {
    yield* unknownIn(schema.def.innerType as z.ZodType, value, path);
  } else if (schema instanceof z.ZodUnion) {
    yield* inUnion(schema, value, path);
  } else if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const element = schema.element as z.ZodType;
    for (const [index, entry] of value.entries())
      yield* unknownIn(element, entry, [...path, index]);
  } else if (isFields(value) && schema instanceof z.ZodObject) {
    yield* inObject(schema, value, path);
  } else if (isFields(value) && schema instanceof z.ZodRecord) {
    const each = schema.valueType as z.ZodType;
    if (each instanceof z.ZodUnknown) return;
    for (const name of Object.keys(value)) yield* unknownIn(each, value[name], [...path, name]);
  }
}

function asIssue({ path, name, known }: Unknown): FieldIssue {
  const isLong = name.length > SHOWN_CHARACTERS;
  const field = fieldPath([...path, isLong ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name]);
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (known.includes(snake)) {
    const detail = `${field} is not known here: names are in snake_case, so write ${snake}.`;
    return { field, detail, accepted: snake };
  }
  const meant = isLong ? undefined : nearestName(snake, known);
  if (meant !== undefined) {
    const detail = `${field} is not known here; did you mean ${meant}?`;
    return { field, detail, accepted: meant };
  }
  const accepted = known.length > 0 ? `one of: ${known.join(', ')}` : 'nothing';
  return { field, detail: `${field} is not known here.`, accepted };
}

/**
 * Parses an input as `parseFields` does, and refuses fields that the schema does not know, at any depth: a misspelt
 * one would change nothing in silence. Each is reported with the name that was probably meant. Free JSON may hold
 * any field.
 *
 * @param codes - error codes for particular fields
 */
export function parseKnownFields<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  codes: FieldCodes = {},
): Parsed<z.output<Schema>> {
  const isLong = isTooLong(schema, input);
  const unknown = isLong ? [] : firstOf(unknownIn(schema, input, [])).map(asIssue);
  const parsed = parseFields(schema, input, codes);
  const [first] = unknown;
  if (first === undefined) return parsed;
  const issues = [...unknown, ...(parsed.ok ? [] : parsed.issues)].slice(0, LIMITS.reportedIssues);
  return { ok: false, refusal: { code: 'invalid_request', ...first }, issues };
}
