import { condition, log, setHandler } from '@temporalio/workflow';
import {
  changeStatus,
  checkVersion,
  movedTo,
  type IntentChange,
} from '../../domain/intent/entity.js';
import { toInstant } from '../../domain/kernel/time.js';
import { CLOCK_ACTOR } from '../../domain/suspension/record/events.js';
import { now } from '../engine/clock.js';
import { demand, failureOf, onSignal, onWrite } from '../engine/handlers.js';
import {
  createdUpdate,
  endRefusedAskUpdate,
  intentQuery,
  leftRowsQuery,
  planEventSignal,
  type RefusedAskInput,
} from './messages.js';
import { mayDo } from './rights.js';
import { TEMPORAL } from '../../contracts/constants/callers.js';
import { defined } from '../../contracts/constants/defined.js';
import { isPlanEvent } from '../../domain/plan/message-form.js';
import { positionQuery, writeSignal } from '../engine/messages.js';
import { run } from '../engine/run.js';
import { registerAccess, registerLeases } from './access.js';
import { IntentEntity, type IntentRun } from './entity.js';
import { registerErasure } from './erasure.js';
import { registerGraph } from './graph.js';
import { registerQuestions } from './questions.js';
import { abandonSuspended } from './withdrawal.js';
import { registerWrites } from './writes.js';

/**
 * Ends the wait for a refused question: the OpenIntent SDK suspends first and gives up after a refusal, so the intent
 * would wait for ever.
 */
function registerRefusedAsks(entity: IntentEntity): void {
  onWrite(
    entity,
    endRefusedAskUpdate,
    'End the wait for a question that was refused',
    (input) => endOfWait(entity, input),
    (input) => {
      const change = endOfWait(entity, input);
      log.warn('question_refused', { status: change.intent.status, reason: input.reason });
      entity.commit(change);
      return entity.written;
    },
  );
}

/** Returns the intent with its former status. Throws a refusal for somebody else's wait, and for one that is over. */
function endOfWait(entity: IntentEntity, input: RefusedAskInput): IntentChange {
  const { intent, waiting, active, suspended } = entity;
  demand(mayDo(entity, input.by, 'setStatus', 'endsRefusedAsk'));
  if (!suspended || active) {
    throw failureOf({
      code: 'intent_not_suspended',
      detail: 'The intent waits for no question.',
      state: { intent_status: intent.status },
    });
  }
  demand(checkVersion(intent, input.if_match));
  return movedTo(intent, waiting.before, CLOCK_ACTOR, toInstant(now()), input.reason);
}

/**
 * One intent during its whole life (RFC-0001): versions, state, events, leases and its open question. Ends when the
 * intent is completed or abandoned and the store has its whole log.
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

/** Returns the first result to the sender that starts the intent, or the present state to one that starts it again. */
function registerCreation(entity: IntentEntity): void {
  const takeAll = (): void => undefined;
  onWrite(entity, createdUpdate, 'Begin', takeAll, () => ({
    ...entity.creation,
    ...defined({ intent: entity.written.intent }),
    rows: entity.journal.leftAfter(),
  }));
}

/** Appends the events of tasks and plans to the log while the intent is open. */
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

/** A cancellation through Temporal itself abandons the intent, after withdrawing its open question. */
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
