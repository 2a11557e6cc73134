import type { JsonObject, JsonValue } from '../../../../contracts/kernel/primitives.js';
import { defined } from '../../../../contracts/constants/defined.js';
import { visible } from '../list/visible.js';

/* Finds where values differ from one another. The work grows with their total size. */

/** With more places than this, objects are compared as a whole. */
const MOST_PLACES = 5_000;

/** How much the texts share before and after the place at which they differ, in UTF-16 units. */
interface Stretch {
  readonly before: number;
  readonly after: number;
}

export interface Difference {
  /** The names within it at which they differ; undefined if the place differs as a whole. */
  readonly within?: ReadonlyMap<string, Difference>;
  /** How many have each value. Those without a value are not counted. */
  readonly counts: ReadonlyMap<string, number>;
  readonly of: number;
  /** For texts: a stretch for each line if all have the same number of lines, else one for the whole text. */
  readonly stretches?: readonly Stretch[];
}

export interface Part {
  readonly text: string;
  readonly differs: boolean;
}

/** Writes a value as JSON with sorted names, so that equal values give equal texts. */
export function ordered(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** Returns where values differ; undefined if they are all equal. The order of names does not matter. */
export function differenceAmong(values: readonly JsonValue[]): Difference | undefined {
  let places = 0;
  const differenceOf = (some: readonly JsonValue[], of: number): Difference | undefined => {
    const names = some.length === of && places < MOST_PLACES ? byName(some) : undefined;
    if (names && names.size <= MOST_PLACES) return differenceWithin(names, of);
    const counts = countsOf(some);
    if (some.length === of && counts.size === 1) return undefined;
    places += 1;
    const texts = some.filter((value) => typeof value === 'string').map(visible);
    const areTexts = texts.length === of && new Set(texts).size > 1;
    return defined({ counts, of, stretches: areTexts ? stretchesOf(texts) : undefined });
  };
  const differenceWithin = (names: ByName, of: number): Difference | undefined => {
    const within = new Map<string, Difference>();
    for (const [name, some] of names) {
      const difference = differenceOf(some, of);
      if (difference) within.set(name, difference);
    }
    return within.size === 0 ? undefined : { within, counts: new Map(), of };
  };
  return values.length < 2 ? undefined : differenceOf(values, values.length);
}

/** Returns values as objects, with lists by their positions; undefined if one is neither, or the lists differ in length. */
function asObjects(values: readonly JsonValue[]): readonly JsonObject[] | undefined {
  const lists = values.filter((value) => Array.isArray(value));
  if (lists.length > 0) {
    const areAlike = lists.length === values.length;
    const isEven = lists.every(({ length }) => length === lists[0]?.length);
    return areAlike && isEven ? lists.map((list) => Object.fromEntries(list.entries())) : undefined;
  }
  const objects = values.filter(
    (value): value is JsonObject => typeof value === 'object' && value !== null,
  );
  return objects.length === values.length ? objects : undefined;
}

type ByName = ReadonlyMap<string, readonly JsonValue[]>;

/** Returns the values under each name; undefined if they cannot be compared name by name. */
function byName(values: readonly JsonValue[]): ByName | undefined {
  const objects = asObjects(values);
  if (!objects) return undefined;
  const all = new Map<string, JsonValue[]>();
  for (const [name, value] of objects.flatMap((one) => Object.entries(one))) {
    const some = all.get(name);
    if (some) some.push(value);
    else all.set(name, [value]);
  }
  return all;
}

function countsOf(values: readonly JsonValue[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of values.map(ordered)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

export function sharedBy({ counts }: Difference, value: JsonValue): number {
  return counts.get(ordered(value)) ?? 0;
}

export function own(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as JsonObject)[name];
}

function stretchesOf(texts: readonly string[]): readonly Stretch[] {
  const lines = texts.map((text) => text.split('\n'));
  const [first = []] = lines;
  if (lines.some(({ length }) => length !== first.length)) return [stretchOf(texts)];
  return first.map((_, index) => stretchOf(lines.map((each) => each[index] ?? '')));
}

/** Finds the stretch that texts do not share. Words stay whole, so that no letter is separated from its marks. */
function stretchOf(texts: readonly string[]): Stretch {
  const [first = '', ...others] = texts;
  const least = Math.min(...texts.map(({ length }) => length));
  const isBlankAt = (text: string, index: number) => /^\s?$/.test(text[index] ?? '');
  const isCommon = (at: (text: string) => string | undefined) =>
    others.every((other) => at(other) === at(first));
  let before = 0;
  while (before < least && isCommon((text) => text[before])) before += 1;
  if (!texts.every((text) => isBlankAt(text, before))) {
    while (before > 0 && !isBlankAt(first, before - 1)) before -= 1;
  }
  let after = 0;
  while (after < least - before && isCommon((text) => text[text.length - 1 - after])) after += 1;
  if (!texts.every((text) => isBlankAt(text, text.length - after - 1))) {
    while (after > 0 && !isBlankAt(first, first.length - after)) after -= 1;
  }
  return { before, after };
}

export function partsOf(text: string, { stretches = [] }: Difference): readonly Part[] {
  const shown = visible(text);
  const [first] = stretches;
  if (first === undefined) return [{ text: shown, differs: true }];
  if (stretches.length === 1) return partsOfStretch(shown, first);
  return shown.split('\n').flatMap((line, index) => {
    const parts = partsOfStretch(line, stretches[index] ?? first);
    return index === 0 ? parts : [{ text: '\n', differs: false }, ...parts];
  });
}

function partsOfStretch(text: string, { before, after }: Stretch): readonly Part[] {
  const end = text.length - after;
  return [
    { text: text.slice(0, before), differs: false },
    { text: text.slice(before, end), differs: true },
    { text: text.slice(end), differs: false },
  ].filter((part) => part.text !== '');
}
