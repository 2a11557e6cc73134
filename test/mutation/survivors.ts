import type { MutantResult } from '@stryker-mutator/api/core';

/** A mutant that no test notices, and why that is right. */
export interface Survivor {
  /** The file, from the root of the project. */
  readonly file: string;
  /**
   * The code that the change replaces, what stands there instead, and the line of code where it begins, without its
   * indentation; only the first line of each.
   */
  readonly mutant: string;
  readonly reason: string;
}

/** A list of survivors: by file, and there by the reason. */
export type Listed = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** The survivors of a list. */
export function survivorsIn(listed: Listed): Survivor[] {
  return Object.entries(listed).flatMap(([file, reasons]) =>
    Object.entries(reasons).flatMap(([reason, mutants]) =>
      mutants.map((mutant) => ({ file, mutant, reason })),
    ),
  );
}

export type Mutant = Pick<
  MutantResult,
  'fileName' | 'location' | 'mutatorName' | 'replacement' | 'status'
>;

export interface Verdict {
  /** Noticed and all tried mutants: their ratio is the score. */
  readonly noticed: number;
  readonly tried: number;
  /** Mutants that nobody has listed. */
  readonly unlisted: readonly Omit<Survivor, 'reason'>[];
  /** Entries for which there is no such mutant any more, or a test notices it. */
  readonly obsolete: readonly Survivor[];
}

const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}

function keyOf({ file, mutant }: Omit<Survivor, 'reason'>): string {
  return `${file}: ${mutant}`;
}

/** Describes a mutant by its code, so that other lines may come and go around it. */
export function described(
  { fileName, location: { start, end }, replacement }: Mutant,
  sourceOf: (file: string) => string,
): Omit<Survivor, 'reason'> {
  const line = sourceOf(fileName).split('\n')[start.line - 1] ?? '';
  const last = start.line === end.line ? end.column - 1 : line.length;
  const code = line.slice(start.column - 1, last).trim();
  return { file: fileName, mutant: `${code} -> ${firstLine(replacement)}, in ${line.trim()}` };
}

/** Compares the outcome of a run with the list of survivors, as far as the run tried their files. */
export function judge(
  mutants: readonly Mutant[],
  listed: readonly Survivor[],
  sourceOf: (file: string) => string,
): Verdict {
  const unnoticed = mutants
    .filter(({ status }) => UNNOTICED.includes(status))
    .map((mutant) => described(mutant, sourceOf));
  const noticed = mutants.filter(({ status }) => NOTICED.includes(status)).length;
  const files = new Set(mutants.map(({ fileName }) => fileName));
  const [known, alive] = [new Set(listed.map(keyOf)), new Set(unnoticed.map(keyOf))];
  return {
    noticed,
    tried: noticed + unnoticed.length,
    unlisted: unnoticed.filter((one) => !known.has(keyOf(one))),
    obsolete: listed.filter((one) => files.has(one.file) && !alive.has(keyOf(one))),
  };
}
