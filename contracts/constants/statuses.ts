/** The states of an intent (RFC-0001, with the addition of RFC-0025; R25-04). */
export const INTENT_STATUSES = [
  'draft',
  'active',
  'blocked',
  'suspended_awaiting_input',
  'completed',
  'abandoned',
] as const;

/** The kinds of answer that a question may ask for (R25-21). */
export const RESPONSE_TYPES = ['choice', 'confirm', 'text', 'form'] as const;

/** How a choice may be displayed (R25-30). */
export const CHOICE_STYLES = ['primary', 'danger', 'default'] as const;

/** How a question may end (R25-52). */
export const RESOLUTIONS = ['responded', 'expired', 'cancelled'] as const;

/** What may happen when nobody answers (R25-55). */
export const FALLBACK_POLICIES = [
  'fail',
  'complete_with_fallback',
  'use_default_and_continue',
] as const;

/** The states of an agent (RFC-0016). */
export const AGENT_STATUSES = [
  'registering',
  'active',
  'draining',
  'unhealthy',
  'dead',
  'deregistered',
] as const;

/** The states of a task (RFC-0012 §1.2). */
export const TASK_STATUSES = [
  'pending',
  'ready',
  'claimed',
  'running',
  'blocked',
  'completed',
  'failed',
  'cancelled',
  'skipped',
] as const;

/** What an operator may decide about a task that failed, where the plan asks. */
export const FAILURE_DECISIONS = ['retry', 'skip', 'fail'] as const;

/** The states of a plan (RFC-0012 §2.2). */
export const PLAN_STATES = [
  'draft',
  'active',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const;

/** Why a webhook subscription is over. */
export const SUBSCRIPTION_ENDS = [
  'deleted',
  'expired',
  'endpoint_gone',
  'address_refused',
  'failed',
] as const;
export type SubscriptionEnd = (typeof SUBSCRIPTION_ENDS)[number];

/** `reason` of a question that its portfolio's deadline ended, in its record and its event (R26-29). */
export const PORTFOLIO_DEADLINE = 'portfolio_deadline';
/** Why its intent was abandoned (R26-27), and what its agent is told (AM-38). */
export const PORTFOLIO_DEADLINE_EXCEEDED = 'portfolio_deadline_exceeded';
