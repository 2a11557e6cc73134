import { z } from 'zod';
import { defined } from '../../contracts/constants/defined.js';
import { nameSchema } from '../../contracts/kernel/primitives.js';
import type { ActionApproval } from '../../domain/openintent/action-approval.js';
import type { Binding } from '../http/route.js';
import { decideApproval, getApproval, requestApproval } from '../usecases/approval/action.js';
import {
  listEscalations,
  listIntentDecisions,
  recordIntentDecision,
  requestArbitration,
  requestEscalation,
  resolveEscalation,
  type Escalation,
} from '../usecases/record/records.js';
import { openIntentRoute } from './route.js';
import { idSchema, optionalName, optionalObject, wordsSchema } from './schemas.js';
import { naiveTime, recordOf } from './wire.js';

const decisionSchema = z.object({
  decision_type: nameSchema,
  outcome: wordsSchema,
  reasoning: wordsSchema.nullish().transform((reasoning) => reasoning ?? ''),
});
const arbitrationSchema = z.object({ reason: wordsSchema, context: optionalObject });

export const DECISION_ROUTES: readonly Binding[] = [
  openIntentRoute(recordIntentDecision, 'POST /intents/:intentId/decisions', {
    body: decisionSchema,
    handle: async ({ run, id, body }) => recordOf(await run(id('intentId'), body)),
  }),
  openIntentRoute(listIntentDecisions, 'GET /intents/:intentId/decisions', {
    handle: async ({ run, id }) => ({ decisions: (await run(id('intentId'))).map(recordOf) }),
  }),
  openIntentRoute(requestArbitration, 'POST /intents/:intentId/arbitrate', {
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
  openIntentRoute(requestEscalation, 'POST /intents/:intentId/escalations', {
    body: escalationSchema,
    handle: async ({ run, id, body }) => wireEscalation(await run(id('intentId'), defined(body))),
  }),
  openIntentRoute(listEscalations, 'GET /escalations', {
    query: listQuery,
    async handle({ run, query: { intent_id, status } }) {
      const escalations = (await run(intent_id)).map(wireEscalation);
      return {
        escalations: escalations.filter((one) => status === undefined || one.status === status),
      };
    },
  }),
  openIntentRoute(resolveEscalation, 'POST /escalations/:escalationId/resolve', {
    body: resolutionSchema,
    async handle({ run, id, body: { resolution, notes, resolved_by } }) {
      const resolved = { resolution, resolved_by, resolution_notes: notes || undefined };
      return wireEscalation(await run(id('escalationId'), defined(resolved)));
    },
  }),
];

const approvalSchema = z.object({
  action: nameSchema,
  reason: wordsSchema.nullish().transform((reason) => reason ?? ''),
  context: optionalObject,
  requested_by: optionalName,
});

function wireApproval({ decided_at, created_at, ...approval }: ActionApproval) {
  return {
    ...approval,
    created_at: naiveTime(created_at),
    ...(decided_at !== undefined && { decided_at: naiveTime(decided_at) }),
  };
}

/** Approvals that agents ask for. Each is one of `/v1`; to approve or deny one is a vote. */
export const APPROVAL_ROUTES: readonly Binding[] = [
  openIntentRoute(decideApproval, 'POST /intents/:intentId/approvals/:recordId/approve', {
    handle: async ({ run, id }) =>
      wireApproval(await run(id('intentId'), id('recordId'), 'approve')),
  }),
  openIntentRoute(decideApproval, 'POST /intents/:intentId/approvals/:recordId/deny', {
    handle: async ({ run, id }) => wireApproval(await run(id('intentId'), id('recordId'), 'deny')),
  }),
  openIntentRoute(requestApproval, 'POST /intents/:intentId/approvals', {
    body: approvalSchema,
    handle: async ({ run, id, body }) => wireApproval(await run(id('intentId'), body)),
  }),
  openIntentRoute(getApproval, 'GET /intents/:intentId/approvals/:recordId', {
    handle: async ({ run, id }) => wireApproval(await run(id('intentId'), id('recordId'))),
  }),
];
