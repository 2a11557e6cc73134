import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { conditionalParts, flatSchema, listed } from '../../../domain/schema/flat.js';
import { optionsOf } from '../../../domain/schema/options.js';
import { kindOfSchema } from './kinds.js';
import { isJsonObject } from '../../../domain/kernel/json.js';

const MOST_DEEP = 5;
const WITHIN = ['allOf', 'anyOf', 'oneOf', 'not'];
const OF_NO_PART = ['type', 'title', 'description', '$comment'];

/**
 * Whether a condition may add more than parts of an object, or change the input of a part that it depends on. What was entered
 * would then have no place, and without it the first input would come back.
 */
export function changesKind(schema: JsonObject, root: JsonObject): boolean {
  const parts = conditionalParts(schema, root);
  return parts.some(({ condition, part }) => {
    const flat = flatSchema(part, root);
    const both = flatSchema({ allOf: [schema, part] }, root);
    if (flat === undefined || both === undefined || isOfAnotherKind(flat, root)) return true;
    const others = [schema, ...parts.filter((one) => one.part !== part).map((one) => one.part)];
    return others.some((other) => mixes(other, part, condition, root));
  });
}

/** Whether a schema asks for anything but parts of an object. */
function isOfAnotherKind(flat: JsonObject, root: JsonObject): boolean {
  return ['json', 'object'].every((kind) => kind !== inputFor(flat, root));
}

function inputFor(flat: JsonObject, root: JsonObject): string {
  if (optionsOf(flat, root)) return 'choice';
  if ('oneOf' in flat || 'anyOf' in flat) return 'union';
  return kindOfSchema(flat) ?? 'json';
}

/** Whether two schemas have different inputs for a part by which a condition chooses between them. */
function mixes(one: JsonObject, other: JsonObject, condition: JsonValue, root: JsonObject) {
  const [first, second] = [propertiesOf(one, root), propertiesOf(other, root)];
  return Object.keys(second).some((name) => {
    const [before, after] = [first[name], second[name]];
    if (!Object.hasOwn(first, name) || !looksAt(condition, name)) return false;
    return isOther(before, { allOf: [before ?? {}, after ?? {}] }, root, 0);
  });
}

function isOther(
  before: JsonValue | undefined,
  after: JsonObject,
  root: JsonObject,
  depth: number,
): boolean {
  const flat = isJsonObject(before) ? flatSchema(before, root) : {};
  const both = flatSchema(after, root);
  if (flat === undefined || both === undefined) return flat !== both;
  const input = inputFor(flat, root);
  if (input !== inputFor(both, root) || depth > MOST_DEEP) return true;
  if (input !== 'object') return false;
  const [first, second] = [propertiesOf(flat, root), propertiesOf(both, root)];
  return Object.entries(first).some(([name, inner]) =>
    isOther(inner, { allOf: [second[name] ?? {}] }, root, depth + 1),
  );
}

function propertiesOf(schema: JsonObject, root: JsonObject): JsonObject {
  const { properties } = flatSchema(schema, root) ?? {};
  return isJsonObject(properties) ? properties : {};
}

/** Whether a condition may depend on a part of this name. */
function looksAt(condition: JsonValue, name: string): boolean {
  if (!isJsonObject(condition)) return false;
  return Object.entries(condition).some(([keyword, value]) => {
    if (keyword === 'required') return listed(value).includes(name);
    if (keyword === 'properties') return isJsonObject(value) && Object.hasOwn(value, name);
    if (WITHIN.includes(keyword)) return listed(value).some((one) => looksAt(one, name));
    return !OF_NO_PART.includes(keyword);
  });
}
