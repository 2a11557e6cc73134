import { defineSignal, log, setHandler } from '@temporalio/workflow';
import { isPlanEvent } from '../../domain/task-form.js';
import { now } from '../support/clock.js';
import type { EventDraft } from '../../domain/intent-entity.js';
import type { IntentEntity } from './entity.js';

/** An event of a task or a plan of this intent, for its log. */
export const planEventSignal = defineSignal<[EventDraft]>('planEvent');

/** Takes the events of tasks and plans into the log, as long as the intent is open. */
export function registerPlanEvents(entity: IntentEntity): void {
  setHandler(planEventSignal, (event) => {
    if (!isPlanEvent(event)) log.warn('plan_event_malformed');
    else if (!entity.closed) {
      entity.settleDueLeases(now());
      entity.record(event);
    }
  });
}
