import {
  CancellationScope,
  getExternalWorkflowHandle,
  log,
  TemporalFailure,
  type SignalDefinition,
} from '@temporalio/workflow';

/**
 * Sends reports to another workflow by its id, one after the other, so that they arrive in order. A
 * report never rejects: where nobody is there to take it, that is logged as `report_undeliverable`
 * and the sender goes on (design §4).
 */
export class Reporter<T> {
  private tail: Promise<void> = Promise.resolve();
  private readonly workflowId: string;
  private readonly signal: SignalDefinition<[T]>;

  constructor(workflowId: string, signal: SignalDefinition<[T]>) {
    this.workflowId = workflowId;
    this.signal = signal;
  }

  /** Resolves when Temporal has put the report, and all before it, into the receiver's history. */
  send(report: T): Promise<void> {
    this.tail = this.tail.then(async () => {
      const delivered = await trySignal(this.workflowId, this.signal, report);
      if (!delivered) log.warn('report_undeliverable', { receiver: this.workflowId });
    });
    return this.tail;
  }

  /** Resolves when nothing is left to send, reports included that were added meanwhile. */
  async sent(): Promise<void> {
    let last: Promise<void>;
    do {
      last = this.tail;
      await last;
    } while (last !== this.tail);
  }
}

/**
 * Signals a workflow; false where it is closed or missing. A cancellation of the sender does not stop it:
 * what was decided before it must still be told.
 */
export async function trySignal<T>(
  workflowId: string,
  signal: SignalDefinition<[T]>,
  message: T,
): Promise<boolean> {
  try {
    await CancellationScope.nonCancellable(() =>
      getExternalWorkflowHandle(workflowId).signal(signal, message),
    );
    return true;
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    return false;
  }
}
