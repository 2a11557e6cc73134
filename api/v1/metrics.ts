import { z } from 'zod';
import {
  engagementReportSchema,
  type EngagementDuration,
  type EngagementGroup,
  type EngagementReport,
} from '../../contracts/suspension/engagement.js';
import { engagementQuerySchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import { reportEngagement } from '../usecases/suspension/engagement.js';
import { v1Route, type Route } from './route.js';

type Cell = string | number | null;

/** Returns the groups of a report as CSV (RFC 4180): one line each, below the names of the columns. */
function csvOf({ group_by, groups }: EngagementReport): string {
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

/** A spreadsheet reads a text with such a beginning as a formula, which could send the sheet's content elsewhere. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function written(cell: Cell | undefined): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const METRIC_ROUTES: readonly Route[] = [
  v1Route(reportEngagement, 'GET /metrics/engagement', {
    summary: 'Counts how the questions that were asked on some days went',
    query: engagementQuerySchema,
    replies: { 200: { description: 'The report.', body: engagementReportSchema } },
    handle: async ({ run, query }) => reply(200, await run(query)),
  }),
  v1Route(reportEngagement, 'GET /metrics/engagement.csv', {
    id: 'exportEngagement',
    summary: 'The same as a table for a spreadsheet',
    query: engagementQuerySchema,
    replies: {
      200: {
        description: 'A line for each group, below a line with the names of the columns.',
        body: z.string(),
        contentType: 'text/csv',
      },
    },
    async handle({ run, call: { res }, query }) {
      const report = await run(query);
      res.attachment(`questions-by-${report.group_by}-${report.from}-${report.to}.csv`);
      res.type('text/csv').end(csvOf(report));
      return undefined;
    },
  }),
];
