import {
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  log,
  TemporalFailure,
  type SignalDefinition,
} from '@temporalio/workflow';
import type { Sender } from './outbox.js';

/** What travels with a report; what could not be delivered comes back. */
export interface Luggage<T> {
  load(report: T): T;
  takeBack(report: T): void;
}

/**
 * Sends reports to another workflow by its id, one after the other, so that they arrive in order. A
 * report never rejects: where nobody is there to take it, that is logged as `report_undeliverable`
 * and the sender goes on (design §4).
 */
export class Reporter<T> implements Sender {
  private readonly waiting: T[] = [];
  private sending = false;
  private stopped = false;
  private readonly workflowId: string;
  private readonly signal: SignalDefinition<[T]>;
  private readonly luggage: Luggage<T>;

  constructor(workflowId: string, signal: SignalDefinition<[T]>, luggage: Luggage<T>) {
    this.workflowId = workflowId;
    this.signal = signal;
    this.luggage = luggage;
  }

  add(report: T): void {
    this.waiting.push(report);
  }

  get due(): boolean {
    return !this.stopped && !this.sending && this.waiting.length > 0;
  }

  send(): void {
    const [report] = this.waiting.splice(0, 1);
    if (report !== undefined) void this.deliver(report);
  }

  /** Resolves when Temporal has put every report into the receiver's history. */
  async sent(): Promise<void> {
    await CancellationScope.nonCancellable(() =>
      condition(() => !this.sending && this.waiting.length === 0),
    );
  }

  /** Sends no more, and resolves once nothing is under way: Temporal drops what a closed run was sending. */
  async stop(): Promise<void> {
    this.stopped = true;
    await condition(() => !this.sending);
  }

  private async deliver(report: T): Promise<void> {
    this.sending = true;
    const loaded = this.luggage.load(report);
    const delivered = await trySignal(this.workflowId, this.signal, loaded);
    if (!delivered) {
      log.warn('report_undeliverable', { receiver: this.workflowId });
      this.luggage.takeBack(loaded);
    }
    this.sending = false;
  }
}

/**
 * Signals a workflow; false where it is closed or missing. A cancellation of the sender does not stop it:
 * what was decided before it must still be told.
 */
export async function trySignal<Args extends unknown[]>(
  workflowId: string,
  signal: SignalDefinition<Args>,
  ...args: Args
): Promise<boolean> {
  try {
    await CancellationScope.nonCancellable(() =>
      getExternalWorkflowHandle(workflowId).signal(signal, ...args),
    );
    return true;
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    return false;
  }
}
