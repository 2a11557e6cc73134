import { condition, setHandler } from '@temporalio/workflow';
import { changeStatus } from '../../domain/intent/entity.js';
import { toInstant } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import { positionQuery } from '../engine/messages.js';
import { run } from '../engine/run.js';
import type { IntentRun } from './carried.js';
import { IntentEntity, positionOf } from './entity.js';
import { registerGraph } from './graph.js';
import { registerLeases } from './leases.js';
import { intentQuery } from './messages.js';
import { abandonSuspended, registerQuestions } from './questions.js';
import { registerPlanEvents, registerWrites } from './writes.js';

/**
 * One intent for as long as it lives (RFC-0001): versions, state, events, leases and its open question.
 * Ends when the intent is completed or abandoned and the store holds its whole log.
 */
export async function intent(input: IntentRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new IntentEntity(input);
      registerWrites(entity);
      registerLeases(entity);
      registerQuestions(entity);
      registerGraph(entity);
      registerPlanEvents(entity);
      registerQueries(entity);
      return entity;
    },
    cancel: abandon,
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

/** A cancellation through Temporal itself abandons the intent, after the question that is open. */
async function abandon(entity: IntentEntity): Promise<void> {
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
