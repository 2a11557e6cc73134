import { z } from 'zod';
import { nearestName } from './constants/nearest-name.js';
import { fieldPath } from './constants/field-path.js';
import { REPORTED_ISSUES, parseFields } from './parse-fields.js';
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

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema with a catchall takes any field. */
function isClosed({ def }: z.ZodObject): boolean {
  return def.catchall === undefined || def.catchall instanceof z.ZodNever;
}

function inObject(schema: z.ZodObject, value: Fields, path: Path): readonly Unknown[] {
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  const known = Object.keys(shape);
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field !== undefined) return unknownIn(field, inner, [...path, name]);
    return isClosed(schema) ? [{ path, name, known }] : [];
  });
}

/** The option that takes the value and knows most of it. If none takes it, the parser says why. */
function inUnion({ options }: z.ZodUnion, value: unknown, path: Path): readonly Unknown[] {
  const [closest = []] = (options as readonly z.ZodType[])
    .filter((option) => option.safeParse(value).success)
    .map((option) => unknownIn(option, value, path))
    .sort((a, b) => a.length - b.length);
  return closest;
}

function unknownIn(schema: z.ZodType, value: unknown, path: Path): readonly Unknown[] {
  if ('innerType' in schema.def) return unknownIn(schema.def.innerType as z.ZodType, value, path);
  if (schema instanceof z.ZodUnion) return inUnion(schema, value, path);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const element = schema.element as z.ZodType;
    return value.flatMap((entry, index) => unknownIn(element, entry, [...path, index]));
  }
  if (!isFields(value)) return [];
  if (schema instanceof z.ZodObject) return inObject(schema, value, path);
  if (!(schema instanceof z.ZodRecord) || schema.valueType instanceof z.ZodUnknown) return [];
  const each = schema.valueType as z.ZodType;
  return Object.entries(value).flatMap(([name, entry]) => unknownIn(each, entry, [...path, name]));
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
  const unknown = unknownIn(schema, input, []).slice(0, REPORTED_ISSUES).map(asIssue);
  const parsed = parseFields(schema, input, codes);
  const [first] = unknown;
  if (first === undefined) return parsed;
  const issues = [...unknown, ...(parsed.ok ? [] : parsed.issues)].slice(0, REPORTED_ISSUES);
  return { ok: false, refusal: { code: 'invalid_request', ...first }, issues };
}
