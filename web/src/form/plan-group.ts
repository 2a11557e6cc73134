import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { listed } from '../../../domain/schema/flat.js';
import { enteredAs } from './field.js';
import type { Entry, Field, FlatPlace } from './field.js';
import { saysByItself, staysOut } from './folding.js';
import { isJsonObject } from '../../../domain/kernel/json.js';

/** From this depth on, an optional group is folded until somebody adds it, so that a schema that refers to itself has an end. */
const FOLDED_FROM = 4;
const MOST_MEMBERS = 500;

/** Plans a group: a field for each property, and the parts that somebody names. */
export function groupOf(place: FlatPlace): Field | undefined {
  const { depth, common } = place;
  const parts = partsOf(place);
  if (parts === undefined) return undefined;
  const { properties, names, rest, preset, beside } = parts;
  const isOut = staysOut(place.entered, preset);
  const isDeep = !common.isRequired && depth >= FOLDED_FROM;
  const out = { ...common, kind: 'group', members: [], more: undefined } as const;
  if (isDeep && isOut) return { ...out, canFold: true, isFolded: true };
  const members = names.map((name) => [name, memberOf(place, properties, name, preset)] as const);
  const canFold = isDeep || saysMore(common, members);
  if (canFold && isOut) return { ...out, canFold, isFolded: true };
  const more = rest === undefined ? undefined : moreOf(place, rest, beside);
  return { ...out, members, more, canFold, isFolded: false };
}

/** Returns the parts of an object; undefined if no field could show some of them. */
function partsOf(place: FlatPlace) {
  const { schema, common } = place;
  const described = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const rest = restOf(schema);
  const properties = { ...otherwiseNamed(schema, rest), ...described };
  const names = Object.keys(properties).filter((name) => properties[name] !== false);
  const preset = isJsonObject(common.preset) ? common.preset : undefined;
  const beside = Object.entries(preset ?? {}).filter(([name]) => !names.includes(name));
  const isHidden = rest === undefined && (beside.length > 0 || isUnknown(place, described));
  if (isHidden || rest === 'several' || names.length > MOST_MEMBERS) return undefined;
  return { properties, names, rest, preset, beside } as const;
}

/** Whether an optional object would have a value that nobody has chosen. */
function saysMore(
  { isRequired, preset }: FlatPlace['common'],
  members: readonly (readonly [string, Field])[],
): boolean {
  if (isRequired) return false;
  return preset !== undefined || members.some(([, one]) => saysByItself(one));
}

/** Whether the parts are unknown: the schema names none, and allows some. */
function isUnknown({ schema, fixed }: FlatPlace, described: JsonObject): boolean {
  const isNamed = Object.values(described).some((one) => one !== false);
  return !isNamed && !fixed?.size && schema['additionalProperties'] !== false;
}

/** Returns the parts that are required, or required with others. A part that the schema does not describe is entered as JSON. */
function otherwiseNamed(schema: JsonObject, rest: JsonValue | undefined): JsonObject {
  const { required, dependentRequired, patternProperties } = schema;
  const dependent = isJsonObject(dependentRequired) ? Object.values(dependentRequired) : [];
  const names = [required, ...dependent].flatMap(listed).filter((name) => typeof name === 'string');
  // Whether a pattern applies to a part is only judged with the whole value.
  const others = patternProperties === undefined && isJsonObject(rest) ? rest : {};
  return Object.fromEntries(names.map((name) => [name, others]));
}

function memberOf(
  { schema: { required }, entered, fixed, plan }: FlatPlace,
  properties: JsonObject,
  name: string,
  preset: JsonObject | undefined,
): Field {
  const of = enteredAs(entered, 'of')?.of ?? {};
  const field = plan({
    schema: properties[name] ?? {},
    isRequired: listed(required).includes(name),
    entered: Object.hasOwn(of, name) ? of[name] : undefined,
    preset: preset && Object.hasOwn(preset, name) ? preset[name] : undefined,
  });
  const value = fixed?.get(name);
  return value === undefined ? field : { ...field, kind: 'fixed', value };
}

/** Returns the schema of the parts that the schema does not name; undefined if it says nothing about them. */
function restOf({ additionalProperties, patternProperties, properties }: JsonObject) {
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  const others = isJsonObject(additionalProperties) ? [additionalProperties] : [];
  const [rest, second] = [...patterns, ...others];
  if (second !== undefined) return 'several';
  // If any parts are allowed and none is described, the object is entered as JSON.
  const hasNames = isJsonObject(properties) && Object.keys(properties).length > 0;
  return rest === true && !hasNames ? undefined : rest;
}

function moreOf(
  { entered, plan }: FlatPlace,
  schema: JsonValue,
  preset: readonly (readonly [string, JsonValue])[],
) {
  const entries: readonly Entry[] =
    enteredAs(entered, 'of')?.more ?? preset.map(([name, value]) => ({ name, preset: value }));
  return entries.map((entry) => ({
    entry,
    field: plan({ schema, isRequired: true, entered: entry.inner, preset: entry.preset }),
  }));
}
