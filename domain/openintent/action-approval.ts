import type { OpenApprovalRequest } from '../../contracts/approval/requests.js';
import type {
  ApprovalResolution,
  ApprovalView,
  Proposal,
} from '../../contracts/approval/approval.js';
import { AUTO_APPROVER, type ApprovalStatus } from '../../contracts/constants/approvals.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { defined } from '../../contracts/constants/defined.js';
import { textIn } from '../kernel/json.js';

/** An action for which an agent asks for approval, in the form of the OpenIntent API (RFC-0013). */
export interface AskedAction {
  readonly action: string;
  readonly reason: string;
  readonly context: JsonObject;
  /** The agent's own name for itself; it gives no permissions. */
  readonly requested_by?: string | undefined;
}

/** The status of such an approval in the words of the OpenIntent SDK. */
export type ActionStatus = 'pending' | 'approved' | 'denied' | 'expired';

export interface ActionApproval extends AskedAction {
  readonly id: string;
  readonly intent_id: string;
  readonly requested_by: string;
  readonly status: ActionStatus;
  readonly created_at: string;
  /** Present once it has ended; null if neither a person nor a rule decided. */
  readonly decided_at?: string;
  readonly decided_by?: string | null;
  /** The decider's comment, or the reason why nobody decided. */
  readonly decision_notes?: string;
}

const CALL_ID = 'action';

/**
 * Converts the action into a call for the rules. A person always decides: a rule that allows the call leads to
 * `human_required`.
 *
 * @param agent - the principal that asks
 */
export function requestOf(
  intent_id: string,
  agent: string,
  { action, reason, context, requested_by }: AskedAction,
): OpenApprovalRequest {
  const claimed = { requires_approval: true, route: 'human_required' } as const;
  return {
    run_id: intent_id,
    intent_id,
    turn_index: 0,
    kind: 'tool_approval',
    calls: [{ id: CALL_ID, tool: action, arguments: context, claimed }],
    prompt: `May ${agent} do this: ${action}?`,
    visible_context: {
      ...(reason !== '' && { reason }),
      ...defined({ requested_by }),
    },
  };
}

/** An approval of an intent in OpenIntent's form, whichever API opened it. */
export function actionOf(view: ApprovalView, intent_id: string): ActionApproval {
  const { approval_id, proposal, created_at, status, resolution } = view;
  const { calls, kind, visible_context } = proposal;
  const [only, ...others] = calls;
  const all = calls.map(({ id, tool, arguments: given }) => ({ id, tool, arguments: given }));
  return {
    id: approval_id,
    intent_id,
    requested_by: requestedBy(proposal, view),
    action: calls.map(({ tool }) => tool).join(', ') || kind,
    reason: textIn(visible_context, 'reason') ?? '',
    context: only && others.length === 0 ? only.arguments : { calls: all },
    status: actionStatus(status),
    created_at,
    ...(resolution && endOf(resolution)),
  };
}

function endOf(
  resolution: ApprovalResolution,
): Pick<ActionApproval, 'decided_at' | 'decided_by' | 'decision_notes'> {
  const { resolved_at, comment, reason } = resolution;
  const notes = comment ?? reason;
  return {
    decided_at: resolved_at,
    decided_by: deciderOf(resolution) ?? null,
    ...defined({ decision_notes: notes }),
  };
}

export function requestedBy(
  { visible_context }: Pick<Proposal, 'visible_context'>,
  { asked_by }: Pick<ApprovalView, 'asked_by'>,
): string {
  return textIn(visible_context, 'requested_by') ?? asked_by;
}

/** The decider: a person or a rule. Undefined if it was withdrawn or has expired. */
export function deciderOf({
  by,
  respondent,
}: Pick<ApprovalResolution, 'by' | 'respondent'>): string | undefined {
  return by === 'policy' ? AUTO_APPROVER : respondent;
}

/** The SDK has no status for withdrawn or changed actions; they count as not approved. */
export function actionStatus(status: ApprovalStatus): ActionStatus {
  return STATUSES[status];
}

const STATUSES: Readonly<Record<ApprovalStatus, ActionStatus>> = {
  pending: 'pending',
  approved: 'approved',
  rejected: 'denied',
  expired: 'expired',
  cancelled: 'denied',
  failed: 'denied',
};
