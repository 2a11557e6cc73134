import { z } from 'zod';
import { nameSchema } from '../../contracts/primitives.js';
import type { ActionApproval } from '../../domain/openintent/action-approval.js';
import type { Binding } from '../http/route.js';
import { ACTION_APPROVALS } from '../operations/action-approval.js';
import { DECISIONS, ESCALATIONS } from '../operations/records.js';
import type { Escalation } from '../operations/records.js';
import { openIntentRoute } from './route.js';
import { idSchema, optionalName, optionalObject, wordsSchema } from './schemas.js';
import { naiveTime, recordOf } from './wire.js';

const decisionSchema = z.object({
  decision_type: nameSchema,
  outcome: wordsSchema,
  reasoning: wordsSchema.nullish().transform((reasoning) => reasoning ?? ''),
});
const arbitrationSchema = z.object({ reason: wordsSchema, context: optionalObject });

/** Decisions made for an intent, and requests to arbitrate. */
export const DECISION_ROUTES: readonly Binding[] = [
  openIntentRoute(DECISIONS.recordIntentDecision, {
    method: 'post',
    path: '/intents/:intentId/decisions',
    body: decisionSchema,
    handle: async ({ run, id, body }) => recordOf(await run(id('intentId'), body)),
  }),
  openIntentRoute(DECISIONS.listIntentDecisions, {
    method: 'get',
    path: '/intents/:intentId/decisions',
    handle: async ({ run, id }) => ({ decisions: (await run(id('intentId'))).map(recordOf) }),
  }),
  openIntentRoute(DECISIONS.requestArbitration, {
    method: 'post',
    path: '/intents/:intentId/arbitrate',
    body: arbitrationSchema,
    handle: async ({ run, id, body }) => recordOf(await run(id('intentId'), body)),
  }),
];

const escalationSchema = z.object({
  reason: wordsSchema,
  priority: nameSchema.default('medium'),
  urgency: nameSchema.default('medium'),
  context: optionalObject,
  escalated_by: optionalName,
});
const resolutionSchema = z.object({
  resolution: wordsSchema,
  notes: wordsSchema.nullish(),
  resolved_by: optionalName,
});
const listQuery = z.object({ intent_id: idSchema.optional(), status: idSchema.optional() });

/** An escalation as the SDK parses it. */
function wireEscalation({ id, request, resolution }: Escalation) {
  const { intent_id } = request;
  const asked = recordOf(request);
  if (resolution === undefined) return { ...asked, id, intent_id, status: 'pending' };
  const { escalation_id: _id, ...resolved } = resolution.payload;
  const resolved_at = naiveTime(resolution.created_at);
  return { ...asked, ...resolved, id, intent_id, status: 'resolved', resolved_at };
}

/** Escalations to people; they are resolved by their id alone. */
export const ESCALATION_ROUTES: readonly Binding[] = [
  openIntentRoute(ESCALATIONS.requestEscalation, {
    method: 'post',
    path: '/intents/:intentId/escalations',
    body: escalationSchema,
    async handle({ run, id, body: { escalated_by, ...asked } }) {
      const request = { ...asked, ...(escalated_by && { escalated_by }) };
      return wireEscalation(await run(id('intentId'), request));
    },
  }),
  openIntentRoute(ESCALATIONS.listEscalations, {
    method: 'get',
    path: '/escalations',
    query: listQuery,
    async handle({ run, query: { intent_id, status } }) {
      const escalations = (await run(intent_id)).map(wireEscalation);
      return {
        escalations: escalations.filter((one) => status === undefined || one.status === status),
      };
    },
  }),
  openIntentRoute(ESCALATIONS.resolveEscalation, {
    method: 'post',
    path: '/escalations/:escalationId/resolve',
    body: resolutionSchema,
    async handle({ run, id, body: { resolution, notes, resolved_by } }) {
      const resolved = {
        resolution,
        ...(resolved_by && { resolved_by }),
        ...(notes && { resolution_notes: notes }),
      };
      return wireEscalation(await run(id('escalationId'), resolved));
    },
  }),
];

const APPROVAL = '/intents/:intentId/approvals/:recordId';
const approvalSchema = z.object({
  action: nameSchema,
  reason: wordsSchema.nullish().transform((reason) => reason ?? ''),
  context: optionalObject,
  requested_by: optionalName,
});

/** An approval as the SDK parses it. */
function wireApproval({ decided_at, created_at, ...approval }: ActionApproval) {
  return {
    ...approval,
    created_at: naiveTime(created_at),
    ...(decided_at !== undefined && { decided_at: naiveTime(decided_at) }),
  };
}

/** Approvals that agents ask for. Each is one of `/v1`; whoever approves or denies one votes. */
export const APPROVAL_ROUTES: readonly Binding[] = [
  openIntentRoute(ACTION_APPROVALS.decideApproval, {
    method: 'post',
    path: `${APPROVAL}/approve`,
    handle: async ({ run, id }) =>
      wireApproval(await run(id('intentId'), id('recordId'), 'approve')),
  }),
  openIntentRoute(ACTION_APPROVALS.decideApproval, {
    method: 'post',
    path: `${APPROVAL}/deny`,
    handle: async ({ run, id }) => wireApproval(await run(id('intentId'), id('recordId'), 'deny')),
  }),
  openIntentRoute(ACTION_APPROVALS.requestApproval, {
    method: 'post',
    path: '/intents/:intentId/approvals',
    body: approvalSchema,
    handle: async ({ run, id, body }) => wireApproval(await run(id('intentId'), body)),
  }),
  openIntentRoute(ACTION_APPROVALS.getApproval, {
    method: 'get',
    path: APPROVAL,
    handle: async ({ run, id }) => wireApproval(await run(id('intentId'), id('recordId'))),
  }),
];
