import { z } from 'zod';
import { nameSchema } from '../../contracts/primitives.js';
import type { Binding } from '../http/route.js';
import { APPROVALS, DECISIONS, ESCALATIONS } from '../operations/records.js';
import type { Approval, Escalation } from '../operations/records.js';
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
function wireApproval({ request, decision, status }: Approval) {
  if (decision === undefined) return { ...recordOf(request), status };
  return {
    ...recordOf(request),
    status,
    decided_at: naiveTime(decision.created_at),
    decided_by: decision.payload['decided_by'] ?? null,
  };
}

/** Approvals that agents ask for; an operator's key alone decides one, and only once. */
export const APPROVAL_ROUTES: readonly Binding[] = [
  openIntentRoute(APPROVALS.decideApproval, {
    method: 'post',
    path: `${APPROVAL}/approve`,
    handle: async ({ run, id }) =>
      wireApproval(await run(id('intentId'), id('recordId'), 'approve')),
  }),
  openIntentRoute(APPROVALS.decideApproval, {
    method: 'post',
    path: `${APPROVAL}/deny`,
    handle: async ({ run, id }) => wireApproval(await run(id('intentId'), id('recordId'), 'deny')),
  }),
  openIntentRoute(APPROVALS.requestApproval, {
    method: 'post',
    path: '/intents/:intentId/approvals',
    body: approvalSchema,
    async handle({ run, id, body: { requested_by, ...asked } }) {
      const request = { ...asked, ...(requested_by && { requested_by }) };
      return wireApproval(await run(id('intentId'), request));
    },
  }),
  openIntentRoute(APPROVALS.getApproval, {
    method: 'get',
    path: APPROVAL,
    handle: async ({ run, id }) => wireApproval(await run(id('intentId'), id('recordId'))),
  }),
];
