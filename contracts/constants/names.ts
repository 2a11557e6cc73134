import { DEFAULT_SPACE } from './callers.js';

export const TASK_QUEUE = 'holdpoint';

/** The task queue for activities that wait for events, which may take long. The workers poll it as well. */
export const FEED_TASK_QUEUE = 'holdpoint-feed';

/** The task queue of the activities that notify people; they take as long as a channel takes. The workers poll it too. */
export const DELIVERY_TASK_QUEUE = 'holdpoint-deliveries';

/** All task queues, and the kinds of task that a worker polls there. */
export const TASK_QUEUES = {
  [TASK_QUEUE]: ['workflow', 'activity'],
  [DELIVERY_TASK_QUEUE]: ['activity'],
  [FEED_TASK_QUEUE]: ['activity'],
} as const;

/** The name of our workers' deployment in Temporal, for all task queues. */
export const DEPLOYMENT_NAME = 'holdpoint';

/** The type of the workflow that wakes subscriptions, and the id of its only instance. */
export const PUMP = { type: 'pump', id: 'pump-of-subscriptions' } as const;

/** The type of the workflows that maintain all logs and messages, their ids, and those of their schedules. */
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

/** The type of the workflow that writes missing rows, its id, and the schedule that starts it. */
export const RECONCILIATION = {
  type: 'reconciliation',
  id: 'reconciliation',
  schedule: 'holdpoint-reconciliation',
} as const;

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
export type WorkflowType = keyof typeof WORKFLOW_TYPES;

/**
 * The entities with a workflow and a row in the store, besides questions, approvals and subscriptions. Intents come
 * first.
 */
export const ENTITY_TYPES = ['intent', 'plan', 'task', 'portfolio', 'coordinator'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/**
 * Returns the workflow id of an entity, such as `suspension-<suspension_id>`. Outside the default space, the space is
 * its prefix (`team-b/suspension-<suspension_id>`), so that no other space can name it.
 */
export function workflowIdOf(
  type: WorkflowType,
  entityId: string,
  space: string = DEFAULT_SPACE,
): string {
  return inSpaceOf(`${WORKFLOW_TYPES[type]}-${entityId}`, space);
}

/** Returns the workflow id in a space for an id in the default space. */
export function inSpaceOf(workflowId: string, space: string): string {
  return space === DEFAULT_SPACE ? workflowId : `${space}/${workflowId}`;
}

/** The space of a workflow of Holdpoint, by its id; any other workflow belongs to the default space. */
export function spaceOfWorkflow(workflowId: string): string {
  const end = workflowId.lastIndexOf('/');
  const isOurs = typeOfWorkflow(workflowId) !== undefined;
  return end > 0 && isOurs ? workflowId.slice(0, end) : DEFAULT_SPACE;
}

/** The inverse of `workflowIdOf`: returns the entity's id. */
export function entityIdOf(workflowId: string, type: WorkflowType): string {
  return localId(workflowId).slice(`${WORKFLOW_TYPES[type]}-`.length);
}

/** The form of an entity's id: a UUID in lower case. */
export const ENTITY_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Whether a text from outside has the form of an entity's id. Any other text is put neither into a workflow id nor
 * into a query of the store.
 */
export function isEntityId(text: string): boolean {
  return ENTITY_ID.test(text);
}

/** The type of a workflow of Holdpoint, by its id; undefined for any other workflow, which agents name as they like. */
export function typeOfWorkflow(workflowId: string): WorkflowType | undefined {
  const local = localId(workflowId);
  return Object.values(WORKFLOW_TYPES).find(
    (type) => local.startsWith(`${type}-`) && isEntityId(local.slice(type.length + 1)),
  );
}

function localId(workflowId: string): string {
  return workflowId.slice(workflowId.lastIndexOf('/') + 1);
}

/** Update id that all callers share when they wait for the outcome of a suspension. */
export const OUTCOME_UPDATE_ID = 'outcome';

/** Search attributes of the workflows with their types. Temporal's SQL stores have room for ten keywords. */
export const SEARCH_ATTRIBUTES = {
  HoldpointSpace: 'Keyword',
  HoldpointState: 'Keyword',
  HoldpointIntentId: 'Keyword',
  HoldpointSubject: 'Keyword',
  HoldpointAskedBy: 'Keyword',
  HoldpointChannel: 'Keyword',
  HoldpointExpiresAt: 'Datetime',
} as const;

/** The length of a shortened id in lists and messages, which suffices to name a question. */
export const SHORT_ID = 8;

export function shortId(id: string): string {
  return id.slice(0, SHORT_ID);
}

/** The version of this project; a test compares it with that of the package. */
export const VERSION = '0.1.0';
