import { z } from 'zod';
import * as requests from '../../contracts/approval/requests.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { boundedText } from '../../contracts/kernel/primitives.js';
import { approvalRequired, resumeReply } from '../../domain/approval/deciding/request.js';
import { jsonOf } from '../http/input.js';
import { reply } from '../http/reply.js';
import { resumeRequest } from '../usecases/approval/decide.js';
import { findApproval, openApproval } from '../usecases/approval/open.js';
import {
  claimCheckpoint,
  completeCall,
  finishCheckpoint,
  redeemCall,
  reportMutation,
} from '../usecases/approval/pick-up.js';
import { askedUnder, namingKey } from './replies.js';
import { v1Route, type Route } from './route.js';

const REQUIRED = { body: requests.approvalRequiredSchema } as const;
const byKeySchema = z.object({ request_key: boundedText(LIMITS.requestKeyCharacters).min(1) });
const RESUMED = {
  200: { description: 'The outcome of the request.', body: requests.resumeReplySchema },
} as const;
const REDEEMED = {
  200: {
    description: 'What was approved, or what the call returned.',
    body: requests.redeemedSchema,
  },
} as const;

/** Requests of agents that are not on Temporal, the endpoint that decides about them, and the use of decisions. */
export const APPROVAL_REQUEST_ROUTES: readonly Route[] = [
  v1Route(openApproval, 'POST /approvals', {
    summary: 'Saves tool calls, pauses the task, and says where people decide',
    headers: ['Idempotency-Key'],
    body: jsonOf(requests.openApprovalRequestSchema),
    replies: {
      202: { ...REQUIRED, description: 'People can decide now.', headers: ['Location'] },
    },
    async handle({ run, headers, body }) {
      const key = namingKey(headers['Idempotency-Key'], body);
      const view = await askedUnder(key, body, run);
      const Location = `/v1/approvals/${view.approval_id}`;
      return reply(202, approvalRequired(view), { Location });
    },
  }),
  v1Route(findApproval, 'POST /approvals/by-key', {
    summary: 'Finds the approval that a key of yours has opened',
    body: jsonOf(byKeySchema),
    replies: { 200: { ...REQUIRED, description: 'As it stands now.' } },
    handle: async ({ run, body }) => reply(200, approvalRequired(await run(body.request_key))),
  }),
  v1Route(resumeRequest, 'POST /requests/:requestId/resume', {
    summary: 'Approves or rejects all calls of a request',
    headers: ['Idempotency-Key'],
    body: jsonOf(requests.resumeRequestSchema, { calls: 'partial_decision' }),
    replies: RESUMED,
    handle: async ({ run, params, headers, body }) =>
      reply(200, resumeReply(await run(params.requestId, body, headers['Idempotency-Key']))),
  }),
  v1Route(redeemCall, 'POST /approvals/:approvalId/redeem', {
    summary: 'Redeems an approved call, before it runs',
    body: jsonOf(requests.redeemRequestSchema),
    keyed: true,
    replies: REDEEMED,
    handle: async ({ run, params, body }) => reply(200, await run(params.approvalId, body)),
  }),
  v1Route(reportMutation, 'POST /approvals/:approvalId/mutations', {
    summary: 'Notes that the agent was to run another call than was approved',
    body: jsonOf(requests.mutationRequestSchema),
    keyed: true,
    replies: { 200: { description: 'The log has it.', body: requests.mutationNotedSchema } },
    handle: async ({ run, params, body }) => reply(200, await run(params.approvalId, body)),
  }),
  v1Route(completeCall, 'POST /approvals/:approvalId/complete', {
    summary: 'Records what a redeemed call returned',
    body: jsonOf(requests.completeRequestSchema),
    keyed: true,
    replies: REDEEMED,
    handle: async ({ run, params, body }) => reply(200, await run(params.approvalId, body)),
  }),
  v1Route(claimCheckpoint, 'POST /approvals/:approvalId/checkpoint/claim', {
    summary: 'Claims the checkpoint of an agent that is gone',
    body: jsonOf(requests.claimCheckpointRequestSchema),
    keyed: true,
    replies: {
      200: { description: 'The state that it left.', body: requests.claimedCheckpointSchema },
    },
    handle: async ({ run, params, body }) => reply(200, await run(params.approvalId, body)),
  }),
  v1Route(finishCheckpoint, 'POST /approvals/:approvalId/checkpoint/finish', {
    summary: 'Notes that the agent is back',
    body: jsonOf(requests.finishCheckpointRequestSchema),
    keyed: true,
    replies: { 200: { description: 'It is back.', body: requests.checkpointStateSchema } },
    handle: async ({ run, params, body }) => reply(200, await run(params.approvalId, body.token)),
  }),
];
