import { isPlanEvent } from '../../domain/plan/message-form.js';
import { onSignal } from '../engine/handlers.js';
import type { IntentEntity } from './entity.js';
import { planEventSignal } from './messages.js';

/** Takes the events of tasks and plans into the log, as long as the intent is open. */
export function registerPlanEvents(entity: IntentEntity): void {
  onSignal(planEventSignal, isPlanEvent, (event) => {
    if (entity.closed) return;
    entity.settleDue();
    entity.record(event);
  });
}
