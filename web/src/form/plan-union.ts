import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { jsonEqual } from '../../../domain/kernel/json.js';
import { fits, flatSchema, isJsonObject, listed } from '../../../domain/schema/flat.js';
import type { Entered, Field } from './field.js';
import { kindOfSchema } from './kinds.js';
import type { FlatPlace, Place } from './plan.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';

const MOST_BRANCHES = 100;
const KINDS = {
  string: 'Text',
  number: 'Number',
  array: 'List',
  object: 'Group',
  types: 'Something else',
} as const;

/** One of several: nothing is asked before somebody has chosen which. Undefined if a branch cannot be shown. */
export function unionOf(place: FlatPlace, plan: (place: Place) => Field): Field | undefined {
  const { root, depth, budget, entered, common } = place;
  const branches = branchesOf(place);
  if (branches === undefined || branches.length > MOST_BRANCHES) return undefined;
  const [only, second] = branches;
  if (only !== undefined && second === undefined) {
    return plan({ ...place, schema: { ...saidBy(common), allOf: [only.whole] } });
  }
  const told = branches.map(({ flat }) => constantsOf(flat, root));
  const preset = presetBranch(branches, root, common.preset);
  const chosen = branchIn(entered);
  const branch = chosen === undefined ? preset : chosen.branch < 0 ? undefined : chosen.branch;
  const schema = branch === undefined ? undefined : branches[branch]?.whole;
  const planned =
    schema &&
    plan({
      schema,
      root,
      depth: depth + 1,
      budget,
      isRequired: true,
      entered: chosen?.inner,
      preset: branch === preset ? common.preset : undefined,
      fixed: fixedIn(told, branch ?? 0),
    });
  // The whole is named once, by the union.
  const inner = planned && { ...asChosen(planned), title: undefined, description: undefined };
  const labels = labelsOf(
    branches.map(({ flat }) => flat),
    told,
  );
  return { ...common, kind: 'union', labels, branch, inner };
}

/** What a union says of itself, where it has one branch alone. */
function saidBy({ title, description }: FlatPlace['common']): JsonObject {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  };
}

/** A branch with one value is chosen with the branch. */
function asChosen(field: Field): Field {
  if (field.kind !== 'choice') return field;
  const [only, second] = field.options;
  if (only === undefined || second !== undefined) return field;
  return { ...field, kind: 'fixed', value: only.value };
}

/** A branch with all that its union asks for: as it is planned, with its conditions, and as it is named. */
interface Branch {
  readonly whole: JsonObject;
  readonly flat: JsonObject;
}

/** Each branch as a schema of its own; undefined where one cannot be said so. */
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

/** The properties of a branch that have one value only. */
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

/** What the choice of a branch says by itself: the constants by which it differs from each other branch. */
function fixedIn(
  told: readonly ReadonlyMap<string, JsonValue>[],
  branch: number,
): ReadonlyMap<string, JsonValue> {
  const others = told.filter((_, index) => index !== branch);
  return new Map(
    [...(told[branch] ?? [])].filter(([name, value]) =>
      others.every((other) => other.has(name) && !jsonEqual(other.get(name), value)),
    ),
  );
}

function labelsOf(
  branches: readonly JsonObject[],
  told: readonly ReadonlyMap<string, JsonValue>[],
): readonly string[] {
  const needed = branches.map((branch) => listed(branch['required']).map(textOf));
  const labels = branches.map((branch, index) => {
    const own = (needed[index] ?? []).filter((name) => needed.some((one) => !one.includes(name)));
    return labelOf(branch, fixedIn(told, index), own);
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

function branchIn(entered: Entered | undefined) {
  return typeof entered === 'object' && entered !== null && 'branch' in entered
    ? entered
    : undefined;
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
