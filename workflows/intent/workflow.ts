import {
  CancellationScope,
  allHandlersFinished,
  condition,
  continueAsNew,
  setHandler,
} from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { changeStatus } from '../../domain/intent/entity.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { isEarlier, toInstant } from '../../domain/kernel/time.js';
import { now, waitUntil } from '../engine/clock.js';
import { carriedCancellation, watchCancellation } from '../engine/run.js';
import { IntentEntity, positionOf } from './entity.js';
import { registerGraph, registerObservers } from './graph.js';
import { registerLeases } from './leases.js';
import { intentQuery, positionQuery } from './messages.js';
import type { IntentInput } from './messages.js';
import { registerPlanEvents } from './plan-events.js';
import { abandonSuspended, registerDeadline, registerQuestions } from './questions.js';
import { registerWrites } from './writes.js';

/**
 * One intent for as long as it lives (RFC-0001): versions, state, events, leases and its open question.
 * Ends when the intent is completed or abandoned and the store holds its whole log.
 */
export async function intent(input: IntentInput): Promise<void> {
  const cancelRequested = watchCancellation(input.carried);
  await CancellationScope.nonCancellable(async () => {
    const entity = new IntentEntity(input);
    registerWrites(entity);
    registerLeases(entity);
    registerQuestions(entity);
    registerDeadline(entity);
    registerObservers(entity);
    registerGraph(entity);
    registerPlanEvents(entity);
    registerQueries(entity);
    while (!entity.closed) {
      entity.settleDueLeases(now());
      if (cancelRequested()) await abandonForTemporal(entity);
      else if (mustMove(entity)) await move(entity, input, cancelRequested);
      else await nextTurn(entity, cancelRequested);
    }
    await condition(allHandlersFinished);
    await entity.journal.drained();
    await entity.announcer.told();
  });
}

function registerQueries(entity: IntentEntity): void {
  setHandler(intentQuery, () => ({
    intent: entity.intent,
    last_sequence: entity.logEnd.last_sequence,
    ...(entity.creationHash !== undefined && { creation_hash: entity.creationHash }),
  }));
  setHandler(positionQuery, () => positionOf(entity));
}

/** One lazy lease timer: it checks when it fires and is not armed again at each renewal. */
async function nextTurn(entity: IntentEntity, cancelRequested: () => boolean): Promise<void> {
  const armed = entity.nextLeaseInstant;
  const turned = () =>
    entity.closed ||
    cancelRequested() ||
    mustMove(entity) ||
    isEarlier(entity.nextLeaseInstant, armed);
  if (armed === undefined) {
    await condition(turned);
    return;
  }
  await waitUntil(armed, turned, 'lease expires');
}

/** Time for a new run, once what it would carry fits; observers have a size of their own. */
function mustMove(entity: IntentEntity): boolean {
  if (!entity.mayMove) return false;
  const { observers: _apart, ...carried } = entity.carried;
  return jsonBytes([entity.intent, carried]) <= WORKFLOW_LIMITS.carriedBytes;
}

/** Hands over to a new run. */
async function move(
  entity: IntentEntity,
  input: IntentInput,
  cancelRequested: () => boolean,
): Promise<void> {
  entity.moving = true;
  await condition(allHandlersFinished);
  await entity.journal.stop();
  entity.announcer.stop();
  await entity.dependencies.observing.stop();
  await continueAsNew<typeof intent>({
    ...input,
    intent: entity.intent,
    carried: { ...entity.carried, ...carriedCancellation(cancelRequested) },
  });
}

/** A cancellation requested through Temporal itself abandons the intent. */
async function abandonForTemporal(entity: IntentEntity): Promise<void> {
  const request = { actor: 'temporal', reason: 'cancelled through Temporal' };
  if (entity.active) {
    await abandonSuspended(entity, request);
    await condition(() => entity.closed);
    return;
  }
  const at = toInstant(now());
  const change = changeStatus(entity.intent, { status: 'abandoned', ...request }, 'temporal', at);
  if (change.ok) entity.commit(change.value);
}
