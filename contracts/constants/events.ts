export const EVENT_TYPES = [
  'intent_created',
  'status_changed',
  'state_patched',
  'lease_acquired',
  'lease_renewed',
  'lease_released',
  'intent.suspended',
  'intent.resumed',
  'intent.suspension_expired',
  'intent.suspension_renotified',
  'intent.suspension_escalated',
  'intent.suspension_cancelled',
  'intent.suspension_claimed',
  'intent.suspension_released',
  'intent.suspension_commented',
  'intent.suspension_delegated',
  'intent.suspension_amended',
  'engagement.decision',
  'agent_assigned',
  'agent_unassigned',
  'decision_recorded',
  'arbitration_requested',
  'escalation_requested',
  'escalation_resolved',
  'approval_requested',
  'approval_vote',
  'approval_vote_cancelled',
  'approval_resolved',
  'approval_withdrawn',
  'approval_sla_breached',
  'proposal_mutation_detected',
  'governance.approval_granted',
  'governance.approval_denied',
  'governance.policy_set',
  'governance.policy_removed',
  'access_policy_set',
  'access_granted',
  'access_revoked',
  'dependency_added',
  'dependency_removed',
  'dependency_unsatisfiable',
  'task.created',
  'task.ready',
  'task.claimed',
  'task.started',
  'task.completed',
  'task.failed',
  'task.retrying',
  'task.blocked',
  'task.unblocked',
  'task.cancelled',
  'task.skipped',
  'plan.created',
  'plan.activated',
  'plan.paused',
  'plan.resumed',
  'plan.completed',
  'plan.failed',
  'plan.cancelled',
  'plan.checkpoint_reached',
  'plan.checkpoint_approved',
  'plan.checkpoint_rejected',
  'personal_data_erased',
] as const;
export type IntentEventType = (typeof EVENT_TYPES)[number];

export const COORDINATOR_EVENT_TYPES = [
  'coordinator.decision',
  'coordinator.escalation_required',
  'coordinator.dependents_held',
  'coordinator.dependents_released',
  'coordinator.hold_refused',
  'coordinator.unresponsive',
  'coordinator.failed_over',
] as const;

export type CoordinatorEventType = (typeof COORDINATOR_EVENT_TYPES)[number];

export const PORTFOLIO_EVENT_TYPES = [
  'portfolio.created',
  'portfolio.changed',
  'portfolio.status_changed',
  'portfolio.member_added',
  'portfolio.member_removed',
  'portfolio.member_suspended',
  'portfolio.member_resumed',
  'portfolio.deadline_reached',
] as const;

/** The rows that a suspension may hand over to its intent, which then writes them to the store. */
export const HANDED_OVER_KINDS = ['suspension_progress', 'suspension_settled', 'timeline'] as const;
export type HandedOverKind = (typeof HANDED_OVER_KINDS)[number];

/**
 * The event types that the OpenIntent SDK 0.17.0 knows, by the part before their last dot. The SDK fails to read a
 * whole log that contains a type it does not know.
 */
const KNOWN_BY_FAMILY: Readonly<Record<string, readonly string[]>> = {
  '': words(`
    intent_created state_patched status_changed agent_assigned agent_unassigned
    constraint_added constraint_removed dependency_added dependency_removed lease_acquired
    lease_released arbitration_requested decision_recorded attachment_added
    portfolio_created added_to_portfolio removed_from_portfolio failure_recorded comment
    tool_call_started tool_call_completed tool_call_failed llm_request_started
    llm_request_completed llm_request_failed stream_started stream_chunk stream_completed
    stream_cancelled access_granted access_revoked access_expired access_requested
    access_request_approved access_request_denied
  `),
  task: words(`
    created ready claimed started progress completed failed retrying blocked unblocked
    delegated escalated cancelled skipped
  `),
  plan: words(`
    created activated paused resumed completed failed checkpoint_reached checkpoint_approved
    checkpoint_rejected
  `),
  coordinator: words(`
    decision heartbeat paused resumed replaced unresponsive failed_over handoff
    plan_overridden guardrails_updated stalled escalation_resolved
  `),
  governance: words(
    'policy_set policy_removed approval_granted approval_denied violation approval_enforced',
  ),
  tool: words('invoked denied'),
  grant: words('created delegated revoked expired suspended resumed'),
  credential: words('created rotated expired revoked'),
  memory: words('created updated deleted archived evicted expired'),
  agent: words('lifecycle registered status_changed dead'),
  trigger: words('fired skipped cascade_limit namespace_blocked'),
  'agent.identity': words('registered rotated revoked challenge_issued verified'),
  'log.checkpoint': words('created anchored'),
  channel: words('created closed message'),
  federation: words('dispatched received callback budget_warning completed failed'),
  intent: words('suspended resumed suspension_expired suspension_renotified suspension_escalated'),
  engagement: words('decision'),
  portfolio: words('member_suspended member_resumed'),
};

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Every event type that the OpenIntent SDK knows. The OpenIntent API omits all others; `/v1` shows them. */
export const KNOWN_EVENT_TYPES: readonly string[] = Object.entries(KNOWN_BY_FAMILY).flatMap(
  ([family, names]) => names.map((name) => (family === '' ? name : `${family}.${name}`)),
);
