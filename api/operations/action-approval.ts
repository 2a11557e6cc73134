import { randomUUID } from 'node:crypto';
import type { IntentEvent } from '../../contracts/event.js';
import type { Refusal } from '../../contracts/problem.js';
import { actionOf, recordedAction, requestOf } from '../../domain/openintent/action-approval.js';
import type {
  ActionApproval,
  ActionStatus,
  AskedAction,
} from '../../domain/openintent/action-approval.js';
import { RefusalError, refusalOf } from '../errors.js';
import { FIRST, READ, START, operations } from './operation.js';
import type { Call } from './operation.js';
import { ADD, addRecord, findRecord } from './records.js';
import { refuseSecrets } from './suspension.js';

/*
 * Approvals as the OpenIntent API has them. They are those of /v1, of the route `human_required` or a stricter one, and
 * whoever approves or denies votes. Before that, an approval was two events of its intent's log: its request and its
 * decision. Those that are there are read and decided as they were.
 */

/** What an approval can be decided by: how it is called, and the event that decides one of before there were votes. */
const VERBS = {
  approve: { action: 'approve', type: 'governance.approval_granted' },
  deny: { action: 'reject', type: 'governance.approval_denied' },
} as const;
type Verb = keyof typeof VERBS;

/** An approval, with the event that asked for it if it is one of before there were votes. */
interface Found {
  readonly approval: ActionApproval;
  readonly request?: IntentEvent;
}

/** The approval of this intent that has this id. Throws 404 `not_found`, and what reads throw. */
async function find(call: Call, intentId: string, approvalId: string): Promise<Found> {
  const read = await call.gateway.readApproval(approvalId).catch((error: unknown) => {
    if (refusalOf(error)?.code !== 'approval_not_found') throw error;
  });
  if (read?.value.intent_id === intentId) return { approval: actionOf(read.value, intentId) };
  const types = ['approval_requested', VERBS.approve.type, VERBS.deny.type] as const;
  const isRequest = ({ id }: IntentEvent): boolean => id === approvalId;
  const isDecision = ({ payload }: IntentEvent): boolean => payload['approval_id'] === approvalId;
  const isWanted = (event: IntentEvent): boolean => isRequest(event) || isDecision(event);
  return findRecord(call, 'Approval', { intentId, types, isWanted }, (events) => {
    const request = events.find(isRequest);
    const decision = events.find(isDecision);
    return request && isRecord(request)
      ? { approval: recordedAction(request, decision), request }
      : undefined;
  });
}

/** Whether an event is itself an approval, and not one that tells of an approval. */
function isRecord({ event_type, payload }: IntentEvent): boolean {
  return event_type === 'approval_requested' && payload['approval_id'] === undefined;
}

/** Votes on the calls as they were proposed first, in the first stage: this API does not say what its sender has seen. */
async function vote(call: Call, intentId: string, id: string, verb: Verb): Promise<ActionApproval> {
  const { action } = VERBS[verb];
  try {
    return actionOf(
      await call.gateway.resumeRequest(call.caller, id, { action, despite_claim: true }),
      intentId,
    );
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code === 'stage_mismatch') throw laterStage(refusal, verb);
    if (refusal?.code !== 'approval_decided') throw error;
    const { approval } = await find(call, intentId, id);
    throw alreadyDecided(approval.status, verb);
  }
}

/** The refusals of this API say in words what would be accepted. */
function laterStage(refusal: Refusal, verb: Verb): RefusalError {
  const elsewhere = `This API votes in the first stage alone: ${verb} in /v1, with the suspension_id that GET /v1/approvals/{id} shows.`;
  return new RefusalError({ ...refusal, detail: `${refusal.detail} ${elsewhere}` });
}

/** Decides one of before there were votes, unless its own asker does. The intent lets only one decision in, and returns it. */
async function decideRecord(call: Call, request: IntentEvent, verb: Verb): Promise<ActionApproval> {
  const { principal } = call.caller;
  if (request.principal === principal) {
    throw new RefusalError({ code: 'not_eligible', detail: 'Who asked does not decide.' });
  }
  const decision_id = randomUUID();
  const payload = { approval_id: request.id, decision_id, decided_by: principal };
  const { type } = VERBS[verb];
  const stored = await addRecord(call, 'decideApproval', request.intent_id, type, payload);
  const approval = recordedAction(request, stored);
  if (stored.payload['decision_id'] === decision_id) return approval;
  throw alreadyDecided(approval.status, verb);
}

function alreadyDecided(status: ActionStatus, verb: Verb): RefusalError {
  const detail = `Approval is already '${status}', cannot ${verb}`;
  return new RefusalError({ code: 'invalid_transition', detail });
}

/** Approvals of actions that agents ask for. */
export const ACTION_APPROVALS = operations({
  requestApproval: {
    resource: 'intent',
    refusals: ['intent_closed', 'secret_refused', ...START],
    intentIn: FIRST,
    async run(call, intentId: string, asked: AskedAction): Promise<ActionApproval> {
      const { action, reason, context, requested_by } = asked;
      await refuseSecrets(call, { action, reason, context, requested_by });
      const request = requestOf(intentId, call.caller.principal, asked);
      const view = await call.gateway.openApproval(call.caller, request, { action, reason });
      return actionOf(view, intentId);
    },
  },
  getApproval: {
    resource: 'intent',
    refusals: ['not_found', ...READ],
    intentIn: FIRST,
    run: async (call, intentId: string, approvalId: string) =>
      (await find(call, intentId, approvalId)).approval,
  },
  /** A vote on the open question. */
  decideApproval: {
    resource: 'intent',
    refusals: [
      'not_found',
      'invalid_transition',
      'not_eligible',
      'stage_mismatch',
      'already_voted',
      'proposal_hash_mismatch',
      ...ADD,
    ],
    async run(call, intentId: string, approvalId: string, verb: Verb): Promise<ActionApproval> {
      const { approval, request } = await find(call, intentId, approvalId);
      if (approval.status !== 'pending') throw alreadyDecided(approval.status, verb);
      if (request) return decideRecord(call, request, verb);
      return vote(call, intentId, approvalId, verb);
    },
  },
});
