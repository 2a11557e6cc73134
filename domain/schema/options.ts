import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { isBlank } from '../../contracts/constants/visible-text.js';
import { isJsonObject, jsonEqual } from '../kernel/json.js';
import { flatSchema, listed } from './flat.js';

export interface Option {
  readonly value: JsonValue;
  readonly label: string;
  readonly description?: string;
}

/** Keywords beside listed values that do not restrict them. */
const BESIDE = ['type', 'title', 'description', 'default', 'examples', 'deprecated', '$comment'];
const MOST_DEEP = 5;

/**
 * Returns the options of a schema that lists its values: by `enum` or `const`, by `oneOf` or `anyOf` of such, or by
 * its type. Names are titles or values, or both if they would be the same or blank. Undefined without a list.
 *
 * @param root - where `$ref` is looked up
 */
export function optionsOf(schema: JsonObject, root: JsonObject): readonly Option[] | undefined {
  const options = listedIn(schema, root, 0);
  return options && toldApart(options);
}

function listedIn(schema: JsonObject, root: JsonObject, depth: number): Option[] | undefined {
  const flat = depth > MOST_DEEP ? undefined : flatSchema(schema, root);
  if (flat === undefined) return undefined;
  const types = listed(flat['type']);
  const options = valuesOf(flat) ?? branchesOf(flat, root, depth) ?? ofTypes(types);
  return options?.filter(
    ({ value }) => types.length === 0 || types.some((type) => isOf(type, value)),
  );
}

function valuesOf({ const: only, enum: values }: JsonObject): Option[] | undefined {
  const all = only === undefined ? values : [only];
  return Array.isArray(all)
    ? (all as readonly JsonValue[]).map((value) => ({ value, label: textOf(value) }))
    : undefined;
}

/** The values of all branches, if each branch only lists values. */
function branchesOf(schema: JsonObject, root: JsonObject, depth: number): Option[] | undefined {
  const branches = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(branches) || ('oneOf' in schema && 'anyOf' in schema)) return undefined;
  const all: Option[] = [];
  for (const branch of branches as readonly JsonValue[]) {
    const options = isJsonObject(branch) ? ofBranch(branch, root, depth) : undefined;
    if (options === undefined) return undefined;
    all.push(...options);
  }
  return all.filter(
    ({ value }, index) => all.findIndex((other) => jsonEqual(other.value, value)) === index,
  );
}

function ofBranch(branch: JsonObject, root: JsonObject, depth: number): Option[] | undefined {
  const flat = flatSchema(branch, root);
  if (flat === undefined) return undefined;
  const { const: _, enum: __, oneOf: ___, anyOf: ____, ...rest } = flat;
  if (Object.keys(rest).some((name) => !BESIDE.includes(name))) return undefined;
  const options = listedIn(flat, root, depth + 1);
  const [only, second] = options ?? [];
  if (only === undefined || second !== undefined) return options;
  const { title, description } = flat;
  return [
    {
      ...only,
      ...(typeof title === 'string' && { label: title }),
      ...(typeof description === 'string' && { description }),
    },
  ];
}

const OF_TYPES = new Map<JsonValue, readonly Option[]>([
  [
    'boolean',
    [
      { value: true, label: 'Yes' },
      { value: false, label: 'No' },
    ],
  ],
  ['null', [{ value: null, label: 'None (null)' }]],
]);

/** The values of boolean and null types. */
function ofTypes(types: readonly JsonValue[]): Option[] | undefined {
  const isListed = types.length > 0 && types.every((type) => OF_TYPES.has(type));
  return isListed ? types.flatMap((type) => OF_TYPES.get(type) ?? []) : undefined;
}

function isOf(type: JsonValue, value: JsonValue): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  return type === 'null' ? value === null : typeof value === type;
}

function textOf(value: JsonValue): string {
  if (value === null) return 'None (null)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toldApart(options: readonly Option[]): readonly Option[] {
  return options.map((option) => {
    const { value, label } = option;
    const isSame = options.some((other) => other !== option && other.label === label);
    if (!isSame && !isBlank(label)) return option;
    return { ...option, label: `${label} (${JSON.stringify(value)})`.trim() };
  });
}

/** Removes null from a schema's values, and says whether it was one of several. */
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
