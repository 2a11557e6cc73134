import { z } from 'zod';
import { approvalViewSchema } from '../../contracts/approval/approval.js';
import { runEventSchema, runReportSchema } from '../../contracts/intent/event.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { writtenSchema } from '../../contracts/kernel/primitives.js';
import { storedSnapshotSchema } from '../../contracts/approval/snapshot.js';
import { jsonOf } from '../http/input.js';
import { approvalPageSchema, pageSchema, waitQuerySchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import {
  latestSnapshot,
  listApprovals,
  listRunEvents,
  readApproval,
  verifyRunEvents,
  waitForApproval,
} from '../usecases/approval/read.js';
import { withdrawApproval } from '../usecases/approval/decide.js';
import { PAGE, READ } from './replies.js';
import { v1Route, type Route } from './route.js';

const VIEW = READ.declare('The approval as it stands.', approvalViewSchema);
const WITHDRAWAL = z.object({ reason: writtenSchema(LIMITS.questionCharacters).optional() });

export const APPROVAL_ROUTES: readonly Route[] = [
  v1Route(listApprovals, 'GET /approvals', {
    summary: 'Lists approvals, newest first; agents and users see their own',
    query: approvalPageSchema,
    replies: PAGE.declare('approvals', approvalViewSchema),
    handle: async ({ run, query }) => PAGE.reply('approvals', await run(query), query),
  }),
  v1Route(readApproval, 'GET /approvals/:approvalId', {
    summary: 'Reads an approval',
    replies: VIEW,
    handle: async ({ run, params }) => READ.reply(await run(params.approvalId)),
  }),
  v1Route(waitForApproval, 'GET /approvals/:approvalId/wait', {
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
  v1Route(withdrawApproval, 'POST /approvals/:approvalId/withdraw', {
    summary: 'Withdraws an approval with its open question; for its asker, or an admin',
    body: jsonOf(WITHDRAWAL),
    keyed: true,
    replies: { 200: { description: 'The cancelled approval.', body: approvalViewSchema } },
    handle: async ({ run, params, body }) => reply(200, await run(params.approvalId, body.reason)),
  }),
];

/** The records of a run: events of its approvals, and snapshots of agents. */
export const RUN_ROUTES: readonly Route[] = [
  v1Route(listRunEvents, 'GET /runs/:runId/events', {
    summary: 'Reads the events of approvals in the log of a run, newest first',
    query: pageSchema,
    replies: PAGE.declare('events', runEventSchema, 'A page of the log.'),
    handle: async ({ run, params, query }) =>
      PAGE.reply('events', await run(params.runId, query), query),
  }),
  v1Route(verifyRunEvents, 'GET /runs/:runId/events/verify', {
    summary: 'Checks that the log of a run is what was recorded',
    replies: READ.declare('What was found.', runReportSchema),
    handle: async ({ run, params }) => READ.reply(await run(params.runId)),
  }),
  v1Route(latestSnapshot, 'GET /runs/:runId/snapshots/latest', {
    summary: 'Reads the state that an agent saved when it last waited; for admins and auditors',
    replies: READ.declare('The snapshot with its hash.', storedSnapshotSchema),
    handle: async ({ run, params }) => READ.reply(await run(params.runId)),
  }),
];
