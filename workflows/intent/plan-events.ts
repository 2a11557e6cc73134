import { defineSignal, log, setHandler } from '@temporalio/workflow';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { isPlanEvent } from '../../domain/plan/message-form.js';
import { now } from '../engine/clock.js';
import { Reporter } from '../engine/outbox.js';
import type { Sender } from '../engine/outbox.js';
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

/**
 * Appends events of a task or a plan to the log of its intent (RFC-0012 §1.2), in order. An intent that is
 * closed takes none any more: its log has ended.
 */
export class EventSender implements Sender {
  private readonly reporter: Reporter<EventDraft>;
  private waiting: readonly EventDraft[];

  constructor(intentId: string, unsent: readonly EventDraft[] = []) {
    this.waiting = unsent;
    this.reporter = new Reporter(workflowIdOf('intent', intentId), planEventSignal, {
      beforeSending: (event) => {
        this.waiting = this.waiting.slice(1);
        return event;
      },
      undelivered: () => undefined,
    });
    for (const event of unsent) this.reporter.add(event);
  }

  /** Not yet under way. */
  get unsent(): readonly EventDraft[] {
    return this.waiting;
  }

  add(...events: readonly EventDraft[]): void {
    this.waiting = [...this.waiting, ...events];
    for (const event of events) this.reporter.add(event);
  }

  get due(): boolean {
    return this.reporter.due;
  }

  send(): void {
    this.reporter.send();
  }

  async sent(): Promise<void> {
    await this.reporter.sent();
  }

  /** Sends no more; what is `untold` is then all that is left. */
  async stop(): Promise<void> {
    await this.reporter.stop();
  }
}
