import { isObject, type Fields } from './message-form.js';
import { utf8Length } from './utf8.js';

/** How many UTF-8 bytes a value takes as JSON; 0 for what JSON leaves out (undefined). */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? 0 : utf8Length(text);
}

function sameFields(a: Fields, b: Fields): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
  );
}

/** Whether two JSON values are the same; the order of an object's keys does not count. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return a === b;
  return Array.isArray(a) === Array.isArray(b) && sameFields(a, b);
}
