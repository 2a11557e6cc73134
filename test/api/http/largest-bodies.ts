import assert from 'node:assert/strict';
import { z } from 'zod';
import { LIMITS } from '../../../contracts/constants/limits.js';

/** What a wrong value may take: with the rest of a body it is just under the limit, so that nothing but its content is refused. */
const ROOM = LIMITS.bodyBytes - 4_096;
const DEEPEST = 5;

/** A place in a body that its schema knows. */
interface Place {
  /** The names that lead there; an index stands for the only entry of a list. */
  readonly path: readonly (string | 0)[];
  readonly schema: z.ZodType;
}

/** What operations of one API have been given: the schemas of fields, and kinds of schemas of bodies and of single values. */
export interface Tried {
  readonly fields: WeakSet<z.ZodType>;
  readonly kinds: Set<string>;
}

/** A body that is wrong, and what is wrong about it. */
export interface WrongBody {
  readonly what: string;
  readonly text: string;
}

function innermost(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) {
    const { in: first, out } = schema.def as unknown as Record<'in' | 'out', z.ZodType>;
    return innermost(first instanceof z.ZodTransform ? out : first);
  }
  if (!('innerType' in schema.def)) return schema;
  return innermost(schema.def.innerType as z.ZodType);
}

/** A schema but for what is said of a value that is not there. */
function withoutOptions(schema: z.ZodType): z.ZodType {
  const isOption =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isOption ? withoutOptions(schema.def.innerType as z.ZodType) : schema;
}

/** Whether a schema takes many values. */
function isMany(inner: z.ZodType): boolean {
  if (inner instanceof z.ZodUnion) {
    return (inner.options as readonly z.ZodType[]).some((option) => isMany(innermost(option)));
  }
  return inner instanceof z.ZodArray || inner instanceof z.ZodRecord;
}

/**
 * The places of a schema at which there may be many values, at any depth, and all at its top.
 *
 * @param tried - the schemas of fields that operations of the same API have too, which are judged in the same way: each has
 *   one place only
 */
function* placesIn(
  schema: z.ZodType,
  tried: Tried['fields'],
  path: Place['path'] = [],
): Generator<Place> {
  const given = withoutOptions(schema);
  const inner = innermost(schema);
  if (path.length > DEEPEST || tried.has(given)) return;
  if (path.length > 0) tried.add(given);
  if (path.length === 1 || isMany(inner)) yield { path, schema: given };
  if (inner instanceof z.ZodUnion) {
    for (const option of inner.options as readonly z.ZodType[]) {
      for (const place of placesIn(option, tried, path)) if (place.path !== path) yield place;
    }
  } else if (inner instanceof z.ZodObject) {
    const shape = inner.shape as Readonly<Record<string, z.ZodType>>;
    for (const [name, field] of Object.entries(shape)) {
      yield* placesIn(field, tried, [...path, name]);
    }
  } else if (inner instanceof z.ZodArray) {
    yield* placesIn(inner.element as z.ZodType, tried, [...path, 0]);
  } else if (inner instanceof z.ZodRecord) {
    yield* placesIn(inner.valueType as z.ZodType, tried, [...path, 'a']);
  }
}

/** The names of a body, with a value at one place. */
function bodyWith(valid: object, { path }: Place, text: string): string {
  const [first, ...rest] = path;
  const inner = rest.reduceRight<string>(
    (value, part) => (part === 0 ? `[${value}]` : `{${JSON.stringify(part)}:${value}}`),
    text,
  );
  const others = Object.entries(valid).filter(([name]) => name !== first);
  const fields = others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...fields, `${JSON.stringify(first)}:${inner}`].join(',')}}`;
}

/** As many of these as fit, between brackets; made once, for hundreds of bodies hold the same. */
function filled(
  [open, close]: readonly [string, string],
  entry: (index: number) => string,
): () => string {
  let made: string | undefined;
  return () => (made ??= open + entriesOf(entry).join(',') + close);
}

function entriesOf(entry: (index: number) => string): readonly string[] {
  const entries: string[] = [];
  for (let bytes = 2, index = 0; ; index += 1) {
    const next = entry(index);
    bytes += Buffer.byteLength(next) + 1;
    if (bytes > ROOM) return entries;
    entries.push(next);
  }
}

const LIST = ['[', ']'] as const;
const MAP = ['{', '}'] as const;
const names = (long: number) => (index: number) => `"${'n'.repeat(long)}${index}":${index}`;
/** One that is larger than a reply may be, some that are long, and short ones that are together larger than a reply. */
const lengthOf = (index: number) => [ROOM / 2][index] ?? (index <= 25 ? 2_000 : 2);

const MIXED_NAMES = filled(MAP, (index) => names(lengthOf(index))(index));
const MANY_NAMES = filled(MAP, names(2));
const MANY_LONG_NAMES = filled(MAP, names(2_000));
const ONE_LONG_NAME = `{"${'n'.repeat(ROOM - 20)}":1}`;

const ESCAPED = `"${'\\u0001'.repeat(Math.floor(ROOM / 6) - 1)}"`;

/** Values that are wrong in most places, each as large as there is room for. */
const NUMBERS = filled(LIST, () => '1');
const OBJECTS = filled(LIST, () => '{}');
const MAP_OF_NUMBERS = filled(MAP, (index) => `"a${index.toString(36)}":1`);
const LONG_NAMES = filled(MAP, (index) => `"${'x'.repeat(300)}${index}":{"b":[1]}`);
const ESCAPES = () => ESCAPED;
const DEEP = () => `${'['.repeat(90)}1${']'.repeat(90)}`;
/** Where many values may be. */
const EVERY = [NUMBERS, LONG_NAMES, OBJECTS, MAP_OF_NUMBERS, ESCAPES, DEEP];
/** Where a list may be that refuses some by their type, as the first list showed: many are no list, or hold what it never holds. */
const FOR_LISTS_OF_OBJECTS = [OBJECTS, LONG_NAMES, ESCAPES, DEEP];
const FOR_OTHER_LISTS = [NUMBERS, LONG_NAMES, ESCAPES, DEEP];

const ATOMS: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'enum', 'literal']);

/**
 * The wrong bodies of one operation.
 *
 * @param tried - what operations of the same API had; whatever is judged by the very same code is tried once
 */
export function* wrongBodies(schema: z.ZodType, valid: object, tried: Tried): Generator<WrongBody> {
  for (const wrong of [...wrongNames(schema, tried), ...wrongValues(schema, valid, tried)]) {
    assert.ok(Buffer.byteLength(wrong.text) < LIMITS.bodyBytes, `${wrong.what} is too large`);
    yield wrong;
  }
}

/** Every operation gets names that it does not know; the first of each kind as many as there is room for, and as long ones. */
function* wrongNames(schema: z.ZodType, { kinds }: Tried): Generator<WrongBody> {
  yield { what: 'many names, long ones and short ones', text: MIXED_NAMES() };
  const kind = `body: ${innermost(schema).def.type}`;
  if (kinds.has(kind)) return;
  kinds.add(kind);
  yield { what: 'many names', text: MANY_NAMES() };
  yield { what: 'many long names', text: MANY_LONG_NAMES() };
  yield { what: 'one long name', text: ONE_LONG_NAME };
}

function* wrongValues(schema: z.ZodType, valid: object, tried: Tried): Generator<WrongBody> {
  for (const place of placesIn(schema, tried.fields)) {
    for (const wrong of wrongAt(place, tried)) {
      yield { what: place.path.join('.'), text: bodyWith(valid, place, wrong()) };
    }
  }
}

function wrongAt({ path, schema }: Place, { kinds }: Tried): readonly (() => string)[] {
  if (path.length > 1) return [NUMBERS, LONG_NAMES];
  const isFirst = !kinds.has(kindOf(schema));
  kinds.add(kindOf(schema));
  if (!isFirst && schema instanceof z.ZodArray) {
    return holdsObjects(schema) ? FOR_LISTS_OF_OBJECTS : FOR_OTHER_LISTS;
  }
  if (isMany(innermost(schema))) return EVERY;
  if (schema instanceof z.ZodObject) return [...(isFirst ? [NUMBERS] : []), LONG_NAMES, ESCAPES];
  // Such a schema refuses a list by its type, and one of each kind shows that.
  if (ATOMS.has(schema.def.type) && !isFirst) return [ESCAPES];
  return [NUMBERS, ESCAPES];
}

/** What the schema of a field refuses by its type is the same for all of a kind. */
function kindOf(schema: z.ZodType): string {
  if (!(schema instanceof z.ZodArray)) return schema.def.type;
  return `list of ${(schema.element as z.ZodType).def.type}`;
}

function holdsObjects({ element }: z.ZodArray): boolean {
  const { type } = innermost(element as z.ZodType).def;
  return type === 'object' || type === 'union' || type === 'record';
}
