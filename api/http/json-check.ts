import { fieldPath } from '../../contracts/field-issues.js';
import type { FieldIssue } from '../../contracts/field-issues.js';

const MAX_DEPTH = 100;

/** A value with the way to it; paths are written out for faults only, bodies have many values. */
interface Visit {
  readonly value: unknown;
  readonly name: string | number;
  readonly parent: Visit | undefined;
  readonly depth: number;
}

function fault({ value, name, depth }: Visit): string | undefined {
  if (depth > MAX_DEPTH) return `at most ${MAX_DEPTH} levels of nesting`;
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number a double can hold';
  return name === '__proto__' ? 'another name' : undefined;
}

function pathOf(visit: Visit): readonly PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at = visit; at.parent !== undefined; at = at.parent) path.unshift(at.name);
  return path;
}

function pushChildren(open: Visit[], parent: Visit): void {
  const { value, depth } = parent;
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, child] of Object.entries(value as Readonly<Record<string, unknown>>)) {
    open.push({ value: child, name: isList ? Number(name) : name, parent, depth: depth + 1 });
  }
}

/**
 * Finds what is JSON but could not be kept as it is: numbers that became infinite, a name that zod
 * drops, nesting that would exhaust a stack. Does not recurse.
 *
 * @param body - a value from `JSON.parse`
 */
export function findUnstorable(body: unknown): FieldIssue | undefined {
  const open: Visit[] = [{ value: body, name: '', parent: undefined, depth: 0 }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const accepted = fault(visit);
    if (accepted !== undefined) {
      const detail = `The body holds what cannot be kept: use ${accepted}.`;
      return { field: fieldPath(pathOf(visit)), accepted, detail };
    }
    pushChildren(open, visit);
  }
  return undefined;
}
