/** The one task queue that Holdpoint's workers poll. */
export const TASK_QUEUE = 'holdpoint';

/** Where activities run that wait for events, and so may take long; the workers poll it too. */
export const FEED_TASK_QUEUE = 'holdpoint-feed';

/** Workflow type names as registered with Temporal. */
export const WORKFLOW_TYPES = {
  intent: 'intent',
  suspension: 'suspension',
  portfolio: 'portfolio',
  task: 'task',
  plan: 'plan',
  coordinator: 'coordinator',
  subscription: 'subscription',
} as const;
export type WorkflowType = keyof typeof WORKFLOW_TYPES;

/** Builds the id of the workflow that owns an entity, e.g. `suspension-<suspension_id>`. */
export function workflowIdOf(type: WorkflowType, entityId: string): string {
  return `${WORKFLOW_TYPES[type]}-${entityId}`;
}

/** The one update id under which everybody waits for a suspension's outcome. */
export const OUTCOME_UPDATE_ID = 'outcome';

/** Search attributes every workflow may set, with the type Temporal registers them under. */
export const SEARCH_ATTRIBUTES = {
  HoldpointState: 'Keyword',
  HoldpointIntentId: 'Keyword',
  HoldpointChannel: 'Keyword',
  HoldpointAttempt: 'Int',
  HoldpointExpiresAt: 'Datetime',
} as const;
