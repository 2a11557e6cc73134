import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { isObject, type Fields } from './message-form.js';
import { utf8Length } from './text.js';

/** Returns the bytes of a value as JSON in UTF-8; 0 for undefined, which JSON omits. */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? 0 : utf8Length(text);
}

/** Returns the text under a name; undefined if there is none. */
export function textIn(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}

/** The newest entries of a list, whose last entry is the newest: as many as fit into `maxBytes`. */
export function newestWithin<T>(list: readonly T[], maxBytes: number): readonly T[] {
  let first = list.length;
  for (let bytes = jsonBytes([]); first > 0; first -= 1) {
    bytes += jsonBytes(list[first - 1]) + 1;
    if (bytes > maxBytes) break;
  }
  return list.slice(first);
}

function sameFields(a: Fields, b: Fields): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
  );
}

function isContainer(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** Whether two JSON values are equal. The order of keys does not matter. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (!isContainer(a) || !isContainer(b)) return a === b;
  return Array.isArray(a) === Array.isArray(b) && sameFields(a, b);
}

/** A value within a JSON value, linked to its container. */
export interface Visit {
  readonly value: unknown;
  /** The name or index in `parent`. Empty for the outermost value. */
  readonly name: string | number;
  readonly parent: Visit | undefined;
  readonly depth: number;
}

export function pathOf(visit: Visit): readonly PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at = visit; at.parent !== undefined; at = at.parent) path.push(at.name);
  return path.reverse();
}

/** Writes a path below a field as JavaScript would, such as `value.items[0]` or `value["a/b"]`. */
export function fieldAt(field: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    const name = String(part);
    if (/^\d+$/.test(name)) return `${text}[${name}]`;
    return /^[\w$-]+$/.test(name) ? `${text}.${name}` : `${text}[${JSON.stringify(name)}]`;
  }, field);
}

/** Pushes the last child first, so that the first child is visited first. */
function pushChildren(open: Visit[], parent: Visit): void {
  const { value } = parent;
  if (!isContainer(value)) return;
  const depth = parent.depth + 1;
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index -= 1) {
      open.push({ value: value[index] as unknown, name: index, parent, depth });
    }
    return;
  }
  for (const name of Object.keys(value).reverse()) {
    open.push({ value: value[name], name, parent, depth });
  }
}

/** Visits a JSON value and all values within it, in the order of the text, without recursion. */
export function* visitsOf(body: unknown): Generator<Visit> {
  const open: Visit[] = [{ value: body, name: '', parent: undefined, depth: 0 }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    yield visit;
    pushChildren(open, visit);
  }
}

/** The path to the first number that JSON would write as null: NaN or an infinity. The value must have no cycles. */
export function lostNumberIn(body: unknown): readonly PropertyKey[] | undefined {
  for (const visit of visitsOf(body)) {
    if (typeof visit.value === 'number' && !Number.isFinite(visit.value)) return pathOf(visit);
  }
  return undefined;
}

/** Follows a path of keys. Returns undefined if a value on it has no own key of that name. */
export function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, JsonValue>>)[key];
  }
  return found;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isObject(value);
}
