import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { ordered } from './ordered.js';
import { visible } from './visible.js';

/*
 * Where some values differ from one another. The work grows with the size of the values, and not with their number times their
 * size.
 */

/** How many places are told apart; beyond these, a whole object differs. */
const MOST_PLACES = 5_000;

/** What a stretch of text has in common with the others, before and after where they differ: lengths in UTF-16 units. */
interface Stretch {
  readonly before: number;
  readonly after: number;
}

/** A place at which values differ. */
export interface Difference {
  /** The names within it at which they differ; undefined where the place differs as a whole. */
  readonly within?: ReadonlyMap<string, Difference>;
  /** How many have each value. Those that have none are not counted. */
  readonly counts: ReadonlyMap<string, number>;
  /** Of how many. */
  readonly of: number;
  /** Of texts: for each of their lines where all have as many, otherwise for the whole. */
  readonly stretches?: readonly Stretch[];
}

/** A part of a text, and whether the others have another one in its place. */
export interface Part {
  readonly text: string;
  readonly differs: boolean;
}

/** Where values differ from one another; undefined if they are all the same. Names may stand in any order. */
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
    return { counts, of, ...(areTexts && { stretches: stretchesOf(texts) }) };
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

/** Values as objects, lists by their positions; undefined where one is neither, or lists have not one length. */
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

/** What stands under each name; undefined where values cannot be compared name by name. */
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

/** How many of all have this value at a place. */
export function sharedBy({ counts }: Difference, value: JsonValue): number {
  return counts.get(ordered(value)) ?? 0;
}

/** What an object or a list has itself under a name. */
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

/** Words stay whole, so that no letter is torn from its marks. */
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

/** A text as it is shown, in parts that together are all of it. */
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
