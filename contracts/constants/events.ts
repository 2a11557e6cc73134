/** Every event type that an intent's log can hold; spelled as on the wire. */
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
  'engagement.decision',
  'dependency_added',
  'dependency_removed',
  'dependency_unsatisfiable',
] as const;
export type IntentEventType = (typeof EVENT_TYPES)[number];

/** Every event type that a portfolio's log can hold. */
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
export type PortfolioEventType = (typeof PORTFOLIO_EVENT_TYPES)[number];
