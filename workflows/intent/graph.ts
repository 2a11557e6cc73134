import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ActivityFailure,
  ParentClosePolicy,
  condition,
  proxyActivities,
  startChild,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { DependencyEdge } from '../../contracts/graph/announcement.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { WORKFLOW_TYPES } from '../../contracts/constants/names.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { isAnnouncement } from '../../domain/graph/announcement.js';
import { addDependency, removeDependency } from '../../domain/graph/dependencies.js';
import { checkOpen, checkVersion, type IntentChange } from '../../domain/intent/entity.js';
import { ok, refuse } from '../../domain/kernel/ruling.js';
import { summaryOf } from '../../domain/kernel/text.js';
import { toInstant } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import { demand, onSignal, onWrite, uncancelled } from '../engine/handlers.js';
import { announcementSignal } from '../engine/messages.js';
import { creationAttributes, spaceAttribute } from '../engine/search-attributes.js';
import { ownSpace, peerIdOf } from '../engine/space.js';
import type { IntentEntity } from './entity.js';
import {
  addDependencyUpdate,
  createChildUpdate,
  removeDependencyUpdate,
  type ChildInput,
  type DependencyInput,
  type IntentWritten,
} from './messages.js';
import { mayDo } from './rights.js';

const { linkDependency } = proxyActivities<Pick<Activities, 'linkDependency'>>({
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '8 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2 },
  cancellationType: 'TRY_CANCEL',
  summary: 'add an edge',
});

/** Dependencies and children (RFC-0002), observers, and what dependencies announce (RFC-0026 Rule 2). */
export function registerGraph(entity: IntentEntity): void {
  entity.announcer.listen(() => entity.measure());
  onSignal(announcementSignal, isAnnouncement, (announcement) =>
    entity.takeAnnouncement(announcement),
  );
  onWrite(
    entity,
    addDependencyUpdate,
    'Depend on another intent',
    (input) => demand(addition(entity, input)),
    uncancelled((input) => inTurn(entity, () => add(entity, input))),
  );
  onWrite(
    entity,
    removeDependencyUpdate,
    'No longer depend on another intent',
    (input) => removal(entity, input),
    (input) => remove(entity, input),
  );
  onWrite(
    entity,
    createChildUpdate,
    'Start a child of the intent',
    ({ by }) => {
      demand(mayDo(entity, by, 'createIntent', 'asChild'));
      demand(checkOpen(entity.intent));
    },
    uncancelled(createChild),
  );
}

/** Adds one edge at a time. All waiting ones continue together, so each checks again. */
async function inTurn<T>(entity: IntentEntity, work: () => Promise<T>): Promise<T> {
  while (entity.linking) await condition(() => !entity.linking);
  entity.linking = true;
  try {
    return await work();
  } finally {
    entity.linking = false;
  }
}

/**
 * The store refuses a cycle, and other writes continue meanwhile. If these rule out the edge, or the store does not
 * confirm it, a row of the same revision reverts it, because the later row wins.
 */
async function add(entity: IntentEntity, input: DependencyInput): Promise<Ruling<IntentWritten>> {
  const wanted = addition(entity, input);
  if (!wanted.ok) return wanted;
  const edge = entity.dependencies.edge(entity.intent, input.dependency_id);
  const linked = await link(edge);
  const change = linked.ok ? addition(entity, input) : linked;
  if (!change.ok) {
    entity.journal.append({ kind: 'dependency', ...edge, present: false });
    return change;
  }
  entity.settleDue();
  entity.dependencies.observing.observe(input.dependency_id);
  entity.commit(change.value, input.by.principal);
  return ok(entity.written);
}

async function link(edge: DependencyEdge): Promise<Ruling<true>> {
  try {
    return await linkDependency(edge);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return refuse('store_unavailable', 'The store did not take the edge in time.');
  }
}

function remove(entity: IntentEntity, input: DependencyInput): IntentWritten {
  const change = removal(entity, input);
  const { dependency_id } = input;
  entity.dependencies.forget(dependency_id, change.intent.depends_on);
  const edge = entity.dependencies.edge(entity.intent, dependency_id);
  entity.journal.append({ kind: 'dependency', ...edge, present: false });
  entity.commit(change, input.by.principal);
  return entity.written;
}

function addition(entity: IntentEntity, input: DependencyInput): Ruling<IntentChange> {
  const { intent } = entity;
  const allowed = mayDo(entity, input.by, 'addDependency');
  if (!allowed.ok) return allowed;
  const current = checkVersion(intent, input.if_match);
  if (!current.ok) return current;
  const { dependency_id, actor } = input;
  const at = toInstant(now());
  return addDependency(intent, dependency_id, actor, at, LIMITS.dependenciesPerIntent);
}

/** Throws a refusal. */
function removal(entity: IntentEntity, input: DependencyInput): IntentChange {
  const { intent } = entity;
  demand(mayDo(entity, input.by, 'removeDependency'));
  demand(checkVersion(intent, input.if_match));
  return demand(removeDependency(intent, input.dependency_id, input.actor, toInstant(now())));
}

/** Starts a child that outlives its parent; returns whether it existed before. */
async function createChild({ by: _by, ...child }: ChildInput): Promise<'started' | 'exists'> {
  const { intent } = child;
  try {
    await startChild(WORKFLOW_TYPES.intent, {
      workflowId: peerIdOf('intent', intent.id),
      args: [child],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: summaryOf(intent.title),
      typedSearchAttributes: [spaceAttribute(ownSpace()), ...creationAttributes(intent)],
    });
    return 'started';
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'exists';
    throw error;
  }
}
