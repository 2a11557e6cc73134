import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { defined } from '../../../contracts/constants/defined.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import { isJsonObject, jsonEqual } from '../../../domain/kernel/json.js';
import { fits, flatSchema, listed } from '../../../domain/schema/flat.js';
import { enteredAs } from './field.js';
import type { Field, FlatPlace } from './field.js';
import { kindOfSchema } from './kinds.js';

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

/** A branch merged with the demands of its union: `whole` keeps its conditions and is planned, `flat` gives its label. */
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

/** Returns the properties of a branch that allow a single value. */
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
