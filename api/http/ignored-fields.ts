import { fieldPath } from '../../contracts/field-issues.js';

type Path = readonly PropertyKey[];
type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function ignoredIn(input: unknown, parsed: unknown, path: Path): readonly string[] {
  if (!isFields(input) || !isFields(parsed)) return [];
  return Object.entries(input).flatMap(([name, value]) => {
    const here = [...path, Array.isArray(input) ? Number(name) : name];
    if (Object.hasOwn(parsed, name)) return ignoredIn(value, parsed[name], here);
    return value === null ? [] : [fieldPath(here)];
  });
}

/**
 * The fields of a body that its schema does not know, as paths like `choices[0].lable`: they change
 * nothing, which a misspelt one should tell.
 *
 * @param parsed - what parsing `input` gave
 */
export function ignoredFields(input: unknown, parsed: unknown): readonly string[] {
  return ignoredIn(input, parsed, []);
}
