import {
  CancellationScope,
  TemporalFailure,
  condition,
  getExternalWorkflowHandle,
  log,
} from '@temporalio/workflow';
import type { ActivityOptions, SignalDefinition } from '@temporalio/workflow';

/** Something that goes out in its own time, one piece after the other. */
export interface Sender {
  /** Whether a piece is ready and none is under way. */
  readonly due: boolean;
  /** Sends the next piece. */
  send(): void;
}

/**
 * Lets senders send once everything that reached the workflow together has been taken in, the first
 * before the second. Handlers only note what is to be told: after an eviction the SDK hands a workflow
 * two tasks as one where the first changed nothing, with an Update before what preceded it, yet apart
 * when it replays them, and commands must come in the same order both times (docs/adr/0011).
 */
export async function sendInOrder(...senders: readonly Sender[]): Promise<never> {
  for (;;) {
    await condition(() => senders.some(({ due }) => due));
    await allTakenIn();
    for (const sender of senders) if (sender.due) sender.send();
  }
}

/** Conditions are looked at again only when no message and no result is left to be taken in. */
export async function allTakenIn(): Promise<void> {
  let taken = false;
  void Promise.resolve().then(() => {
    taken = true;
  });
  await condition(() => taken);
}

/** For what has to arrive at some time, and is given up only to be handed to the next run. */
export const UNTIL_TAKEN = {
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '5 seconds',
  },
  cancellationType: 'TRY_CANCEL',
} as const satisfies ActivityOptions;

/** What travels with a report; what could not be delivered comes back. */
export interface DeliveryHooks<T> {
  beforeSending(report: T): T;
  undelivered(report: T): void;
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
  private readonly hooks: DeliveryHooks<T>;

  constructor(workflowId: string, signal: SignalDefinition<[T]>, hooks: DeliveryHooks<T>) {
    this.workflowId = workflowId;
    this.signal = signal;
    this.hooks = hooks;
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
    const loaded = this.hooks.beforeSending(report);
    const delivered = await trySignal(this.workflowId, this.signal, loaded);
    if (!delivered) {
      log.warn('report_undeliverable', { receiver: this.workflowId });
      this.hooks.undelivered(loaded);
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
