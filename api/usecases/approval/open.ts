import type { AgentCheckpoint, OpenApprovalRequest } from '../../../contracts/approval/requests.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { warningsIn } from '../../../domain/approval/asking/approver-people.js';
import { checkActsFor, type NamedUsers } from '../../../domain/approval/asking/initiator.js';
import { openingAt } from '../../../domain/approval/asking/opening.js';
import { checkOpen } from '../../../domain/intent/entity.js';
import { checkFieldSizes } from '../../../domain/kernel/ruling.js';
import { toInstant } from '../../../domain/kernel/time.js';
import type { AskedAction } from '../../../domain/openintent/action-approval.js';
import {
  standingUpdate,
  type ApprovalInput,
  type RedeemTerms,
} from '../../../workflows/approval/messages.js';
import { approvalAttributes } from '../../../workflows/engine/search-attributes.js';
import { demand, refusalOf } from '../../errors.js';
import { actorOf, type Caller } from '../../parts/caller.js';
import { demandNotRemoved, logStartOf, type Creation } from '../../parts/calls/once.js';
import type { Parts } from '../../parts/index.js';
import { referenced, refused, requestKeyReused } from '../../parts/refusals.js';
import { IN_BODY, START, refuseSecrets, useCase, type Call } from '../usecase.js';
import { approvalOf, standingAfter, standingOf } from './standing.js';

type OpenedApproval = ApprovalView & { readonly warnings?: readonly string[] };

/** The name in the intent's log of an approval that the OpenIntent API opens. */
type LoggedAction = Pick<AskedAction, 'action' | 'reason'>;

/**
 * Opens an approval for an agent that is not on Temporal, once per `request_key`, and resolves once people can
 * answer. Throws `forbidden` besides if the key does not act for the user. After `workflow_unavailable` it may be
 * open.
 */
export const openApproval = useCase({
  name: 'openApproval',
  resource: 'approval',
  refusals: [
    'intent_not_found',
    'intent_closed',
    'invalid_response_schema',
    'unknown_principal',
    'secret_refused',
    'request_key_reused',
    'removed_by_retention',
    ...START,
  ],
  intentIn: IN_BODY,
  async run(call: Call, request: OpenApprovalRequest): Promise<OpenedApproval> {
    const { prompt, visible_context, calls, response_schema } = request;
    await refuseSecrets(call, { prompt, visible_context, calls, response_schema });
    return opened(call, request);
  },
});

/** Finds the approval that the caller has opened under a key. */
export const findApproval = useCase({
  name: 'findApproval',
  resource: 'approval',
  refusals: ['approval_not_found', ...START],
  async run({ caller, parts }: Call, requestKey: string): Promise<ApprovalView> {
    const found = await known(parts, parts.creationOf('approval', caller, requestKey, {}));
    if (found !== undefined) return found;
    throw refused('approval_not_found', 'No approval has been opened under this key.', {
      field: 'request_key',
    });
  },
});

/**
 * Opens an approval, or finds the one that was opened under its key.
 * @param logged - for the OpenIntent API: nobody redeems it, and its end is in the log under its action
 */
export async function opened(
  call: Call,
  request: OpenApprovalRequest,
  logged?: LoggedAction,
): Promise<OpenedApproval> {
  const { caller, parts } = call;
  const { on_behalf_of, decider, intent_id, request_key } = request;
  demandActsFor(caller, on_behalf_of, 'on_behalf_of');
  demandActsFor(caller, decider, 'decider');
  const creation = parts.creationOf('approval', caller, request_key, comparable(request));
  const earlier = request_key === undefined ? undefined : await known(parts, creation);
  if (intent_id !== undefined && !earlier) await demandIntent(parts, intent_id);
  const view = earlier
    ? await answerable(parts, earlier)
    : await startNew(call, request, creation, logged);
  if (logged) {
    await standingAfter(parts, view.approval_id, { logged: true });
    if (view.intent_id !== null) parts.consistency.touch(view.intent_id);
  }
  const stored = view.redemption?.request_hash ?? undefined;
  if (stored === creation.creation_hash) return view;
  throw requestKeyReused('approval', 'the calls');
}

/**
 * Returns an approval once people can answer, or nobody has to. The question of a pending one may not take answers
 * yet.
 */
async function answerable(parts: Parts, approval: ApprovalView): Promise<ApprovalView> {
  return approval.status === 'pending' ? standingOf(parts, approval.approval_id) : approval;
}

/** A user may always ask for itself. */
function demandActsFor(
  { principal, acts_for = [] }: Caller,
  user: string | undefined,
  field: keyof NamedUsers,
): void {
  if (user !== principal) demand(checkActsFor(acts_for, user, field));
}

/** Demands that the key acts for the user; a user may always ask for itself. */
async function demandIntent({ reads }: Parts, intentId: string): Promise<void> {
  const { value: intent } = await referenced('intent_id', reads.getIntent(intentId));
  demand(checkOpen(intent));
}

/** Returns what is compared under a key: the calls, and in whose name they run. Their presentation may differ. */
function comparable(request: OpenApprovalRequest): object {
  const { run_id, kind, calls, on_behalf_of, decider, intent_id } = request;
  const proposed = calls.map(({ id, tool, arguments: given }) => ({ id, tool, arguments: given }));
  return { run_id, kind, calls: proposed, on_behalf_of, ...(decider && { decider }), intent_id };
}

/** Returns the ids that a key can create, also under former id secrets. */
function idsOf({ id, retired }: Creation): readonly string[] {
  return [id, ...retired.map(({ id: former }) => former)];
}

async function known(
  { readApproval }: Parts,
  creation: Creation,
): Promise<ApprovalView | undefined> {
  for (const id of idsOf(creation)) {
    const found = await readApproval(id).catch(unlessMissing);
    if (found !== undefined) return found.value;
  }
  return undefined;
}

/** Takes a missing approval for a new key; throws any other error. */
function unlessMissing(error: unknown): undefined {
  if (refusalOf(error)?.code !== 'approval_not_found') throw error;
}

/** Starts an approval with a new key, and waits until people can answer. Throws `removed_by_retention`. */
async function startNew(
  { caller, parts }: Call,
  request: OpenApprovalRequest,
  creation: Creation,
  logged: LoggedAction | undefined,
): Promise<OpenedApproval> {
  if (request.request_key !== undefined) {
    for (const id of idsOf(creation)) {
      await demandNotRemoved(parts.fromStore, 'approval', id, 'request_key');
    }
  }
  const { id, workflowId } = creation;
  const input = inputOf(parts, caller, request, creation, logged);
  const attributes = [...approvalAttributes(input)];
  const opening = { workflowId, input, summary: input.proposal.prompt, attributes };
  const view = await approvalOf(
    parts,
    id,
    await parts.temporal.open('approval', opening, standingUpdate, {}),
  );
  parts.writtenApprovals.touch(id, 'there');
  const warnings = input.plan ? warningsIn(input.plan) : [];
  return warnings.length > 0 ? { ...view, warnings } : view;
}

/** Builds the input of the workflow. */
function inputOf(
  parts: Parts,
  caller: Caller,
  request: OpenApprovalRequest,
  creation: Creation,
  logged: LoggedAction | undefined,
): ApprovalInput {
  const { config, clock, people, telling } = parts;
  const { calls, checkpoint: _left, request_key: _key, intent_id = null, ...rest } = request;
  const why = logged?.reason ? { reason: logged.reason } : {};
  const ask = { ...rest, ...why, calls, approval_id: creation.id, agent: caller.principal };
  const opening = demand(openingAt(ask, { config, people: people(), telling: telling() }));
  const { creation_hash: _hash, ...log } = logStartOf(creation);
  const asked_as = actorOf(caller);
  return {
    ...opening,
    ...log,
    asked_by: caller.principal,
    ...(asked_as !== caller.principal && { asked_as }),
    asked_at: toInstant(clock.now()),
    intent_id,
    ...(logged ? { action: logged.action } : { redeemable: termsOf(parts, request, creation) }),
  };
}

function termsOf(
  parts: Parts,
  { checkpoint }: OpenApprovalRequest,
  { id, creation_hash }: Creation,
): RedeemTerms {
  return {
    within_seconds: parts.config.approvals.redeem_within_seconds,
    ...(creation_hash !== undefined && { request_hash: creation_hash }),
    ...(checkpoint && { sealed: sealed(parts, checkpoint, id) }),
  };
}

function sealed({ agentStates }: Parts, { schema_version, state }: AgentCheckpoint, id: string) {
  demand(checkFieldSizes({ checkpoint: state }, LIMITS.agentCheckpointBytes));
  return { schema_version, content: agentStates.seal(state, id) };
}
