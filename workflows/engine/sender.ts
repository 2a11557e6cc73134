import {
  CancellationScope,
  TemporalFailure,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
} from '@temporalio/workflow';
import type { ActivityOptions, SignalDefinition } from '@temporalio/workflow';

/** For activities that must succeed at some time; they are given up only to be handed to the next run. */
export const UNTIL_DONE = {
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '5 seconds',
  },
  cancellationType: 'TRY_CANCEL',
} as const satisfies ActivityOptions;

/**
 * Something that goes out in its own time. There are three kinds: an ordered queue (`queue.ts`), the latest state
 * to many receivers (`latest-state.ts`), and a subscription to another workflow's state (`observing.ts`).
 */
export abstract class Sender {
  private readonly scope = new CancellationScope({ cancellable: true });
  private readonly lanes: number;
  private running = 0;
  private stopped = false;

  /** `lanes` is how many pieces may be under way at once. */
  constructor(lanes = 1) {
    this.lanes = lanes;
  }

  /** Whether a piece waits to be sent. */
  protected abstract get ready(): boolean;

  /** Sends the next piece; takes it before it waits for anything. */
  protected abstract sendNext(): Promise<void>;

  get due(): boolean {
    return !this.stopped && this.running < this.lanes && this.ready;
  }

  get idle(): boolean {
    return this.running === 0;
  }

  /** Whether something must still arrive before the workflow may end. */
  get owes(): boolean {
    return !this.idle || this.ready;
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  send(): void {
    void this.scope.run(() => this.attempt());
  }

  /** Makes due also what could have waited for other pieces. */
  flush(): void {
    // Most senders let nothing wait.
  }

  /** Resolves once all has arrived, also for a caller that is cancelled meanwhile. */
  async drained(): Promise<void> {
    this.flush();
    await CancellationScope.nonCancellable(() => condition(() => !this.owes));
  }

  /**
   * Sends no more, and gives up what is under way: it stays in what the sender carries to the next run. Signals
   * are not given up but waited for, as Temporal drops those that a closed run was sending.
   */
  async stop(): Promise<void> {
    this.stopped = true;
    this.scope.cancel();
    await condition(() => this.idle);
  }

  private async attempt(): Promise<void> {
    this.running += 1;
    try {
      await this.sendNext();
    } catch (error) {
      if (!this.stopped || !isCancellation(error)) throw error;
    } finally {
      this.running -= 1;
    }
  }
}

/**
 * The senders of a workflow. They send once everything that reached the workflow together has been taken in, the
 * first before the second. Handlers only change state: after an eviction the SDK may hand a workflow two tasks as
 * one, with an Update before what preceded it, yet apart when it replays them, and commands must come in the same
 * order both times (docs/adr/0011).
 */
export class Outbox {
  private readonly senders: readonly Sender[];

  constructor(...senders: readonly Sender[]) {
    this.senders = senders;
  }

  /** From now on what is due goes out. */
  start(): this {
    void this.sendInOrder();
    return this;
  }

  get idle(): boolean {
    return this.senders.every(({ idle }) => idle);
  }

  /** Resolves once all has arrived that must arrive before the workflow ends. */
  async drained(): Promise<void> {
    for (const sender of this.senders) sender.flush();
    await condition(() => !this.senders.some(({ owes }) => owes));
  }

  /** Gives up what is under way; what the senders carry is then complete. */
  async stop(): Promise<void> {
    await Promise.all(this.senders.map((sender) => sender.stop()));
  }

  private async sendInOrder(): Promise<never> {
    for (;;) {
      await condition(() => this.senders.some(({ due }) => due));
      await allTakenIn();
      for (const sender of this.senders) if (sender.due) sender.send();
    }
  }
}

/** Temporal re-checks conditions only after it has applied every message and activity result of the task. */
async function allTakenIn(): Promise<void> {
  let taken = false;
  void Promise.resolve().then(() => {
    taken = true;
  });
  await condition(() => taken);
}

/**
 * For an Update whose change arms a timer where an earlier timer fired for nothing: a replay takes in both at
 * once, and the Update's completion would change places with the new timer. After the first look the run loop has
 * set its timer, after the second the senders have sent.
 */
export async function timersAreSet(): Promise<void> {
  await allTakenIn();
  await allTakenIn();
}

/**
 * Signals a workflow; false where it is closed or missing. A cancellation of the sender does not stop it:
 * what was decided before must still arrive.
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

/** Signals each of these workflows; returns the ids of those that are closed or missing. */
export async function signalEach<Args extends unknown[]>(
  workflowIds: readonly string[],
  signal: SignalDefinition<Args>,
  ...args: Args
): Promise<readonly string[]> {
  const taken = await Promise.all(workflowIds.map((id) => trySignal(id, signal, ...args)));
  return workflowIds.filter((_id, index) => taken[index] === false);
}
