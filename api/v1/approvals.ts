import { z } from 'zod';
import { approvalViewSchema } from '../../contracts/approval.js';
import { runEventSchema, runReportSchema } from '../../contracts/run-event.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { writtenSchema } from '../../contracts/primitives.js';
import { storedSnapshotSchema } from '../../contracts/snapshot.js';
import { jsonOf } from '../http/input.js';
import { approvalPageSchema, pageSchema, waitQuerySchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import { TOOL_APPROVALS } from '../operations/approval.js';
import { PAGE, READ } from './replies.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const VIEW = READ.declare('The approval as it stands.', approvalViewSchema);
const WITHDRAWAL = z.object({ reason: writtenSchema(LIMITS.questionCharacters).optional() });
const RUN_LOG = '/runs/:runId/events';

/** Approvals of tool calls: found, read, waited for and withdrawn. Their questions are suspensions. */
export const APPROVAL_ROUTES: readonly Route[] = [
  v1Route(TOOL_APPROVALS.listApprovals, {
    method: 'get',
    path: '/approvals',
    summary: 'Lists approvals, newest first; agents and users see their own',
    query: approvalPageSchema,
    replies: PAGE.declare('approvals', approvalViewSchema),
    handle: async ({ run, query }) => PAGE.reply('approvals', await run(query), query),
  }),
  v1Route(TOOL_APPROVALS.readApproval, {
    method: 'get',
    path: '/approvals/:approvalId',
    summary: 'Reads an approval',
    replies: VIEW,
    handle: async ({ run, params }) => READ.reply(await run(params.approvalId)),
  }),
  v1Route(TOOL_APPROVALS.waitForApproval, {
    method: 'get',
    path: '/approvals/:approvalId/wait',
    summary: 'Waits until an approval is resolved, or the time is over',
    query: waitQuerySchema.pick({ timeout_seconds: true }),
    replies: VIEW,
    handle: async ({ run, call, params, query }) =>
      READ.reply(
        await run(params.approvalId, {
          timeoutSeconds: query.timeout_seconds,
          signal: call.longPolls.signalFor(call.res, 'long_polls'),
        }),
      ),
  }),
  v1Route(TOOL_APPROVALS.withdrawApproval, {
    method: 'post',
    path: '/approvals/:approvalId/withdraw',
    summary: 'Withdraws an approval with its open question; for who asked, or an admin',
    body: jsonOf(WITHDRAWAL),
    keyed: true,
    replies: { 200: { description: 'The cancelled approval.', body: approvalViewSchema } },
    handle: async ({ run, params, body }) => reply(200, await run(params.approvalId, body.reason)),
  }),
];

/** What approvals, and the agents that ask for them, left of a run. */
export const RUN_ROUTES: readonly Route[] = [
  v1Route(TOOL_APPROVALS.listRunEvents, {
    method: 'get',
    path: RUN_LOG,
    summary: 'Reads what approvals left in the log of a run, newest first',
    query: pageSchema,
    replies: PAGE.declare('events', runEventSchema, 'A page of the log.'),
    handle: async ({ run, params, query }) =>
      PAGE.reply('events', await run(params.runId, query), query),
  }),
  v1Route(TOOL_APPROVALS.verifyRunEvents, {
    method: 'get',
    path: `${RUN_LOG}/verify`,
    summary: 'Checks that the log of a run is what was recorded',
    replies: READ.declare('What was found.', runReportSchema),
    handle: async ({ run, params }) => READ.reply(await run(params.runId)),
  }),
  v1Route(TOOL_APPROVALS.latestSnapshot, {
    method: 'get',
    path: '/runs/:runId/snapshots/latest',
    summary: 'Reads what an agent left of itself when it last waited; for admins and auditors',
    replies: READ.declare('The snapshot with its hash.', storedSnapshotSchema),
    handle: async ({ run, params }) => READ.reply(await run(params.runId)),
  }),
];
