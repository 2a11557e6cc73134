import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { isObject } from '../kernel/message-form.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { isJsonObject, jsonBytes } from '../kernel/json.js';
import { isLinearPattern } from './pattern.js';

const REFERENCE = '#/$defs/';

/** The target of a schema's `$ref`; undefined if there is none. */
export function definedIn(
  { $defs }: JsonObject,
  reference: JsonValue | undefined,
): JsonValue | undefined {
  if (typeof reference !== 'string' || !isObject($defs)) return undefined;
  const name = reference.slice(REFERENCE.length);
  return Object.hasOwn($defs, name) ? ($defs as JsonObject)[name] : undefined;
}

const OWN: readonly string[] = ['$ref', 'not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf'];
const EACH: readonly string[] = [
  'items',
  'contains',
  'unevaluatedItems',
  'additionalProperties',
  'unevaluatedProperties',
];
const EXACT_DIVISION_UNITS = 5;

/** How much of each thing costs one unit, which is the comparison of one value with one schema. */
const PER_UNIT = {
  levels: 10,
  listedBytes: 400,
  properties: 10,
  patternSteps: 400,
  compiledCharacters: 0.1,
  countedCharacters: 500,
  formatCharacters: 50,
  nameCharacters: 50,
  pathCharacters: 1_000,
  comparedContainers: 10,
  comparedParts: 100,
  comparedCharacters: 2_000,
} as const;

interface At {
  /** The depth of the schema with every `$ref` expanded. */
  readonly depth: number;
  /** The length of the names that lead to the value. */
  readonly path: number;
}

interface Size {
  readonly parts: number;
  readonly characters: number;
}

/**
 * Counts the work of judging a value by a schema, up to a limit: one for each schema that a value is compared with,
 * and more for long texts, lists and patterns. It follows every branch, so it never counts too little.
 */
class Work {
  private left: number;
  private readonly root: JsonObject;
  private readonly fixed = new Map<object, number>();
  private readonly sizes = new Map<object, Size>();

  constructor(schema: JsonObject, limit: number) {
    this.left = limit;
    this.root = schema;
  }

  get isOver(): boolean {
    return this.left < 0;
  }

  get rest(): number {
    return this.left;
  }

  add(schema: JsonValue | undefined, value: JsonValue, at: At): void {
    const { depth, path } = at;
    this.spend(1 + depth / PER_UNIT.levels + path / PER_UNIT.pathCharacters);
    if (depth > LIMITS.schemaExpandedDepth) this.spend(Infinity);
    if (!isJsonObject(schema)) return;
    this.spend(this.fixedOf(schema));
    if (typeof value === 'string') this.spend(textWork(schema, value));
    if (isList(value) && schema['uniqueItems'] === true) this.spend(this.comparedIn(value));
    const below = { depth: depth + 1, path };
    for (const [keyword, inner] of Object.entries(schema)) {
      if (this.isOver) return;
      if (OWN.includes(keyword)) this.addOwn(inner, value, below);
      else if (keyword === 'dependentSchemas') {
        for (const one of Object.values(inner as JsonObject)) this.addOwn(one, value, below);
      } else if (isContainer(value)) this.addWithin(keyword, inner, value, below);
    }
  }

  private addOwn(inner: JsonValue, value: JsonValue, at: At): void {
    const schemas = isList(inner) ? inner : [this.named(inner)];
    for (const schema of schemas) {
      if (this.isOver) return;
      this.add(schema, value, at);
    }
  }

  /** The target of a `$ref`, or the inner schema itself. */
  private named(inner: JsonValue): JsonValue | undefined {
    return typeof inner === 'string' ? definedIn(this.root, inner) : inner;
  }

  private addWithin(
    keyword: string,
    inner: JsonValue,
    value: JsonObject,
    { depth, path }: At,
  ): void {
    const isNamed = keyword === 'properties' || keyword === 'prefixItems';
    const isPattern = keyword === 'patternProperties';
    if (!isNamed && !isPattern && keyword !== 'propertyNames' && !EACH.includes(keyword)) return;
    const named = inner as JsonObject;
    for (const [name, part] of Object.entries(value)) {
      if (this.isOver) return;
      this.spend(name.length / PER_UNIT.nameCharacters);
      const at = { depth, path: path + name.length };
      if (isPattern) this.addMatching(named, name, part, at);
      else if (keyword === 'propertyNames') this.add(inner, name, at);
      else if (!isNamed) this.add(inner, part, at);
      else if (Object.hasOwn(named, name)) this.add(named[name], part, at);
    }
  }

  private addMatching(inner: JsonObject, name: string, part: JsonValue, at: At): void {
    for (const [pattern, schema] of Object.entries(inner)) {
      if (this.isOver) return;
      this.spend((name.length * pattern.length) / PER_UNIT.patternSteps);
      this.add(schema, part, at);
    }
  }

  /** Returns the fixed cost of a schema: its listed values are compared, and named in errors. */
  private fixedOf(schema: JsonObject): number {
    const known = this.fixed.get(schema);
    if (known !== undefined) return known;
    const patterns = patternsIn(schema);
    const compiled = lengthOf(patterns) / PER_UNIT.compiledCharacters;
    // A schema that is too large is not compiled here.
    const isFit = compiled <= this.left && patterns.every(isLinearPattern);
    const fixed = isFit ? fixedWork(schema) + compiled : Infinity;
    this.fixed.set(schema, fixed);
    return fixed;
  }

  private comparedIn(list: readonly JsonValue[]): number {
    const { parts, characters } = this.sizeOf(list);
    return (
      (list.filter(isContainer).length * parts) / PER_UNIT.comparedContainers +
      (list.length * parts) / PER_UNIT.comparedParts +
      (list.length * characters) / PER_UNIT.comparedCharacters
    );
  }

  private sizeOf(value: JsonValue): Size {
    if (!isContainer(value)) {
      return { parts: 1, characters: typeof value === 'string' ? value.length : 1 };
    }
    const known = this.sizes.get(value);
    if (known) return known;
    let [parts, characters] = [1, 0];
    for (const [name, inner] of Object.entries(value)) {
      const size = this.sizeOf(inner);
      parts += size.parts;
      characters += size.characters + name.length;
    }
    const size = { parts, characters };
    this.sizes.set(value, size);
    return size;
  }

  private spend(units: number): void {
    this.left -= units;
  }
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

/** Whether a value has entries; those of a list have their index as name. */
function isContainer(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

function patternsIn({ pattern, patternProperties = {} }: JsonObject): readonly string[] {
  const names = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  return typeof pattern === 'string' ? [pattern, ...names] : names;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** How many characters all patterns of a schema have together. Listed values that look like patterns count too. */
export function patternCharacters(schema: JsonValue): number {
  if (!isContainer(schema)) return 0;
  const own = isList(schema) ? 0 : lengthOf(patternsIn(schema));
  return Object.values(schema).reduce<number>((sum, inner) => sum + patternCharacters(inner), own);
}

function fixedWork(schema: JsonObject): number {
  const { enum: values, const: value, required = [], dependentRequired = {} } = schema;
  const lists = [required, ...Object.values(dependentRequired as JsonObject)];
  const names = lists.reduce((sum: number, list) => sum + (list as readonly string[]).length, 0);
  const properties = Object.keys((schema['properties'] ?? {}) as JsonObject).length;
  return (
    (jsonBytes(values) + jsonBytes(value)) / PER_UNIT.listedBytes +
    names +
    properties / PER_UNIT.properties +
    (schema['multipleOf'] === undefined ? 0 : EXACT_DIVISION_UNITS)
  );
}

function textWork(schema: JsonObject, { length }: string): number {
  const { pattern, format, minLength, maxLength } = schema;
  const isCounted = minLength !== undefined || maxLength !== undefined;
  return (
    (typeof pattern === 'string' ? (length * pattern.length) / PER_UNIT.patternSteps : 0) +
    (format === undefined ? 0 : length / PER_UNIT.formatCharacters) +
    (isCounted ? length / PER_UNIT.countedCharacters : 0)
  );
}

/** Returns how much of a limit remains after judging a value; below 0 if that takes more. One step takes about 1 µs. */
export function workLeft(schema: JsonObject, value: JsonValue, limit: number): number {
  const work = new Work(schema, limit);
  work.add(schema, value, { depth: 0, path: 0 });
  return work.rest;
}
