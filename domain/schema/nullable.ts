import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { flatSchema, listed } from './flat.js';
import { isJsonObject } from '../kernel/json.js';

/** A schema without null among its values, and whether that was one of several. */
export function withoutNull(
  schema: JsonObject,
  root: JsonObject,
): { readonly schema: JsonObject; readonly isNullable: boolean } {
  const types = listed(schema['type']);
  if (types.length > 1 && types.includes('null')) {
    const rest = types.filter((type) => type !== 'null');
    return {
      schema: { ...schema, type: rest.length === 1 ? (rest[0] ?? null) : rest },
      isNullable: allowsNull(schema),
    };
  }
  for (const name of ['anyOf', 'oneOf'] as const) {
    const branches = listed(schema[name]);
    const rest = branches.filter((branch) => !isNull(branch));
    if (branches.length < 2 || rest.length === branches.length || rest.length === 0) continue;
    const { [name]: _, ...outer } = schema;
    const [only, second] = rest;
    if (second !== undefined || !isJsonObject(only)) {
      return { schema: { ...outer, [name]: rest }, isNullable: true };
    }
    const inner = flatSchema({ allOf: [outer, only] }, root);
    return inner ? { schema: inner, isNullable: true } : { schema, isNullable: false };
  }
  return { schema, isNullable: false };
}

function allowsNull({ enum: values }: JsonObject): boolean {
  return !Array.isArray(values) || values.includes(null);
}

function isNull(branch: JsonValue): boolean {
  return isJsonObject(branch) && (branch['type'] === 'null' || branch['const'] === null);
}
