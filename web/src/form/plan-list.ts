import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import type { Entry, Field, ListField } from './field.js';
import { saysByItself, staysOut } from './folding.js';
import type { FlatPlace, Place } from './plan.js';

/** Lists longer than this are entered as JSON. */
const MOST_ENTRIES = 500;

/** A list: fields of their own for those that come first, and others that somebody adds. */
export function listOf(place: FlatPlace, plan: (place: Place) => Field): Field | undefined {
  const { schema, entered, common } = place;
  const first = firstIn(schema['prefixItems']);
  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0;
  const given = entriesIn(entered, common.preset);
  // Somebody, or a default, has left it empty.
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
    items: itemsOf(place, entries, first, least, plan),
    isFolded: false,
    canFold: false,
  };
  const canFold =
    !common.isRequired && common.preset === undefined && list.items.some(saysByItself);
  if (!canFold || !staysOut(entered, common.preset)) return { ...list, canFold };
  return { ...list, entries: [], items: [], canGrow: false, canFold, isFolded: true };
}

/** Whether there may be one more: after those that come first only where the schema says what it is, or wants more. */
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
  { schema: { items = true }, root, depth, budget }: FlatPlace,
  entries: readonly Entry[],
  first: readonly JsonValue[],
  least: number,
  plan: (place: Place) => Field,
): readonly Field[] {
  return entries.map(({ inner, preset }, index) =>
    plan({
      schema: first[index] ?? items,
      root,
      depth: depth + 1,
      budget,
      isRequired: index >= first.length || index < least,
      entered: inner,
      preset,
    }),
  );
}

function firstIn(prefixItems: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(prefixItems) ? (prefixItems as readonly JsonValue[]) : [];
}

/** What is in it, by somebody or by a default; undefined while nobody says. */
function entriesIn(
  entered: FlatPlace['entered'],
  preset: JsonValue | undefined,
): readonly Entry[] | undefined {
  if (typeof entered === 'object' && entered !== null && 'entries' in entered)
    return entered.entries;
  return Array.isArray(preset)
    ? (preset as readonly JsonValue[]).map((one) => ({ preset: one }))
    : undefined;
}

function withAll(entries: readonly Entry[], least: number): readonly Entry[] {
  return Array.from({ length: Math.max(entries.length, least) }, (_, at) => entries[at] ?? {});
}
