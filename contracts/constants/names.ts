import { DEFAULT_SPACE } from './callers.js';

/** The task queue that all workers of Holdpoint poll. */
export const TASK_QUEUE = 'holdpoint';

/** The task queue for activities that wait for events, which may take long. The workers poll it as well. */
export const FEED_TASK_QUEUE = 'holdpoint-feed';

/** The task queue of the activities that notify people, which hang while a channel hangs. The workers poll it too. */
export const DELIVERY_TASK_QUEUE = 'holdpoint-deliveries';

/** All task queues, and what tasks a worker takes there. */
export const TASK_QUEUES = {
  [TASK_QUEUE]: ['workflow', 'activity'],
  [DELIVERY_TASK_QUEUE]: ['activity'],
  [FEED_TASK_QUEUE]: ['activity'],
} as const;

/** The name under which Temporal knows the versions of our workers, those of all task queues. */
export const DEPLOYMENT_NAME = 'holdpoint';

/** The type of the workflow that wakes subscriptions, and the id of the only one that there is. */
export const PUMP = { type: 'pump', id: 'pump-of-subscriptions' } as const;

/** The type of the workflows that look after all logs and messages, the ids of those that there are, and of their schedules. */
export const UPKEEP = {
  type: 'upkeep',
  checkpoint: 'log-checkpoint',
  requested: 'log-checkpoint-on-request',
  delivery: 'log-checkpoint-delivery',
  schedule: 'holdpoint-log-checkpoints',
  retention: 'retention',
  retentionSchedule: 'holdpoint-retention',
  followUps: 'follow-ups',
  pushes: 'pushes',
} as const;

/** The type of the workflow that writes what nobody wrote, its id, and the schedule that starts it. */
export const RECONCILIATION = {
  type: 'reconciliation',
  id: 'reconciliation',
  schedule: 'holdpoint-reconciliation',
} as const;

/** Names of the workflow types in Temporal. */
export const WORKFLOW_TYPES = {
  intent: 'intent',
  suspension: 'suspension',
  portfolio: 'portfolio',
  task: 'task',
  plan: 'plan',
  coordinator: 'coordinator',
  subscription: 'subscription',
  approval: 'approval',
} as const;
/** The type of a workflow. */
export type WorkflowType = keyof typeof WORKFLOW_TYPES;

/** What has a workflow and a row in the store, besides questions, approvals and subscriptions. Intents come first. */
export const ENTITY_TYPES = ['intent', 'plan', 'task', 'portfolio', 'coordinator'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/**
 * Returns the workflow id of an entity, such as `suspension-<suspension_id>`. Outside the default space, the space
 * comes first (`team-b/suspension-<suspension_id>`), so that no other space can name it.
 */
export function workflowIdOf(
  type: WorkflowType,
  entityId: string,
  space: string = DEFAULT_SPACE,
): string {
  return inSpaceOf(`${WORKFLOW_TYPES[type]}-${entityId}`, space);
}

/** The id in a space of the workflow that has this id in the default space. */
export function inSpaceOf(workflowId: string, space: string): string {
  return space === DEFAULT_SPACE ? workflowId : `${space}/${workflowId}`;
}

/** The space of a workflow of Holdpoint, by its id; any other workflow belongs to the default space. */
export function spaceOfWorkflow(workflowId: string): string {
  const end = workflowId.lastIndexOf('/');
  const isOurs = typeOfWorkflow(workflowId) !== undefined;
  return end > 0 && isOurs ? workflowId.slice(0, end) : DEFAULT_SPACE;
}

/** The id of the entity whose workflow of this type has this id; the counterpart of `workflowIdOf`. */
export function entityIdOf(workflowId: string, type: WorkflowType): string {
  return localId(workflowId).slice(`${WORKFLOW_TYPES[type]}-`.length);
}

/** The type of a workflow of Holdpoint, by its id; undefined for any other workflow. */
export function typeOfWorkflow(workflowId: string): WorkflowType | undefined {
  const local = localId(workflowId);
  return Object.values(WORKFLOW_TYPES).find((type) => local.startsWith(`${type}-`));
}

/** The id without its space. */
function localId(workflowId: string): string {
  return workflowId.slice(workflowId.lastIndexOf('/') + 1);
}

/** Update id that all callers share when they wait for the outcome of a suspension. */
export const OUTCOME_UPDATE_ID = 'outcome';

/** Search attributes of the workflows, and their types in Temporal, whose SQL stores have room for ten keywords. */
export const SEARCH_ATTRIBUTES = {
  HoldpointSpace: 'Keyword',
  HoldpointState: 'Keyword',
  HoldpointIntentId: 'Keyword',
  HoldpointSubject: 'Keyword',
  HoldpointAskedBy: 'Keyword',
  HoldpointChannel: 'Keyword',
  HoldpointAttempt: 'Int',
  HoldpointExpiresAt: 'Datetime',
} as const;

/** The characters of an id in lists and messages, which are enough to name a question. */
export const SHORT_ID = 8;

/** Returns the beginning of the id of a question, as people see it. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_ID);
}
