import { z } from 'zod';
import { fieldPath } from '../constants/field-path.js';
import { boundedParse, firstOf, isFields, isTooLong, optionsFor } from './bounded-parse.js';
import { LIMITS } from '../constants/limits.js';
import { meantFields } from './meant-fields.js';
import { parseFields } from './parse-fields.js';
import type { FieldCodes, FieldIssue, Parsed } from './parse-fields.js';

type Path = readonly PropertyKey[];
type Fields = Readonly<Record<string, unknown>>;

/** A field that its schema does not know. */
interface Unknown {
  readonly path: Path;
  readonly name: string;
  /** The object that has it, and the schema of that. */
  readonly value: Fields;
  readonly schema: z.ZodObject;
}

const SHOWN_CHARACTERS = 100;

/** A schema with a catchall takes any field. */
function isClosed({ def }: z.ZodObject): boolean {
  return def.catchall === undefined || def.catchall instanceof z.ZodNever;
}

function* inObject(schema: z.ZodObject, value: Fields, path: Path): Generator<Unknown> {
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  for (const name of Object.keys(value)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field !== undefined) yield* unknownIn(field, value[name], [...path, name]);
    else if (isClosed(schema)) yield { path, name, value, schema };
  }
}

/** Chooses the option that accepts the value and knows most of its fields. If none accepts it, the parser says why. */
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

function asIssue({ path, name, value, schema }: Unknown): FieldIssue {
  const isLong = name.length > SHOWN_CHARACTERS;
  const field = fieldPath([...path, isLong ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name]);
  const known = Object.keys(schema.shape);
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (known.includes(snake)) {
    const detail = `${field} is not known here: names are in snake_case, so write ${snake}.`;
    return { field, detail, accepted: snake };
  }
  const meant = isLong ? [] : meantFields(snake, schema, value);
  if (meant.length > 0) {
    const said = meant.map((one) => [one.path, one.form ?? []].flat().join(', '));
    const detail = `${field} is not known here; did you mean ${said.join(', or ')}?`;
    return { field, detail, accepted: meant.map((one) => one.path).join(' or ') };
  }
  const accepted = known.length > 0 ? `one of: ${known.join(', ')}` : 'nothing';
  return { field, detail: `${field} is not known here.`, accepted };
}

/**
 * Parses an input as `parseFields` does, and refuses fields that the schema does not know, at any depth, with the
 * name that was probably meant. Free JSON may hold any field.
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
