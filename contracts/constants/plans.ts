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
