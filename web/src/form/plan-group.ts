import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { isJsonObject, listed } from '../../../domain/schema/flat.js';
import type { Entered, Entry, Field } from './field.js';
import { saysByItself, staysOut } from './folding.js';
import type { FlatPlace, Place } from './plan.js';

/** A group without anything of its own is folded from this depth on, so that what refers to itself has an end. */
const FOLDED_FROM = 4;
const MOST_MEMBERS = 500;

/** An object: a field for each property, and parts whose names somebody gives. */
export function groupOf(place: FlatPlace, plan: (place: Place) => Field): Field | undefined {
  const { depth, common } = place;
  const parts = partsOf(place);
  if (parts === undefined) return undefined;
  const { properties, names, rest, preset, beside } = parts;
  const isOut = staysOut(place.entered, preset);
  const isDeep = !common.isRequired && depth >= FOLDED_FROM;
  const out = { ...common, kind: 'group', members: [], more: undefined } as const;
  if (isDeep && isOut) return { ...out, canFold: true, isFolded: true };
  const members = names.map(
    (name) => [name, memberOf(place, properties, name, preset, plan)] as const,
  );
  const canFold = isDeep || saysMore(common, members);
  if (canFold && isOut) return { ...out, canFold, isFolded: true };
  const more = rest === undefined ? undefined : moreOf(place, rest, beside, plan);
  return { ...out, members, more, canFold, isFolded: false };
}

/** What an object is made of; undefined where it has parts that no field could show. */
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

/** Whether an object that may stay out would say something that nobody has chosen yet. */
function saysMore(
  { isRequired, preset }: FlatPlace['common'],
  members: readonly (readonly [string, Field])[],
): boolean {
  if (isRequired) return false;
  return preset !== undefined || members.some(([, one]) => saysByItself(one));
}

/** Whether nobody knows what is in it: it has no names, and may have some. */
function isUnknown({ schema, fixed }: FlatPlace, described: JsonObject): boolean {
  const isNamed = Object.values(described).some((one) => one !== false);
  return !isNamed && !fixed?.size && schema['additionalProperties'] !== false;
}

/** Parts that have to be there, perhaps with others, and of which the schema may say nothing more: these are entered as JSON. */
function otherwiseNamed(schema: JsonObject, rest: JsonValue | undefined): JsonObject {
  const { required, dependentRequired, patternProperties } = schema;
  const dependent = isJsonObject(dependentRequired) ? Object.values(dependentRequired) : [];
  const names = [required, ...dependent].flatMap(listed).filter((name) => typeof name === 'string');
  // Which of them a pattern is for is left to who judges the whole.
  const others = patternProperties === undefined && isJsonObject(rest) ? rest : {};
  return Object.fromEntries(names.map((name) => [name, others]));
}

function memberOf(
  { schema: { required }, root, depth, budget, entered, fixed }: FlatPlace,
  properties: JsonObject,
  name: string,
  preset: JsonObject | undefined,
  plan: (place: Place) => Field,
): Field {
  const of = enteredIn(entered);
  const field = plan({
    schema: properties[name] ?? {},
    root,
    depth: depth + 1,
    budget,
    isRequired: listed(required).includes(name),
    entered: Object.hasOwn(of, name) ? of[name] : undefined,
    preset: preset && Object.hasOwn(preset, name) ? preset[name] : undefined,
  });
  const value = fixed?.get(name);
  return value === undefined ? field : { ...field, kind: 'fixed', value };
}

function enteredIn(entered: Entered | undefined): Readonly<Record<string, Entered>> {
  return typeof entered === 'object' && entered !== null && 'of' in entered ? entered.of : {};
}

/** What those parts are whose names the schema does not give; undefined if it says nothing of them. */
function restOf({ additionalProperties, patternProperties, properties }: JsonObject) {
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  const others = isJsonObject(additionalProperties) ? [additionalProperties] : [];
  const [rest, second] = [...patterns, ...others];
  if (second !== undefined) return 'several';
  // What says nothing of its parts but that there may be some is entered as a whole.
  const hasNames = isJsonObject(properties) && Object.keys(properties).length > 0;
  return rest === true && !hasNames ? undefined : rest;
}

function moreOf(
  { root, depth, budget, entered }: FlatPlace,
  schema: JsonValue,
  preset: readonly (readonly [string, JsonValue])[],
  plan: (place: Place) => Field,
) {
  const isGiven = typeof entered === 'object' && entered !== null && 'more' in entered;
  const entries: readonly Entry[] =
    (isGiven ? entered.more : undefined) ??
    preset.map(([name, value]) => ({ name, preset: value }));
  return entries.map((entry) => ({
    entry,
    field: plan({
      schema,
      root,
      depth: depth + 1,
      budget,
      isRequired: true,
      entered: entry.inner,
      preset: entry.preset,
    }),
  }));
}
