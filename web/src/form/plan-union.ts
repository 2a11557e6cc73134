import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { conditionalParts, fits, flatSchema, listed } from '../../../domain/schema/flat.js';
import { defined } from '../../../contracts/constants/defined.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import { isJsonObject, jsonEqual } from '../../../domain/kernel/json.js';
import { enteredAs, type Field, type FlatPlace } from './field.js';
import { optionsOf } from '../../../domain/schema/options.js';

type Kind = 'string' | 'number' | 'array' | 'object' | 'types';

/** Keywords that show the type of a value if the schema has no `type`. */
const SIGNS: readonly (readonly [Kind, readonly string[]])[] = [
  [
    'object',
    [
      'properties',
      'patternProperties',
      'required',
      'additionalProperties',
      'minProperties',
      'maxProperties',
    ],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];
const OF_TYPE = new Map<JsonValue, Kind>([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['array', 'array'],
  ['object', 'object'],
]);

/** Returns what kind of input a schema takes; undefined if it allows any value. */
export function kindOfSchema(schema: JsonObject): Kind | undefined {
  const types = listed(schema['type']);
  const [type] = types;
  if (types.length > 1) {
    return types.length === 2 && types.includes('integer') && types.includes('number')
      ? 'number'
      : 'types';
  }
  if (type !== undefined) return OF_TYPE.get(type);
  return SIGNS.find(([, names]) => names.some((name) => name in schema))?.[0];
}

const MOST_BRANCHES = 100;
const KINDS = {
  string: 'Text',
  number: 'Number',
  array: 'List',
  object: 'Group',
  types: 'Something else',
} as const;

/** Plans a union: it shows no more until somebody has chosen a branch. Returns undefined if a branch cannot be shown. */
export function unionOf(place: FlatPlace): Field | undefined {
  const { root, depth, common, plan } = place;
  const branches = branchesOf(place);
  if (branches === undefined || branches.length > MOST_BRANCHES) return undefined;
  const [only, second] = branches;
  if (only !== undefined && second === undefined) {
    const { title, description } = common;
    const schema = { ...defined({ title, description }), allOf: [only.whole] };
    return plan({ ...place, schema }, depth);
  }
  const constants = branches.map(({ flat }) => constantsOf(flat, root));
  const preset = presetBranch(branches, root, common.preset);
  const chosen = enteredAs(place.entered, 'branch');
  const branch = chosen === undefined ? preset : chosen.branch < 0 ? undefined : chosen.branch;
  const schema = branch === undefined ? undefined : branches[branch]?.whole;
  const planned =
    schema &&
    plan({
      schema,
      isRequired: true,
      entered: chosen?.inner,
      preset: branch === preset ? common.preset : undefined,
      fixed: fixedIn(constants, branch ?? 0),
    });
  // The union already shows the name.
  const inner = planned && { ...asChosen(planned), title: undefined, description: undefined };
  const labels = labelsOf(
    branches.map(({ flat }) => flat),
    constants,
  );
  return { ...common, kind: 'union', labels, branch, inner };
}

/** Makes a field with a single value a fixed one: it is chosen with its branch. */
function asChosen(field: Field): Field {
  if (field.kind !== 'choice') return field;
  const [only, second] = field.options;
  if (only === undefined || second !== undefined) return field;
  return { ...field, kind: 'fixed', value: only.value };
}

/** A branch merged with the schema of its union: `whole` keeps its conditions and is planned, `flat` gives its label. */
interface Branch {
  readonly whole: JsonObject;
  readonly flat: JsonObject;
}

/** Returns each branch as a schema of its own; undefined if that is impossible for one of them. */
function branchesOf({ schema, root }: FlatPlace): readonly Branch[] | undefined {
  const { oneOf, anyOf, type, ...rest } = schema;
  if (oneOf !== undefined && anyOf !== undefined) return undefined;
  const given = listed(oneOf ?? anyOf);
  const all = given.length > 0 ? given : listed(type).map((one) => ({ type: one }));
  const { title: _, description: __, default: ___, ...outer } = rest;
  const beside = given.length > 0 && type !== undefined ? { ...outer, type } : outer;
  const branches = all.map((branch) => {
    const whole = { allOf: [branch, beside] };
    const flat = isJsonObject(branch) ? flatSchema(whole, root) : undefined;
    return flat && { whole, flat };
  });
  return branches.every((branch) => branch !== undefined) ? branches : undefined;
}

function constantsOf(branch: JsonObject, root: JsonObject): ReadonlyMap<string, JsonValue> {
  const properties = isJsonObject(branch['properties']) ? branch['properties'] : {};
  return new Map(
    Object.entries(properties).flatMap(([name, property]) => {
      const flat = isJsonObject(property) ? flatSchema(property, root) : undefined;
      const [only, second] =
        flat?.['const'] === undefined ? listed(flat?.['enum']) : [flat['const']];
      return only === undefined || second !== undefined ? [] : [[name, only] as const];
    }),
  );
}

/** Returns the constants by which a branch differs from each other branch. They are chosen with the branch. */
function fixedIn(
  constants: readonly ReadonlyMap<string, JsonValue>[],
  branch: number,
): ReadonlyMap<string, JsonValue> {
  const others = constants.filter((_, index) => index !== branch);
  return new Map(
    [...(constants[branch] ?? [])].filter(([name, value]) =>
      others.every((other) => other.has(name) && !jsonEqual(other.get(name), value)),
    ),
  );
}

function labelsOf(
  branches: readonly JsonObject[],
  constants: readonly ReadonlyMap<string, JsonValue>[],
): readonly string[] {
  const needed = branches.map((branch) => listed(branch['required']).map(textOf));
  const labels = branches.map((branch, index) => {
    const own = (needed[index] ?? []).filter((name) => needed.some((one) => !one.includes(name)));
    return labelOf(branch, fixedIn(constants, index), own);
  });
  return labels.map((label, index) =>
    labels.filter((one) => one === label).length > 1 ? `${label} (${index + 1})` : label,
  );
}

function labelOf(
  branch: JsonObject,
  fixed: ReadonlyMap<string, JsonValue>,
  needed: readonly string[],
): string {
  const { title, properties } = branch;
  if (typeof title === 'string' && !isBlank(title)) return title;
  if (fixed.size > 0)
    return [...fixed].map(([name, value]) => `${name}: ${textOf(value)}`).join(', ');
  const values = branch['const'] === undefined ? listed(branch['enum']) : [branch['const']];
  if (values.length > 0) return values.map(textOf).join(', ');
  const kind = kindOfSchema(branch);
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  if (kind === 'object' && needed.length > 0) return needed.join(', ');
  if (kind === 'object' && names.length > 0) return names.join(', ');
  if (branch['type'] === 'boolean') return 'Yes or no';
  return kind === undefined ? 'Something else' : KINDS[kind];
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function presetBranch(
  branches: readonly Branch[],
  root: JsonObject,
  preset: JsonValue | undefined,
): number | undefined {
  if (preset === undefined) return undefined;
  const index = branches.findIndex(({ whole }) => fits(whole, root, preset));
  return index < 0 ? undefined : index;
}

const MOST_DEEP = 5;
const WITHIN = ['allOf', 'anyOf', 'oneOf', 'not'];
const OF_NO_PART = ['type', 'title', 'description', '$comment'];

/**
 * Whether a condition may add more than parts of an object, or change the input of a part that it depends on. An
 * entered value would then have no place, and the inputs would alternate.
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
