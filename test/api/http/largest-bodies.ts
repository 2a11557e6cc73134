import assert from 'node:assert/strict';
import { z } from 'zod';
import { LIMITS } from '../../../contracts/constants/limits.js';

/** What a wrong value may take: with the rest of a body it is just under the limit, so that nothing but its content is refused. */
const ROOM = LIMITS.bodyBytes - 4_096;
const DEEPEST = 5;

/** A place in a body that its schema knows: the names that lead there; an index stands for the only entry of a list. */
type Place = readonly (string | 0)[];

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

/** Whether a schema takes many values. */
function isMany(inner: z.ZodType): boolean {
  if (inner instanceof z.ZodUnion) {
    return (inner.options as readonly z.ZodType[]).some((option) => isMany(innermost(option)));
  }
  return inner instanceof z.ZodArray || inner instanceof z.ZodRecord;
}

/** Places below the top that another operation has too are tried once. */
const tried = new WeakSet<z.ZodType>();

/** The places of a schema at which there may be many values, at any depth, and all at its top. */
function* placesIn(schema: z.ZodType, at: Place = []): Generator<Place> {
  const inner = innermost(schema);
  if (at.length > DEEPEST || tried.has(inner)) return;
  if (at.length > 1) tried.add(inner);
  if (at.length === 1 || isMany(inner)) yield at;
  if (inner instanceof z.ZodUnion) {
    for (const option of inner.options as readonly z.ZodType[]) {
      for (const place of placesIn(option, at)) if (place !== at) yield place;
    }
  } else if (inner instanceof z.ZodObject) {
    const shape = inner.shape as Readonly<Record<string, z.ZodType>>;
    for (const [name, field] of Object.entries(shape)) {
      yield* placesIn(field, [...at, name]);
    }
  } else if (inner instanceof z.ZodArray) {
    yield* placesIn(inner.element as z.ZodType, [...at, 0]);
  } else if (inner instanceof z.ZodRecord) {
    yield* placesIn(inner.valueType as z.ZodType, [...at, 'a']);
  }
}

/** The names of a body, with a value at one place. */
function bodyWith(valid: object, place: Place, text: string): string {
  const [first, ...rest] = place;
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

/** The wrong bodies of one operation. */
export function* wrongBodies(schema: z.ZodType, valid: object): Generator<WrongBody> {
  for (const wrong of anyWrong(schema, valid)) {
    assert.ok(Buffer.byteLength(wrong.text) < LIMITS.bodyBytes, `${wrong.what} is too large`);
    yield wrong;
  }
}

function* anyWrong(schema: z.ZodType, valid: object): Generator<WrongBody> {
  yield { what: 'many names', text: MANY_NAMES() };
  yield { what: 'many long names', text: MANY_LONG_NAMES() };
  yield { what: 'one long name', text: ONE_LONG_NAME };
  for (const [index, place] of [...placesIn(schema)].entries()) {
    const at = (value: string) => ({ what: place.join('.'), text: bodyWith(valid, place, value) });
    if (place.length > 1 || isManyAt(schema, place)) {
      yield at(NUMBERS());
      yield at(LONG_NAMES());
    }
    if (place.length > 1) continue;
    if (isManyAt(schema, place)) {
      yield* [OBJECTS, MAP_OF_NUMBERS, ESCAPES, DEEP].map((wrong) => at(wrong()));
    } else {
      yield at([NUMBERS, ESCAPES][index % 2]?.() ?? '');
    }
  }
}

/** Whether there may be many values at a place at the top. */
function isManyAt(schema: z.ZodType, [name]: Place): boolean {
  const inner = innermost(schema);
  if (!(inner instanceof z.ZodObject)) return true;
  const field = (inner.shape as Record<string, z.ZodType>)[String(name)];
  return field !== undefined && isMany(innermost(field));
}
