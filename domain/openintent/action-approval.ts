import type { OpenApprovalRequest } from '../../contracts/approval-requests.js';
import type { ApprovalResolution, ApprovalView, Proposal } from '../../contracts/approval.js';
import { AUTO_APPROVER } from '../../contracts/constants/approvals.js';
import type { ApprovalStatus } from '../../contracts/constants/approvals.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { isObject } from '../kernel/message-form.js';

/** An action for which an agent asks for approval, as the OpenIntent API has it (RFC-0013). */
export interface AskedAction {
  readonly action: string;
  readonly reason: string;
  readonly context: JsonObject;
  /** What the agent calls itself; it grants nothing. */
  readonly requested_by?: string | undefined;
}

/** How far such an approval has come, in the words of the OpenIntent SDK. */
export type ActionStatus = 'pending' | 'approved' | 'denied' | 'expired';

/** Such an approval as it is read. */
export interface ActionApproval extends AskedAction {
  readonly id: string;
  readonly intent_id: string;
  readonly requested_by: string;
  readonly status: ActionStatus;
  readonly created_at: string;
  /** Both are there once it has ended; null where no person and no rule decided. */
  readonly decided_at?: string;
  readonly decided_by?: string | null;
  /** What whoever decided said, or why nobody did. */
  readonly decision_notes?: string;
}

/** The id of the only call of such an approval. */
const CALL_ID = 'action';

/**
 * The action as a call, which the configured rules judge as any other. Who asks wants a person, so a rule that allows
 * the call leads to the route `human_required`; other rules only make it stricter.
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
      ...(requested_by !== undefined && { requested_by }),
    },
  };
}

/** An approval of an intent in the words of OpenIntent, whichever API opened it. */
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
    ...(notes !== undefined && { decision_notes: notes }),
  };
}

/** The name under which it was asked for. */
export function requestedBy(
  { visible_context }: Pick<Proposal, 'visible_context'>,
  { asked_by }: Pick<ApprovalView, 'asked_by'>,
): string {
  return textIn(visible_context, 'requested_by') ?? asked_by;
}

/** Who decided: a person, or a rule. Nobody did where it was withdrawn or where its time ran out. */
export function deciderOf({
  by,
  respondent,
}: Pick<ApprovalResolution, 'by' | 'respondent'>): string | undefined {
  return by === 'policy' ? AUTO_APPROVER : respondent;
}

/** The SDK has no word for what was withdrawn or changed: the action was not approved. */
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

/** An approval of before there were votes: two events of the log, its request and, once it is there, its decision. */
export function recordedAction(
  { id, intent_id, payload, principal, actor, created_at }: IntentEvent,
  decision: IntentEvent | undefined,
): ActionApproval {
  const { context } = payload;
  const isGranted = decision?.event_type === 'governance.approval_granted';
  return {
    id,
    intent_id,
    requested_by: textIn(payload, 'requested_by') ?? principal ?? actor,
    action: textIn(payload, 'action') ?? '',
    reason: textIn(payload, 'reason') ?? '',
    context: isObject(context) ? context : {},
    status: decision === undefined ? 'pending' : isGranted ? 'approved' : 'denied',
    created_at,
    ...(decision && {
      decided_at: decision.created_at,
      decided_by: textIn(decision.payload, 'decided_by') ?? null,
    }),
  };
}

function textIn(fields: JsonObject, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}
