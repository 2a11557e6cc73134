const BRACKETS = /\[([^[\]]*)\]/g;
const ID = /^[A-Z][A-Z0-9]*-\d+$/;
const RANGE = /^([A-Z][A-Z0-9]*)-(\d+)(?:\.\.(\d+))?$/;

/** What the test titles say about the known requirement ids. */
export interface Coverage {
  /** Known ids that no title names, in the order in which they are known. */
  readonly unnamed: readonly string[];
  /** Bracketed ids that are not known, each once. */
  readonly unknown: readonly string[];
}

/** The ids within square brackets of a title. One pair may contain several, separated by commas. */
export function idsIn(title: string): readonly string[] {
  return [...title.matchAll(BRACKETS)]
    .flatMap((match) => (match[1] ?? '').split(','))
    .map((text) => text.trim())
    .filter((text) => ID.test(text));
}

/** Compares the ids in full test titles with the known ids. */
export function coverageOf(titles: readonly string[], known: readonly string[]): Coverage {
  const named = new Set(titles.flatMap(idsIn));
  const existing = new Set(known);
  return {
    unnamed: known.filter((id) => !named.has(id)),
    unknown: [...named].filter((id) => !existing.has(id)),
  };
}

/**
 * Returns the known ids within the ranges (`R25-01..98`, or one id `R25-102`), or all without a range. Throws
 * a RangeError for a text that is no range or contains no known id.
 */
export function selectIds(known: readonly string[], ranges: readonly string[]): readonly string[] {
  if (ranges.length === 0) return known;
  const chosen = new Set(ranges.flatMap((range) => idsOfRange(known, range)));
  return known.filter((id) => chosen.has(id));
}

function idsOfRange(known: readonly string[], range: string): readonly string[] {
  const [, family, first, last = first] = RANGE.exec(range) ?? [];
  const ids = known.filter((id) => {
    const [name, number] = id.split('-');
    return name === family && Number(number) >= Number(first) && Number(number) <= Number(last);
  });
  if (ids.length === 0) throw new RangeError(`${range} is no range of known ids`);
  return ids;
}
