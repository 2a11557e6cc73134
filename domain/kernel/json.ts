import type { Fields } from './message-form.js';
import { utf8Length } from './text.js';

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

function isContainer(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** Whether two JSON values are the same; the order of an object's keys does not count. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (!isContainer(a) || !isContainer(b)) return a === b;
  return Array.isArray(a) === Array.isArray(b) && sameFields(a, b);
}

/** A value inside a JSON value, with the way to it; paths are written out where they are needed only. */
export interface Visit {
  readonly value: unknown;
  /** Its name or index in `parent`; empty for the whole. */
  readonly name: string | number;
  readonly parent: Visit | undefined;
  readonly depth: number;
}

/** The names and indices from the whole to a value. */
export function pathOf(visit: Visit): readonly PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at = visit; at.parent !== undefined; at = at.parent) path.push(at.name);
  return path.reverse();
}

function pushChildren(open: Visit[], parent: Visit): void {
  const { value, depth } = parent;
  if (!isContainer(value)) return;
  const isList = Array.isArray(value);
  const children = Object.entries(value);
  for (const [name, child] of children.reverse()) {
    open.push({ value: child, name: isList ? Number(name) : name, parent, depth: depth + 1 });
  }
}

/**
 * Visits every value of a JSON value in the order of its text, containers before what they hold. Does
 * not recurse, so that no nesting is too deep.
 */
export function* visitsOf(body: unknown): Generator<Visit> {
  const open: Visit[] = [{ value: body, name: '', parent: undefined, depth: 0 }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    yield visit;
    pushChildren(open, visit);
  }
}
