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
] as const;
export type IntentEventType = (typeof EVENT_TYPES)[number];
