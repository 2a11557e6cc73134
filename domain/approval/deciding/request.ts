import type {
  AgentTaskItem,
  ApprovalRequired,
  ResumeReply,
  ResumeRequest,
} from '../../../contracts/approval/requests.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import {
  REQUEST_ACTIONS,
  type ApprovalAnswer,
  type TaskItemStatus,
} from '../../../contracts/constants/approvals.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { aboutAnother, isAboutOpen, type AskedApproval } from './meant-question.js';
import { defined } from '../../../contracts/constants/defined.js';
import type { Caller } from '../../../contracts/people/caller.js';
import { authorize } from '../../policy/authorize.js';

/** A decision about a request, converted to an answer to the open question. */
export interface RequestDecision {
  readonly value: ApprovalAnswer;
  readonly proposal_hash: string;
}

/** The address for a decision about a request. A GET decides nothing, so link previews do not either. */
function resumeUrl(requestId: string): string {
  return `/v1/requests/${requestId}/resume`;
}

/**
 * Returns the task that an approval has paused, with its calls.
 *
 * @param isRedeemed - whether each of its calls has run
 */
export function taskItemOf(view: ApprovalView, isRedeemed = false): AgentTaskItem {
  const { approval_id, proposal } = view;
  return {
    run_id: proposal.run_id,
    request_id: approval_id,
    status: taskStatus(view, isRedeemed),
    tool_calls: proposal.calls,
  };
}

function taskStatus({ status }: ApprovalView, isRedeemed: boolean): TaskItemStatus {
  if (status === 'pending') return 'paused';
  if (status !== 'approved') return 'cancelled';
  return isRedeemed ? 'completed' : 'approved';
}

/** The data that an agent's client can show to a person: the waiting calls, and where to decide. */
export function approvalRequired(
  view: ApprovalView & Pick<ApprovalRequired, 'warnings'>,
): ApprovalRequired {
  const { status, response_schema, suspension_id, warnings } = view;
  const isPending = status === 'pending';
  const schema = isPending && response_schema && { response_schema };
  const question = isPending && suspension_id !== null && { suspension_id };
  return {
    ...common(view),
    status: isPending ? 'suspended' : status,
    url: resumeUrl(view.approval_id),
    allowed_actions: isPending ? REQUEST_ACTIONS : [],
    ...question,
    ...schema,
    ...defined({ warnings }),
  };
}

export function resumeReply(view: ApprovalView): ResumeReply {
  return { ...common(view), status: view.status, message: MESSAGES[view.status] };
}

const MESSAGES: Readonly<Record<ApprovalView['status'], string>> = {
  pending: 'The decision counts. More people have to decide.',
  approved: 'All calls of the request are approved. The task goes on from them.',
  rejected: 'All calls of the request are rejected. The task is cancelled.',
  expired: 'Nobody decided in time. The task is cancelled.',
  cancelled: 'The request was withdrawn. The task is cancelled.',
  failed: 'What was to run is not what was approved. The task is cancelled.',
};

function common(view: ApprovalView) {
  const { approval_id: request_id, proposal, proposal_hash } = view;
  return { request_id, kind: proposal.kind, task: taskItemOf(view), proposal_hash };
}

/**
 * Judges a decision about a request before it is sent to the open question. Refuses `partial_decision` for some of
 * the calls, `invalid_request` for another kind, `approval_decided` with the decision, and `stage_mismatch` for
 * another question. A decision on edited calls names their hash.
 *
 * @param voter - the principal whose key sent the decision
 */
export function judgeDecision(
  view: AskedApproval,
  request: ResumeRequest,
  voter?: string,
): Ruling<RequestDecision> {
  const { status, proposal, resolution } = view;
  const { kind = proposal.kind, calls } = request;
  const all = proposal.calls.map(({ id }) => id);
  if (calls !== undefined && !isSameSet(calls, all)) {
    return refuse('partial_decision', 'A decision is for all calls of the request.', {
      field: 'calls',
      accepted: 'all calls of the request, or nothing',
      state: { calls: all },
    });
  }
  if (kind !== proposal.kind) {
    const detail = `The request is of the kind ${proposal.kind}.`;
    return refuse('invalid_request', detail, { field: 'kind', accepted: proposal.kind });
  }
  if (status !== 'pending') {
    const { respondent, resolved_at } = resolution ?? {};
    return refuse('approval_decided', `The request is decided: ${status}.`, {
      state: { status, ...defined({ respondent, resolved_at }) },
    });
  }
  if (!isAboutOpen(view, request)) return aboutAnother(view, request, voter);
  return ok(decisionIn(view, request));
}

/** Returns the decision in a request, whatever the approval's status. Without a hash it is for the first version. */
export function decisionIn(
  { proposed_hash }: Pick<ApprovalView, 'proposed_hash'>,
  { action, proposal_hash = proposed_hash }: ResumeRequest,
): RequestDecision {
  return { value: action === 'approve' ? 'approved' : 'rejected', proposal_hash };
}

function isSameSet(some: readonly string[], all: readonly string[]): boolean {
  return some.length === all.length && all.every((id) => some.includes(id));
}

/** Judges who may withdraw an approval: the asker or an admin. Refuses `forbidden`. */
export function mayWithdraw(
  by: Caller,
  { asked_by }: Pick<ApprovalView, 'asked_by'>,
): Ruling<true> {
  return authorize(by, 'withdrawApproval', { asker: asked_by });
}

export type PickUp =
  'redeemCall' | 'completeCall' | 'claimCheckpoint' | 'finishCheckpoint' | 'reportMutation';

/** Judges who may redeem a decision: the asker or an admin. Refuses `forbidden`. */
export function mayPickUp(
  by: Caller,
  action: PickUp,
  { asked_by }: Pick<ApprovalView, 'asked_by'>,
): Ruling<true> {
  return authorize(by, action, { asker: asked_by });
}

/** Refuses messages after the end with `approval_decided`; the state says how the approval ended. */
export function checkUndecided({ status, resolution }: ApprovalView): Ruling<true> {
  if (resolution === undefined) return ok(true);
  const { respondent, resolved_at } = resolution;
  return refuse('approval_decided', `The approval is ${status}.`, {
    state: { status, resolved_at, ...defined({ respondent }) },
  });
}
