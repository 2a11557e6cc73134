import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { enteredAs } from './field.js';
import type { Entry, Field, FlatPlace, ListField } from './field.js';
import { saysByItself, staysOut } from './folding.js';

/** Lists longer than this are entered as JSON. */
const MOST_ENTRIES = 500;

/** Plans a list: first the items that have a schema of their own, then the items that somebody adds. */
export function listOf(place: FlatPlace): Field | undefined {
  const { schema, entered, common } = place;
  const { prefixItems } = schema;
  const first = Array.isArray(prefixItems) ? (prefixItems as readonly JsonValue[]) : [];
  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0;
  const given = entriesIn(entered, common.preset);
  // By somebody, or by a default.
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

/** Whether one more may be added. After the first items it may only if the schema describes it, or demands more. */
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
