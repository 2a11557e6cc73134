import { z } from 'zod';
import { engagementReportSchema } from '../../contracts/suspension/engagement-report.js';
import { engagementQuerySchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import { reportEngagement } from '../usecases/suspension/engagement.js';
import { csvOf } from './engagement-csv.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

/** What managers count. */
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
