import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import {
  enteredAs,
  type Entered,
  type Entry,
  type Field,
  type FlatPlace,
  type ListField,
  type Place,
} from './field.js';
import { flatSchema, hasConditions, listed } from '../../../domain/schema/flat.js';
import { isJsonObject, jsonEqual } from '../../../domain/kernel/json.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import { optionsOf, withoutNull, type Option } from '../../../domain/schema/options.js';
import { changesKind, kindOfSchema, unionOf } from './plan-union.js';
import { readField } from './read.js';

/*
 * An optional part that has a value of its own, such as a default, is omitted and folded until somebody adds it:
 * nobody has chosen that value yet.
 */

/** Whether nobody has added the part, or somebody has removed it, and it has no default of its own. */
function staysOut(entered: Entered | undefined, preset: JsonValue | undefined): boolean {
  const isRemoved = enteredAs(entered, 'isRemoved') !== undefined;
  return isRemoved || (entered === undefined && preset === undefined);
}

/** Whether a field has a value that nobody has entered: a default, or a required object. */
function saysByItself(field: Field): boolean {
  if (field.preset !== undefined || field.kind === 'fixed') return true;
  switch (field.kind) {
    case 'group':
      return (
        field.isRequired || field.isFolded || field.members.some(([, one]) => saysByItself(one))
      );
    case 'list':
      return field.isFolded || field.items.some(saysByItself);
    default:
      return false;
  }
}

/** From this depth on, an optional group is folded until somebody adds it, so that a recursive schema has an end. */
const FOLDED_FROM = 4;
const MOST_MEMBERS = 500;

/** Plans a group: a field for each property, and the parts that somebody names. */
function groupOf(place: FlatPlace): Field | undefined {
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

/** Returns the schema of unnamed parts; undefined if there is none. */
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

/** Lists longer than this are entered as JSON. */
const MOST_ENTRIES = 500;

/** Plans a list: first the items that have a schema of their own, then the items that somebody adds. */
function listOf(place: FlatPlace): Field | undefined {
  const { schema, entered, common } = place;
  const { prefixItems } = schema;
  const first = Array.isArray(prefixItems) ? (prefixItems as readonly JsonValue[]) : [];
  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0;
  const given = entriesIn(entered, common.preset);
  // Somebody, or a default, has made it empty.
  const isEmpty = given?.length === 0;
  const entries = isEmpty ? [] : withAll(given ?? [], first.length);
  if (entries.length > MOST_ENTRIES || first.length > MOST_ENTRIES) return undefined;
  const list: ListField = {
    ...common,
    kind: 'list',
    entries,
    fixed: first.length,
    canGrow: canGrow(schema, entries.length, first.length, least),
    canBeEmpty: common.isRequired && least === 0 && !isEmpty,
    items: itemsOf(place, entries, first, least),
    isFolded: false,
    canFold: false,
  };
  const canFold =
    !common.isRequired && common.preset === undefined && list.items.some(saysByItself);
  if (!canFold || !staysOut(entered, common.preset)) return { ...list, canFold };
  return { ...list, entries: [], items: [], canGrow: false, canFold, isFolded: true };
}

/** Whether an item may be added. After the first items this needs a schema for it, or a demand for more. */
function canGrow(
  { items = true, maxItems }: JsonObject,
  count: number,
  first: number,
  least: number,
): boolean {
  if (typeof maxItems === 'number' && count >= maxItems) return false;
  if (count < first) return true;
  return items !== false && (items !== true || first === 0 || count < least);
}

function itemsOf(
  { schema: { items = true }, plan }: FlatPlace,
  entries: readonly Entry[],
  first: readonly JsonValue[],
  least: number,
): readonly Field[] {
  return entries.map(({ inner, preset }, index) =>
    plan({
      schema: first[index] ?? items,
      isRequired: index >= first.length || index < least,
      entered: inner,
      preset,
    }),
  );
}

/** Returns the entries that somebody has made, else those of a default; undefined if there are neither. */
function entriesIn(
  entered: FlatPlace['entered'],
  preset: JsonValue | undefined,
): readonly Entry[] | undefined {
  const given = enteredAs(entered, 'entries');
  if (given) return given.entries;
  return Array.isArray(preset)
    ? (preset as readonly JsonValue[]).map((one) => ({ preset: one }))
    : undefined;
}

function withAll(entries: readonly Entry[], least: number): readonly Entry[] {
  return Array.from({ length: Math.max(entries.length, least) }, (_, at) => entries[at] ?? {});
}

const MOST_DEEP = 10;
/** How often the entered value may change the schema by its conditions before the page takes the last result. */
const MOST_ROUNDS = 5;

/** Plans the field of a value by its schema and by what is entered. A value without an input of its own is entered as JSON. */
export function planField(place: Place): Field {
  const { root } = place;
  const schema = isJsonObject(place.schema) ? place.schema : {};
  const plain = flatSchema(schema, root);
  const first = planned(place, plain);
  const isOfParts = first.kind === 'group' || first.kind === 'union';
  // The input of a value without parts stays the same whatever is typed, and the conditions only judge the value.
  if (!isOfParts || !hasConditions(schema, root)) return first;
  if (changesKind(schema, root)) return asJson(first);
  let field: Field = first;
  let value = readField(first).value;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    field = planned(place, flatSchema(schema, root, value ?? {}));
    const next = readField(field).value;
    if (jsonEqual(next, value)) break;
    value = next;
  }
  return field;
}

function asJson({
  title,
  description,
  isRequired,
  isNullable,
  entered,
  preset,
  schema,
}: Field): Field {
  return { title, description, isRequired, isNullable, entered, preset, schema, kind: 'json' };
}

function planned(place: Place, flat: JsonObject | undefined): Field {
  const { root, depth, budget, isRequired } = place;
  const whole = flat ?? {};
  const { schema, isNullable } = withoutNull(whole, root);
  const usual = budget.usesDefaults ? whole['default'] : undefined;
  const preset = place.preset === undefined ? usual : place.preset;
  const common = {
    title: textIn(whole, 'title'),
    description: textIn(whole, 'description'),
    isRequired,
    isNullable,
    entered: place.entered,
    preset,
    schema: leafOf(schema),
  };
  budget.left -= 1;
  const isTooMuch = depth > MOST_DEEP || budget.left < 0;
  if (flat === undefined || isTooMuch) return { ...common, kind: 'json' };
  if (whole['readOnly'] === true && preset !== undefined) {
    return { ...common, kind: 'fixed', value: preset };
  }
  const plan: FlatPlace['plan'] = (part, at = depth + 1) =>
    planField({ ...part, root, budget, depth: at });
  return byKind({ ...place, schema, preset, common, plan }) ?? { ...common, kind: 'json' };
}

/** Plans the field of a flat schema; undefined if only JSON can be entered. */
function byKind(place: FlatPlace): Field | undefined {
  const { schema, root, common } = place;
  const options = optionsOf(schema, root);
  if (options) {
    const isTick = isPlainBoolean(schema) && (!common.isRequired || common.preset !== undefined);
    if (isTick && !common.isNullable) return { ...common, kind: 'tick' };
    return { ...common, isNullable: false, kind: 'choice', options: withNull(common, options) };
  }
  if ('oneOf' in schema || 'anyOf' in schema) return unionOf(place);
  switch (kindOfSchema(schema)) {
    case 'string':
      return { ...common, kind: 'text', format: textIn(schema, 'format') };
    case 'number':
      return { ...common, kind: 'number' };
    case 'array':
      return severalOf(place) ?? listOf(place);
    case 'object':
      return groupOf(place);
    case 'types':
      return unionOf(place);
    default:
      return undefined;
  }
}

function withNull({ isNullable }: Pick<Field, 'isNullable'>, options: readonly Option[]) {
  const has = options.some(({ value }) => value === null);
  return isNullable && !has ? [...options, { value: null, label: 'None (null)' }] : options;
}

function isPlainBoolean(schema: JsonObject): boolean {
  return !['enum', 'const', 'oneOf', 'anyOf'].some((name) => name in schema);
}

function severalOf({ schema, root, common }: FlatPlace): Field | undefined {
  const { items, prefixItems, uniqueItems } = schema;
  if (uniqueItems !== true || prefixItems !== undefined || !isJsonObject(items)) return undefined;
  const options = optionsOf(items, root);
  return options && { ...common, kind: 'several', options };
}

/** Returns a schema's demands on the value itself, without its parts. */
function leafOf(schema: JsonObject): JsonObject {
  const within = /^(properties|items|prefixItems|required|.*Properties|oneOf|anyOf|unevaluated.*)$/;
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([name, value]) => !within.test(name) || typeof value === 'number',
    ),
  );
}

function textIn(schema: JsonObject, name: string): string | undefined {
  const text = schema[name];
  return typeof text === 'string' && !isBlank(text) ? text : undefined;
}
