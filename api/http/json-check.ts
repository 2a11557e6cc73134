import { fieldPath } from '../../contracts/field-issues.js';
import type { FieldIssue } from '../../contracts/field-issues.js';
import { pathOf, visitsOf } from '../../domain/json-visits.js';
import type { Visit } from '../../domain/json-visits.js';

const MAX_DEPTH = 100;

function fault({ value, name, depth }: Visit): string | undefined {
  if (depth > MAX_DEPTH) return `at most ${MAX_DEPTH} levels of nesting`;
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number a double can hold';
  return name === '__proto__' ? 'another name' : undefined;
}

/**
 * Finds what is JSON but could not be kept as it is: numbers that became infinite, a name that zod
 * drops, nesting that would exhaust a stack.
 *
 * @param body - a value from `JSON.parse`
 */
export function findUnstorable(body: unknown): FieldIssue | undefined {
  for (const visit of visitsOf(body)) {
    const accepted = fault(visit);
    if (accepted !== undefined) {
      const detail = `The body holds what cannot be kept: use ${accepted}.`;
      return { field: fieldPath(pathOf(visit)), accepted, detail };
    }
  }
  return undefined;
}
