import type { EngagementReport } from '../../../contracts/suspension/engagement.js';
import { spanOf } from './clock.js';

const DAY_MS = 86_400_000;
const SPANS = ['7', '30', '90', '365'];
const GROUPINGS = ['day', 'agent', 'tool', 'group', 'channel'];

/** The filters of the report, with their labels, and the label for all. */
export const NARROWED_BY = [
  ['agent', 'Agent', 'Every agent'],
  ['tool', 'Tool', 'Every tool'],
  ['group', 'Group', 'Every group'],
  ['channel', 'Channel', 'Every channel'],
] as const;
export type NarrowedBy = (typeof NARROWED_BY)[number][0];

export function isNarrowedBy(grouping: string): grouping is NarrowedBy {
  return NARROWED_BY.some(([name]) => name === grouping);
}

/** Reads the choices of an address, and the query for the service: local days, the last one today. */
export function reportOf(search: URLSearchParams) {
  const days = known(search.get('days'), SPANS, '30');
  const by = known(search.get('by'), GROUPINGS, 'day');
  const narrowed: Readonly<Partial<Record<NarrowedBy, string>>> = Object.fromEntries(
    NARROWED_BY.flatMap(([name]) => {
      const value = search.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const now = new Date();
  const from = new Date(now.getTime() - (Number(days) - 1) * DAY_MS);
  const span = { time_zone: zone, from: dayOf(from), to: dayOf(now) };
  return { days, by, span, narrowed, query: { group_by: by, ...span, ...narrowed } };
}

export function namesIn({ groups }: EngagementReport): readonly string[] {
  return groups.flatMap(({ key }) => key ?? []);
}

function known(value: string | null, all: readonly string[], usual: string): string {
  return value !== null && all.includes(value) ? value : usual;
}

function dayOf(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Writes a share in per cent; a dash where there is nothing to share. */
export function shareOf(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`;
}

/** Writes a span of seconds; a dash for none. */
export function writtenSpan(seconds: number | null): string {
  return seconds === null ? '–' : spanOf(seconds * 1_000);
}
