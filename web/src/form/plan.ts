import { isBlank } from '../../../contracts/constants/visible-text.js';
import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { jsonEqual } from '../../../domain/kernel/json.js';
import { flatSchema, hasConditions, isJsonObject } from '../../../domain/schema/flat.js';
import { withoutNull } from '../../../domain/schema/nullable.js';
import { optionsOf } from '../../../domain/schema/options.js';
import { changesKind } from './conditions.js';
import { kindOfSchema } from './kinds.js';
import type { Entered, Field } from './field.js';
import { groupOf } from './plan-group.js';
import { listOf } from './plan-list.js';
import { unionOf } from './plan-union.js';
import { readField } from './read.js';

/** Where a field stands, and what is known of it. */
export interface Place {
  readonly schema: JsonValue;
  readonly root: JsonObject;
  readonly isRequired: boolean;
  readonly entered?: Entered | undefined;
  /** Its part of a default of what it is in. */
  readonly preset?: JsonValue | undefined;
  readonly depth: number;
  /** How many places the whole form may still have: conditions within conditions multiply them. */
  readonly budget: { left: number };
  /** Names whose value comes with the branch of a union that somebody chose. */
  readonly fixed?: ReadonlyMap<string, JsonValue>;
}

/** A place whose schema says all by itself. */
export interface FlatPlace extends Place {
  readonly schema: JsonObject;
  readonly common: Omit<Extract<Field, { kind: 'json' }>, 'kind'>;
}

const MOST_DEEP = 10;
/** How often what was entered may add to what is asked for, before the page goes by the last. */
const MOST_ROUNDS = 5;

/** The input for a value, by its schema and what is entered so far. What has no input of its own is entered as JSON. */
export function planField(place: Place): Field {
  const { root } = place;
  const schema = isJsonObject(place.schema) ? place.schema : {};
  const plain = flatSchema(schema, root);
  const first = planned(place, plain);
  const isOfParts = first.kind === 'group' || first.kind === 'union';
  // The input for a value without parts stays the same, whatever is typed: whether that fits is judged.
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

/** The same place as a field for JSON. */
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
  const told = flat ?? {};
  const { schema, isNullable } = withoutNull(told, place.root);
  const preset = place.preset === undefined ? told['default'] : place.preset;
  const common = {
    title: textIn(told, 'title'),
    description: textIn(told, 'description'),
    isRequired: place.isRequired,
    isNullable,
    entered: place.entered,
    preset,
    schema: leafOf(schema),
  };
  place.budget.left -= 1;
  const isTooMuch = place.depth > MOST_DEEP || place.budget.left < 0;
  if (flat === undefined || isTooMuch) return { ...common, kind: 'json' };
  if (told['readOnly'] === true && preset !== undefined) {
    return { ...common, kind: 'fixed', value: preset };
  }
  return byKind({ ...place, schema, preset, common }) ?? { ...common, kind: 'json' };
}

/** The input for a flat schema; undefined if there is none but JSON. */
function byKind(place: FlatPlace): Field | undefined {
  const { schema, root, common } = place;
  const options = optionsOf(schema, root);
  if (options) {
    const isTick = isPlainBoolean(schema) && (!common.isRequired || common.preset !== undefined);
    if (isTick && !common.isNullable) return { ...common, kind: 'tick' };
    return { ...common, isNullable: false, kind: 'choice', options: withNull(common, options) };
  }
  if ('oneOf' in schema || 'anyOf' in schema) return unionOf(place, planField);
  switch (kindOfSchema(schema)) {
    case 'string':
      return { ...common, kind: 'text', format: textIn(schema, 'format') };
    case 'number':
      return { ...common, kind: 'number' };
    case 'array':
      return severalOf(place) ?? listOf(place, planField);
    case 'object':
      return groupOf(place, planField);
    case 'types':
      return unionOf(place, planField);
    default:
      return undefined;
  }
}

function withNull({ isNullable }: Pick<Field, 'isNullable'>, options: readonly Option[]) {
  const has = options.some(({ value }) => value === null);
  return isNullable && !has ? [...options, { value: null, label: 'None (null)' }] : options;
}
type Option = NonNullable<ReturnType<typeof optionsOf>>[number];

function isPlainBoolean(schema: JsonObject): boolean {
  return !['enum', 'const', 'oneOf', 'anyOf'].some((name) => name in schema);
}

/** Values of which each can be chosen once. */
function severalOf({ schema, root, common }: FlatPlace): Field | undefined {
  const { items, prefixItems, uniqueItems } = schema;
  if (uniqueItems !== true || prefixItems !== undefined || !isJsonObject(items)) return undefined;
  const options = optionsOf(items, root);
  return options && { ...common, kind: 'several', options };
}

/** What a schema asks of a value itself. */
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
