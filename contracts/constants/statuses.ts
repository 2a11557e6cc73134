/** Statuses of an intent (RFC-0001; R25-04 adds `suspended_awaiting_input`). */
export const INTENT_STATUSES = [
  'draft',
  'active',
  'blocked',
  'suspended_awaiting_input',
  'completed',
  'abandoned',
] as const;

/** The kinds of answer that a question can ask for (R25-21). */
export const RESPONSE_TYPES = ['choice', 'confirm', 'text', 'form'] as const;

/** The roles that a decision rule can name: agents never answer, auditors only read. */
export const VOTER_ROLES = ['operator', 'admin'] as const;

export const TEXT_FORMATS = ['plain', 'markdown'] as const;

/** How a user interface may show a choice (R25-30). */
export const CHOICE_STYLES = ['primary', 'danger', 'default'] as const;

/** How a question can end (R25-52). */
export const RESOLUTIONS = ['responded', 'expired', 'cancelled'] as const;

/** How a question ended, as the end of a sentence. */
export const ENDINGS = {
  responded: 'was answered',
  expired: 'has expired',
  cancelled: 'was withdrawn',
} as const satisfies Readonly<Record<(typeof RESOLUTIONS)[number], string>>;

/**
 * Orders of a list of questions. `urgency`: expiry, higher attempt, age. `asker`: by its name, then age.
 * `risk`: of the proposed calls, the highest first, then expiry and age. `settled`: newest first, open last.
 */
export const INBOX_SORTS = ['urgency', 'oldest', 'newest', 'asker', 'risk', 'settled'] as const;

/**
 * The questions in a list: those that wait for the caller, that it has claimed, that name one of its groups, that it
 * has snoozed, that it has answered, or all.
 */
export const INBOX_VIEWS = ['for_me', 'claimed', 'groups', 'snoozed', 'answered', 'all'] as const;

/** What can happen if nobody answers (R25-55). */
export const FALLBACK_POLICIES = [
  'fail',
  'complete_with_fallback',
  'use_default_and_continue',
] as const;

/** Statuses of an agent (RFC-0016). */
export const AGENT_STATUSES = [
  'registering',
  'active',
  'draining',
  'unhealthy',
  'dead',
  'deregistered',
] as const;

/** Statuses of a task (RFC-0012 §1.2). */
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

export const FAILURE_DECISIONS = ['retry', 'skip', 'fail'] as const;

/** States of a plan (RFC-0012 §2.2). */
export const PLAN_STATES = [
  'draft',
  'active',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const;

export const SUBSCRIPTION_ENDS = [
  'deleted',
  'expired',
  'endpoint_gone',
  'address_refused',
  'failed',
] as const;
export type SubscriptionEnd = (typeof SUBSCRIPTION_ENDS)[number];

/** The `reason` of a question that ended at the deadline of a portfolio, in its record and event (R26-29). */
export const PORTFOLIO_DEADLINE = 'portfolio_deadline';
/** The `abandonment_reason` of an intent after such a deadline, and the reason in its agent's error (R26-27). */
export const PORTFOLIO_DEADLINE_EXCEEDED = 'portfolio_deadline_exceeded';
/** The `reason` of a question whose workflow was terminated, in its record and its event. */
export const SUSPENSION_LOST = 'suspension_lost';
/** The reason for the end of an intent, plan, task or portfolio whose workflow was terminated from outside. */
export const WORKFLOW_LOST = 'workflow_lost';

/** Why a process pauses without a question to people (JC-47). */
export const PAUSE_REASONS = ['rate_limit', 'async_completion', 'external_job', 'custom'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Why a process pauses. Only the first is a question to people. */
export const SUSPENSION_REASONS = ['human_input', ...PAUSE_REASONS] as const;

export const RESUMED = 'resumed';
