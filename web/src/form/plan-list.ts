import type { JsonValue } from '../../../contracts/primitives.js';
import type { Entry, Field } from './field.js';
import type { FlatPlace, Place } from './plan.js';

/** Lists longer than this are entered as JSON. */
const MOST_ENTRIES = 500;

/** A list: fields of their own for those that come first, and others that somebody adds. */
export function listOf(place: FlatPlace, plan: (place: Place) => Field): Field | undefined {
  const { schema, root, depth, budget, entered, common } = place;
  const { items = true, prefixItems, maxItems, minItems } = schema;
  const first = Array.isArray(prefixItems) ? (prefixItems as readonly JsonValue[]) : [];
  const entries = withAll(entriesIn(entered, common.preset), first.length);
  if (entries.length > MOST_ENTRIES || first.length > MOST_ENTRIES) return undefined;
  const least = typeof minItems === 'number' ? minItems : 0;
  const isShort = typeof maxItems !== 'number' || entries.length < maxItems;
  return {
    ...common,
    kind: 'list',
    entries,
    fixed: first.length,
    // What may follow the first ones is offered only where the schema says what it is.
    canGrow: isShort && items !== false && (first.length === 0 || items !== true),
    items: entries.map(({ inner, preset }, index) =>
      plan({
        schema: first[index] ?? items,
        root,
        depth: depth + 1,
        budget,
        isRequired: index >= first.length || index < least,
        entered: inner,
        preset,
      }),
    ),
  };
}

function entriesIn(entered: FlatPlace['entered'], preset: JsonValue | undefined): readonly Entry[] {
  if (typeof entered === 'object' && entered !== null && 'entries' in entered)
    return entered.entries;
  return Array.isArray(preset)
    ? (preset as readonly JsonValue[]).map((one) => ({ preset: one }))
    : [];
}

function withAll(entries: readonly Entry[], least: number): readonly Entry[] {
  return Array.from({ length: Math.max(entries.length, least) }, (_, at) => entries[at] ?? {});
}
