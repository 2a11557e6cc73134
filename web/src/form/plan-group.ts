import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { isJsonObject, listed } from '../../../domain/schema/flat.js';
import type { Entered, Entry, Field } from './field.js';
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
  const isOut = staysOut(place, preset);
  const isDeep = !common.isRequired && depth >= FOLDED_FROM;
  const out = { ...common, kind: 'group', members: [], more: undefined } as const;
  if (isDeep && isOut) return { ...out, canFold: true, isFolded: true };
  const members = names.map(
    (name) => [name, memberOf(place, properties, name, preset, plan)] as const,
  );
  const canFold = isDeep || bringsDefault(common, members);
  if (canFold && isOut) return { ...out, canFold, isFolded: true };
  const more = rest === undefined ? undefined : moreOf(place, rest, beside, plan);
  return { ...out, members, more, canFold, isFolded: false };
}

/** What an object is made of; undefined where it has parts that no field could show. */
function partsOf(place: FlatPlace) {
  const { schema, common } = place;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const names = Object.keys(properties).filter((name) => properties[name] !== false);
  const rest = restOf(schema);
  const preset = isJsonObject(common.preset) ? common.preset : undefined;
  const beside = Object.entries(preset ?? {}).filter(([name]) => !names.includes(name));
  const isHidden = rest === undefined && (beside.length > 0 || isUnknown(place, names));
  if (isHidden || rest === 'several' || names.length > MOST_MEMBERS) return undefined;
  return { properties, names, rest, preset, beside } as const;
}

/** Whether nobody has added it, and no default does. */
function staysOut({ entered }: FlatPlace, preset: JsonObject | undefined): boolean {
  return isRemoved(entered) || (entered === undefined && preset === undefined);
}

/** Whether an object that may stay out would bring a default along, which nobody has chosen yet. */
function bringsDefault(
  { isRequired, preset }: FlatPlace['common'],
  members: readonly (readonly [string, Field])[],
): boolean {
  if (isRequired) return false;
  return preset !== undefined || members.some(([, one]) => hasDefault(one));
}

/** Whether nobody knows what is in it: it has no names, and may have some. */
function isUnknown({ schema, fixed }: FlatPlace, names: readonly string[]): boolean {
  return names.length === 0 && !fixed?.size && schema['additionalProperties'] !== false;
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

/** Whether somebody took a group out that a default would bring. */
function isRemoved(entered: Entered | undefined): boolean {
  return typeof entered === 'object' && entered !== null && 'isRemoved' in entered;
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

/** Whether a field would bring a default along. */
function hasDefault(field: Field): boolean {
  if (field.preset !== undefined || field.kind === 'fixed') return true;
  if (field.kind === 'group')
    return field.isFolded || field.members.some(([, one]) => hasDefault(one));
  return field.kind === 'list' && field.items.some(hasDefault);
}
