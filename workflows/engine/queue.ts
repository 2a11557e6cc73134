import { log, type SignalDefinition } from '@temporalio/workflow';
import { Sender, trySignal } from './sender.js';

/** Sends items in the order in which they were added, one batch after the other. */
export abstract class OrderedQueue<T> extends Sender {
  protected waiting: T[];
  protected inFlight: readonly T[] = [];

  constructor(carried: readonly T[] = []) {
    super();
    this.waiting = [...carried];
  }

  protected abstract deliver(items: readonly T[]): Promise<void>;

  protected batchOf(_waiting: readonly T[]): number {
    return 1;
  }

  /** The items that may not have arrived, oldest first. */
  get carried(): readonly T[] {
    return [...this.inFlight, ...this.waiting];
  }

  add(...items: readonly T[]): void {
    this.waiting.push(...items);
  }

  /** Removes all items that are not under way. */
  protected takeQueued(): readonly T[] {
    return this.waiting.splice(0);
  }

  /** Changes all items, including those under way, as the next run would get them. */
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
 * Sends messages to one workflow, one Signal after the other, so that they arrive in order. If the workflow is
 * missing, this logs `report_undeliverable`, and the queue continues.
 */
export class SignalQueue<T> extends OrderedQueue<T> {
  protected workflowId: string;
  private readonly signal: SignalDefinition<[T]>;

  constructor(workflowId: string, signal: SignalDefinition<[T]>, carried: readonly T[] = []) {
    super(carried);
    this.workflowId = workflowId;
    this.signal = signal;
  }

  protected load(message: T): T {
    return message;
  }

  /** Called if no workflow was there for the message that was loaded last. */
  protected undelivered(): void {
    // By default an undelivered message is dropped.
  }

  protected override async deliver([message]: readonly T[]): Promise<void> {
    if (message === undefined) return;
    if (await trySignal(this.workflowId, this.signal, this.load(message))) return;
    log.warn('report_undeliverable', { receiver: this.workflowId });
    this.undelivered();
  }
}
