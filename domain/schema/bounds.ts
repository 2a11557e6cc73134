import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { listed } from './flat.js';
import { isJsonObject } from '../kernel/json.js';

/*
 * Bounds of one type of values that exclude each other, so that no value of it fits.
 */

/** Why no value fits a schema, and where in it. */
export interface Contradiction {
  readonly path: readonly PropertyKey[];
  /** A sentence. */
  readonly why: string;
}

type Path = Contradiction['path'];
type Found = Contradiction | undefined;

interface Looking {
  in(schema: JsonValue, path: Path): Found;
  mayFit(schema: JsonValue, value: JsonValue): boolean;
}

function numberAt(schema: JsonObject, keyword: string, otherwise: number): number {
  const value = schema[keyword];
  return typeof value === 'number' ? value : otherwise;
}

function crossed(path: Path, least: string, most: string): Contradiction {
  return { path: [...path, least], why: `${least} and ${most} leave no value between them.` };
}

/** A text that is too short or too long whatever its length. */
export function stringFault(schema: JsonObject, path: Path): Found {
  const isCrossed = numberAt(schema, 'minLength', 0) > numberAt(schema, 'maxLength', Infinity);
  return isCrossed ? crossed(path, 'minLength', 'maxLength') : undefined;
}

interface Range {
  readonly lowest: number;
  readonly highest: number;
  readonly fits: (number: number) => boolean;
  /** The keywords that say so. */
  readonly names: readonly [string, string];
}

function rangeOf(schema: JsonObject): Range {
  const least = numberAt(schema, 'minimum', -Infinity);
  const above = numberAt(schema, 'exclusiveMinimum', -Infinity);
  const most = numberAt(schema, 'maximum', Infinity);
  const below = numberAt(schema, 'exclusiveMaximum', Infinity);
  const isAbove = above !== -Infinity && above >= least;
  const isBelow = below !== Infinity && below <= most;
  return {
    lowest: Math.max(least, above),
    highest: Math.min(most, below),
    fits: (number) =>
      (isAbove ? number > above : number >= least) && (isBelow ? number < below : number <= most),
    names: [isAbove ? 'exclusiveMinimum' : 'minimum', isBelow ? 'exclusiveMaximum' : 'maximum'],
  };
}

/** Returns the whole number that divides all fitting values, or undefined. */
function stepOf(schema: JsonObject, isWhole: boolean): number | undefined {
  const divisor = numberAt(schema, 'multipleOf', 0);
  if (Number.isSafeInteger(divisor) && divisor > 0) return divisor;
  return isWhole ? 1 : undefined;
}

/** No number, no whole one, or no multiple of a whole one lies between the bounds. */
export function numberFault(schema: JsonObject, path: Path, isWhole: boolean): Found {
  const { lowest, highest, fits, names } = rangeOf(schema);
  if (lowest > highest || (lowest === highest && !fits(lowest))) return crossed(path, ...names);
  const step = stepOf(schema, isWhole);
  const ends = [lowest, highest].map(Math.ceil);
  if (step === undefined || !ends.every(Number.isSafeInteger)) return undefined;
  const first = Math.ceil(lowest / step) * step;
  return fits(first) || fits(first + step) ? undefined : crossed(path, ...names);
}

/**
 * A list that is too short and too long at any length, or that needs an impossible entry.
 *
 * @param own - without what holds for the same value: `minContains` means nothing without `contains` beside it
 */
export function arrayFault(
  schema: JsonObject,
  own: JsonObject,
  path: Path,
  looking: Looking,
): Found {
  const needed = own['contains'] === undefined ? 0 : numberAt(own, 'minContains', 1);
  const least = Math.max(numberAt(schema, 'minItems', 0), needed);
  return (
    containsFault(own, needed, path, looking) ??
    (least > numberAt(schema, 'maxItems', Infinity)
      ? crossed(path, needed === least ? 'contains' : 'minItems', 'maxItems')
      : entriesFault(schema, least, path, looking))
  );
}

function containsFault(own: JsonObject, needed: number, path: Path, looking: Looking): Found {
  if (needed === 0) return undefined;
  if (needed > numberAt(own, 'maxContains', Infinity)) {
    return crossed(path, 'minContains', 'maxContains');
  }
  return looking.in(own['contains'] ?? true, [...path, 'contains']);
}

/** Returns why a list cannot have enough entries. */
function entriesFault(schema: JsonObject, least: number, path: Path, looking: Looking): Found {
  const first = listed(schema['prefixItems']);
  for (const [index, entry] of first.slice(0, least).entries()) {
    const fault = looking.in(entry, [...path, 'prefixItems', index]);
    if (fault) return fault;
  }
  if (least <= first.length) return undefined;
  const rest = schema['items'] ?? true;
  const fault = looking.in(rest, [...path, 'items']);
  if (fault) return fault;
  const isEachOnce = schema['uniqueItems'] === true && first.length === 0;
  const values = isJsonObject(rest) ? rest['enum'] : undefined;
  if (!isEachOnce || !Array.isArray(values) || values.length >= least) return undefined;
  const why = 'The list needs more different entries than there are values.';
  return { path: [...path, 'minItems'], why };
}

/** An object with too few or too many properties whatever it has, or one that has to be there and cannot be. */
export function objectFault(schema: JsonObject, path: Path, looking: Looking): Found {
  const required = requiredIn(schema);
  const most = numberAt(schema, 'maxProperties', Infinity);
  const least = numberAt(schema, 'minProperties', 0);
  if (least > most) return crossed(path, 'minProperties', 'maxProperties');
  if (required.length > most) return crossed(path, 'required', 'maxProperties');
  const names = schema['propertyNames'] ?? true;
  for (const name of required) {
    if (!looking.mayFit(names, name)) {
      const why = `propertyNames excludes ${JSON.stringify(name)}, which is required.`;
      return { path: [...path, 'propertyNames'], why };
    }
    for (const { inner, at } of schemasFor(schema, name)) {
      const fault = looking.in(inner, [...path, ...at]);
      if (fault) return fault;
    }
  }
  if (least === 0 || 'patternProperties' in schema) return undefined;
  const rest = schema['additionalProperties'] ?? true;
  const possible = Object.keys(propertiesOf(schema)).length;
  return possible < least ? looking.in(rest, [...path, 'additionalProperties']) : undefined;
}

function propertiesOf(schema: JsonObject): JsonObject {
  const { properties } = schema;
  return isJsonObject(properties) ? properties : {};
}

/** Returns the required names, including those that others require. */
function requiredIn({ required, dependentRequired }: JsonObject): readonly string[] {
  const all = new Set(listed(required) as readonly string[]);
  const dependent = isJsonObject(dependentRequired) ? dependentRequired : {};
  for (const name of all) {
    if (!Object.hasOwn(dependent, name)) continue;
    for (const other of listed(dependent[name]) as readonly string[]) all.add(other);
  }
  return [...all];
}

/** Returns the schemas of a property, and their places. */
function schemasFor(schema: JsonObject, name: string) {
  const found: { readonly inner: JsonValue; readonly at: Path }[] = [];
  const properties = propertiesOf(schema);
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) found.push({ inner: own, at: ['properties', name] });
  const { patternProperties: patterns, additionalProperties: rest } = schema;
  for (const [pattern, inner] of Object.entries(isJsonObject(patterns) ? patterns : {})) {
    if (!new RegExp(pattern, 'u').test(name)) continue;
    found.push({ inner, at: ['patternProperties', pattern] });
  }
  if (found.length > 0 || rest === undefined) return found;
  return [{ inner: rest, at: ['additionalProperties'] }];
}
