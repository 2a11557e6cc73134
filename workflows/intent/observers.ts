import { log, setHandler } from '@temporalio/workflow';
import { isObserver } from '../../domain/announcement-form.js';
import { observeSignal, unobserveSignal } from '../observing/messages.js';
import type { IntentEntity } from './entity.js';

/** Lets other workflows observe the intent: one that asks is told its current state at once. */
export function registerObservers({ announcer, length }: IntentEntity): void {
  setHandler(observeSignal, (observer) => {
    length.measure();
    if (isObserver(observer)) announcer.observe(observer);
    else log.warn('observer_malformed');
  });
  setHandler(unobserveSignal, (observer) => {
    length.measure();
    announcer.unobserve(observer);
  });
}
