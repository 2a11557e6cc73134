/** One line of Prometheus text: `requests{operation="Poll"} 12`. */
export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Reads Prometheus' text format, without comments and time stamps.
 *
 * @throws Error that quotes the first line that is no sample
 */
export function parseMetrics(text: string): MetricSample[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map(parseLine);
}

const NAME = /^[a-zA-Z_:][\w:]*/;
const LABEL = /[{,](?<key>\w+)="(?<value>(?:[^"\\]|\\.)*)"/g;

function parseLine(line: string): MetricSample {
  const name = NAME.exec(line)?.[0] ?? '';
  const end = line.lastIndexOf('}') + 1 || name.length;
  const value = numberOf(line.slice(end).trim().split(' ')[0]);
  if (name === '' || value === undefined) throw new Error(`no metric: ${line}`);
  const pairs = [...line.slice(name.length, end).matchAll(LABEL)].map(({ groups }) => [
    groups?.['key'] ?? '',
    unescaped(groups?.['value'] ?? ''),
  ]);
  return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value };
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^[+-]?Inf$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  const number = Number(text);
  return Number.isNaN(number) && text !== 'NaN' ? undefined : number;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_match, character: string) =>
    character === 'n' ? '\n' : character,
  );
}

/** Counters by name. */
export type Counts = Readonly<Record<string, number>>;

/** How much each counter has grown; those that stood still are left out. */
export function growth(before: Counts, after: Counts): Counts {
  const grown = Object.entries(after).map(
    ([name, value]) => [name, value - (before[name] ?? 0)] as const,
  );
  return Object.fromEntries(grown.filter(([, value]) => value !== 0));
}

/** The counters times `factor`, less `others` times theirs. */
export function less(counts: Counts, others: Counts, factor: number): Counts {
  const names = [...new Set([...Object.keys(counts), ...Object.keys(others)])];
  return Object.fromEntries(
    names.map((name) => [name, (counts[name] ?? 0) - (others[name] ?? 0) * factor]),
  );
}

/** The sum of the counters. */
export function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, value) => sum + value, 0);
}
