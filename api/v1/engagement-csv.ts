import type {
  EngagementDuration,
  EngagementGroup,
  EngagementReport,
} from '../../contracts/suspension/engagement-report.js';

type Cell = string | number | null;

/** Returns the groups of a report as CSV (RFC 4180): one line each, below the names of the columns. */
export function csvOf({ group_by, groups }: EngagementReport): string {
  const lines = groups.map((group) => columnsOf(group_by, group));
  const names = columnsOf(group_by, EMPTY).map(([name]) => name);
  const rows = [names, ...lines.map((columns) => columns.map(([, cell]) => cell))];
  return rows.map((row) => `${row.map(written).join(',')}\r\n`).join('');
}

const NEVER: EngagementDuration = { count: 0, p50_seconds: null, p90_seconds: null };
const EMPTY = {
  until_viewed: NEVER,
  until_claimed: NEVER,
  until_answered: NEVER,
} as EngagementGroup;

/** The columns of a group, with their names. */
function columnsOf(by: string, group: EngagementGroup): readonly (readonly [string, Cell])[] {
  const { key, until_viewed, until_claimed, until_answered } = group;
  return [
    [by, key],
    ['asked', group.asked],
    ['open', group.open],
    ['answered', group.answered],
    ['denied', group.denied],
    ['edited', group.edited],
    ['expired', group.expired],
    ['cancelled', group.cancelled],
    ['as_expected', group.as_expected],
    ...durations('viewed', until_viewed),
    ...durations('claimed', until_claimed),
    ...durations('answered', until_answered),
  ];
}

function durations(
  name: string,
  { count, p50_seconds, p90_seconds }: EngagementDuration,
): readonly (readonly [string, Cell])[] {
  return [
    [`until_${name}_count`, count],
    [`until_${name}_p50_seconds`, p50_seconds],
    [`until_${name}_p90_seconds`, p90_seconds],
  ];
}

/** A spreadsheet takes a text that begins like this for a formula, which could send what the sheet has elsewhere. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function written(cell: Cell | undefined): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
