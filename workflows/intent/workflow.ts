import { condition, setHandler } from '@temporalio/workflow';
import { TEMPORAL } from '../../contracts/constants/callers.js';
import { defined } from '../../contracts/constants/defined.js';
import { changeStatus } from '../../domain/intent/entity.js';
import { toInstant } from '../../domain/kernel/time.js';
import { isPlanEvent } from '../../domain/plan/message-form.js';
import { now } from '../engine/clock.js';
import { onSignal, onWrite } from '../engine/handlers.js';
import { positionQuery, writeSignal } from '../engine/messages.js';
import { run } from '../engine/run.js';
import { registerAccess } from './access.js';
import { IntentEntity } from './entity.js';
import type { IntentRun } from './carried.js';
import { registerErasure } from './erasure.js';
import { registerGraph } from './graph.js';
import { registerLeases } from './leases.js';
import { createdUpdate, intentQuery, leftRowsQuery, planEventSignal } from './messages.js';
import { registerQuestions } from './questions.js';
import { registerRefusedAsks } from './refused-ask.js';
import { abandonSuspended } from './withdrawal.js';
import { registerWrites } from './writes.js';

/**
 * One intent for as long as it lives (RFC-0001): versions, state, events, leases and its open question.
 * Ends when the intent is completed or abandoned and the store holds its whole log.
 */
export async function intent(input: IntentRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new IntentEntity(input);
      registerCreation(entity);
      registerWrites(entity);
      registerRefusedAsks(entity);
      registerAccess(entity);
      registerLeases(entity);
      registerQuestions(entity);
      registerGraph(entity);
      registerErasure(entity);
      registerPlanEvents(entity);
      registerQueries(entity);
      setHandler(writeSignal, () => {
        entity.measure();
        entity.journal.flush();
      });
      return entity;
    },
    cancel: abandon,
  });
}

/** Tells whoever starts the intent that it has begun, or whoever starts it again what there is. */
function registerCreation(entity: IntentEntity): void {
  const takeAll = (): void => undefined;
  onWrite(entity, createdUpdate, 'Begin', takeAll, () => ({
    ...entity.creation,
    ...defined({ intent: entity.written.intent }),
    rows: entity.journal.leftAfter(),
  }));
}

/** Takes the events of tasks and plans into the log, as long as the intent is open. */
function registerPlanEvents(entity: IntentEntity): void {
  onSignal(planEventSignal, isPlanEvent, (event) => {
    if (entity.over) return;
    entity.settleDue();
    entity.record(event);
  });
}

function registerQueries(entity: IntentEntity): void {
  setHandler(intentQuery, () => ({
    intent: entity.intent,
    last_sequence: entity.log.end.last_sequence,
    ...entity.creation,
  }));
  setHandler(positionQuery, () => entity.position);
  setHandler(leftRowsQuery, (after) => entity.journal.leftAfter(after));
}

/** A cancellation through Temporal itself abandons the intent, after the question that is open. */
async function abandon(entity: IntentEntity): Promise<void> {
  const reason = 'cancelled through Temporal';
  const request = { by: TEMPORAL, actor: TEMPORAL.principal, reason };
  if (entity.active) {
    await abandonSuspended(entity, request);
    await condition(() => entity.over);
    return;
  }
  const at = toInstant(now());
  const change = changeStatus(entity.intent, { status: 'abandoned', ...request }, 'temporal', at);
  if (change.ok) entity.commit(change.value, TEMPORAL.principal);
}
