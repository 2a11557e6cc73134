import { workflowIdOf } from '../../contracts/constants/names.js';
import type { EventDraft } from '../../domain/intent-entity.js';
import { planEventSignal } from '../intent/plan-events.js';
import type { Sender } from './outbox.js';
import { Reporter } from './reporter.js';

/**
 * Appends events of a task or a plan to the log of its intent (RFC-0012 §1.2), in order. An intent that is
 * closed takes none any more: its log has ended.
 */
export class EventSender implements Sender {
  private readonly reporter: Reporter<EventDraft>;
  private waiting: readonly EventDraft[];

  constructor(intentId: string, untold: readonly EventDraft[] = []) {
    this.waiting = untold;
    this.reporter = new Reporter(workflowIdOf('intent', intentId), planEventSignal, {
      load: (event) => {
        this.waiting = this.waiting.slice(1);
        return event;
      },
      takeBack: () => undefined,
    });
    for (const event of untold) this.reporter.add(event);
  }

  /** Not yet under way. */
  get untold(): readonly EventDraft[] {
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
