import type { Request } from 'express';
import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/event.js';
import { jsonObjectSchema, nameSchema } from '../../contracts/primitives.js';
import { RefusalError } from '../errors.js';
import { newId, recordOf } from './records.js';
import type { Records, WireRecord } from './records.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { optionalName } from './schemas.js';
import { naiveTime } from './wire.js';

const VERBS = {
  approve: { type: 'governance.approval_granted', status: 'approved' },
  deny: { type: 'governance.approval_denied', status: 'denied' },
} as const;
type Verb = keyof typeof VERBS;

const APPROVAL = '/intents/:intentId/approvals/:approvalId';
const DECIDED = [VERBS.approve.type, VERBS.deny.type] as const;
const text = z.string().max(LIMITS.textCharacters);
const approvalSchema = z.object({
  action: nameSchema,
  reason: text.nullish().transform((reason) => reason ?? ''),
  context: jsonObjectSchema.nullish().transform((context) => context ?? {}),
  requested_by: optionalName,
});

function statusOf({ event_type }: IntentEvent): string {
  return event_type === VERBS.approve.type ? VERBS.approve.status : VERBS.deny.status;
}

/** An approval as its request and its decision make it. */
function approvalOf(request: IntentEvent, decision: IntentEvent | undefined): WireRecord {
  if (decision === undefined) return { ...recordOf(request), status: 'pending' };
  return {
    ...recordOf(request),
    status: statusOf(decision),
    decided_at: naiveTime(decision.created_at),
    decided_by: decision.payload['decided_by'] ?? null,
  };
}

function decidedAlready(status: string, verb: Verb): RefusalError {
  const detail = `Approval is already '${status}', cannot ${verb}`;
  return new RefusalError({ code: 'invalid_transition', detail });
}

function find(records: Records, intentId: string, approvalId: string) {
  const types = ['approval_requested', ...DECIDED] as const;
  return records.find('Approval', intentId, types, (events) => {
    const request = events.find(
      (event) => event.event_type === 'approval_requested' && event.id === approvalId,
    );
    const decision = events.find(({ payload }) => payload['approval_id'] === approvalId);
    return request && { request, decision };
  });
}

/** The intent itself lets only one decision in; what it gives back tells which. */
async function decide(records: Records, req: Request, intentId: string, verb: Verb) {
  const caller = openIntentCaller(req);
  const { request, decision } = await find(records, intentId, String(req.params['approvalId']));
  const decision_id = newId();
  const mine = { approval_id: request.id, decision_id, decided_by: caller.principal };
  const stored = decision ?? (await records.add(caller, intentId, VERBS[verb].type, mine));
  if (stored.payload['decision_id'] === decision_id) return approvalOf(request, stored);
  throw decidedAlready(statusOf(stored), verb);
}

/** Approvals that agents ask for (§7); an operator's key alone decides one, and only once. */
export function approvalRoutes(records: Records): readonly OpenIntentRoute[] {
  const verbs = (['approve', 'deny'] as const).map((verb) =>
    openIntentRoute({
      method: 'post',
      path: `${APPROVAL}/${verb}`,
      access: 'operator',
      handle: ({ req, id }) => decide(records, req, id('intentId'), verb),
    }),
  );
  return [
    ...verbs,
    openIntentRoute({
      method: 'post',
      path: '/intents/:intentId/approvals',
      access: 'agent',
      body: approvalSchema,
      async handle({ req, id, body }) {
        const caller = openIntentCaller(req);
        const asked = { ...body, requested_by: body.requested_by ?? caller.principal };
        const event = await records.add(caller, id('intentId'), 'approval_requested', asked);
        return approvalOf(event, undefined);
      },
    }),
    openIntentRoute({
      method: 'get',
      path: APPROVAL,
      access: 'any',
      async handle({ req, id }) {
        const approvalId = String(req.params['approvalId']);
        const { request, decision } = await find(records, id('intentId'), approvalId);
        return approvalOf(request, decision);
      },
    }),
  ];
}
