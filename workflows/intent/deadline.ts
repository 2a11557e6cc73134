import { log, setHandler } from '@temporalio/workflow';
import { isDeadline } from '../../domain/suspension-deadline.js';
import { toInstant } from '../../domain/time.js';
import { abandonForDeadline } from '../../domain/waiting-deadline.js';
import { now } from '../support/clock.js';
import { expireNowSignal } from '../suspension/messages.js';
import type { IntentEntity } from './entity.js';

/**
 * Lets the deadline of a portfolio end a wait for a question that never came (R26-27). An open question has
 * a suspension, which is told itself.
 */
export function registerDeadline(entity: IntentEntity): void {
  setHandler(expireNowSignal, (message) => {
    if (!isDeadline(message)) {
      log.warn('deadline_unreadable');
      return;
    }
    if (entity.active) return;
    const { intent, waiting } = entity;
    const at = toInstant(now());
    const change = abandonForDeadline(intent, waiting.since, message.deadline, at);
    if (change) entity.commit(change);
  });
}
