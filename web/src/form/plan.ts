import { isBlank } from '../../../contracts/constants/visible-text.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { isJsonObject, jsonEqual } from '../../../domain/kernel/json.js';
import { flatSchema, hasConditions } from '../../../domain/schema/flat.js';
import { withoutNull } from '../../../domain/schema/nullable.js';
import { optionsOf } from '../../../domain/schema/options.js';
import type { Option } from '../../../domain/schema/options.js';
import { changesKind } from './conditions.js';
import { kindOfSchema } from './kinds.js';
import type { Field, FlatPlace, Place } from './field.js';
import { groupOf } from './plan-group.js';
import { listOf } from './plan-list.js';
import { unionOf } from './plan-union.js';
import { readField } from './read.js';

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

/** Returns the same field with an input for JSON. */
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

/** Plans a set of values, each of which can be chosen once. */
function severalOf({ schema, root, common }: FlatPlace): Field | undefined {
  const { items, prefixItems, uniqueItems } = schema;
  if (uniqueItems !== true || prefixItems !== undefined || !isJsonObject(items)) return undefined;
  const options = optionsOf(items, root);
  return options && { ...common, kind: 'several', options };
}

/** Returns what a schema demands of the value itself, without its parts. */
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
