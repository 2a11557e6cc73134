/** Event types in the log of an intent. */
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

/** Event types that a coordinator appends to the log of an intent. */
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

/** Event types in the log of a portfolio. */
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
