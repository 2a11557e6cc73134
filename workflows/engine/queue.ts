import { log } from '@temporalio/workflow';
import type { SignalDefinition } from '@temporalio/workflow';
import { Sender, trySignal } from './sender.js';

/** Items that go out in the order in which they came, one batch after the other. */
export abstract class OrderedQueue<T> extends Sender {
  protected waiting: T[];
  protected inFlight: readonly T[] = [];

  constructor(carried: readonly T[] = []) {
    super();
    this.waiting = [...carried];
  }

  /** Takes one batch to where it belongs; tries for as long as it takes. */
  protected abstract deliver(items: readonly T[]): Promise<void>;

  /** How many of the items that wait go out together. */
  protected batchOf(_waiting: readonly T[]): number {
    return 1;
  }

  /** What may not have arrived, oldest first. */
  get carried(): readonly T[] {
    return [...this.inFlight, ...this.waiting];
  }

  add(...items: readonly T[]): void {
    this.waiting.push(...items);
  }

  /** Takes everything out that is not under way. */
  protected takeQueued(): readonly T[] {
    return this.waiting.splice(0);
  }

  /** Changes all items, those under way too, as they would be carried to the next run. */
  rewrite(change: (item: T) => T): void {
    this.waiting = this.waiting.map(change);
    this.inFlight = this.inFlight.map(change);
  }

  protected get ready(): boolean {
    return this.waiting.length > 0;
  }

  protected async sendNext(): Promise<void> {
    this.inFlight = this.waiting.splice(0, this.batchOf(this.waiting));
    await this.deliver(this.inFlight);
    this.inFlight = [];
  }
}

/**
 * Messages to one workflow, by its id: one Signal after the other, so that they arrive in order. Where nobody is
 * there to take one, that is logged as `report_undeliverable`, and the queue goes on.
 */
export class SignalQueue<T> extends OrderedQueue<T> {
  private readonly workflowId: string;
  private readonly signal: SignalDefinition<[T]>;

  constructor(workflowId: string, signal: SignalDefinition<[T]>, carried: readonly T[] = []) {
    super(carried);
    this.workflowId = workflowId;
    this.signal = signal;
  }

  /** Completes a message when its turn has come. */
  protected load(message: T): T {
    return message;
  }

  /** Called when nobody was there to take the message that was loaded last. */
  protected undelivered(): void {
    // Most messages are of no use to anybody else.
  }

  protected override async deliver([message]: readonly T[]): Promise<void> {
    if (message === undefined) return;
    if (await trySignal(this.workflowId, this.signal, this.load(message))) return;
    log.warn('report_undeliverable', { receiver: this.workflowId });
    this.undelivered();
  }
}
