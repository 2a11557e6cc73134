import {
  ApplicationFailure,
  CancellationScope,
  TemporalFailure,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  sleep,
  type ActivityOptions,
  type SignalDefinition,
} from '@temporalio/workflow';
import type { Unreached } from '../../contracts/graph/announcement.js';
import { markTask, mayNeedMark } from './task-mark.js';

/** For activities that are retried until they succeed; they are cancelled only to be passed to the next run. */
export const UNTIL_DONE = {
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '5 seconds',
  },
  cancellationType: 'TRY_CANCEL',
} as const satisfies ActivityOptions;

/**
 * Sends something asynchronously. There are three kinds: an ordered queue (`queue.ts`), the latest state to many
 * receivers (`latest-state.ts`), and a subscription to another workflow's state (`observing.ts`).
 */
export abstract class Sender {
  private readonly scope = new CancellationScope({ cancellable: true });
  private readonly lanes: number;
  private running = 0;
  private resting = 0;
  private stopped = false;

  /** @param lanes - how many pieces may be under way at once */
  constructor(lanes = 1) {
    this.lanes = lanes;
  }

  protected abstract get ready(): boolean;

  /** Sends the next piece; removes it from the waiting ones before the first await. */
  protected abstract sendNext(): Promise<void>;

  get due(): boolean {
    return !this.stopped && this.running < this.lanes && this.ready;
  }

  get idle(): boolean {
    return this.running === 0;
  }

  /** Whether something must still arrive before the workflow may end. */
  get owes(): boolean {
    return !this.idle || this.ready || this.resting > 0;
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  send(): void {
    void this.scope.run(async () => {
      this.running += 1;
      try {
        await this.sendNext();
      } catch (error) {
        if (!this.stopped || !isCancellation(error)) throw error;
      } finally {
        this.running -= 1;
      }
    });
  }

  /** Makes everything due, also what could have waited for other pieces. */
  flush(): void {
    // Most senders never delay anything.
  }

  /** Resolves once everything has arrived, also for a caller that is cancelled meanwhile. */
  async drained(): Promise<void> {
    this.flush();
    await CancellationScope.nonCancellable(() => condition(() => !this.owes));
  }

  /** Sends what only this run can send, before any sender of the workflow stops. */
  letGo(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Sends no more, and drops what is under way, which the next run gets again. It waits for Signals, because Temporal
   * drops those that a closed run was sending.
   */
  async stop(): Promise<void> {
    this.stopped = true;
    this.scope.cancel();
    await condition(() => this.idle);
  }

  /** Calls back for each receiver that accepted no more, after a pause; not if the sender is stopped before. */
  protected afterRest(full: readonly string[], again: (receiver: string) => void): void {
    if (full.length > 0) void this.rest(full, again);
  }

  private async rest(full: readonly string[], again: (receiver: string) => void): Promise<void> {
    log.warn('receivers_full', { receivers: full.length });
    this.resting += 1;
    try {
      await sleep(FULL_PAUSE);
      for (const receiver of full) again(receiver);
    } catch (error) {
      if (!isCancellation(error)) throw error;
    } finally {
      this.resting -= 1;
    }
  }
}

/**
 * The senders of a workflow. They send once everything that arrived together has been applied: the SDK may deliver
 * two tasks as one, and separately in a replay, and commands must come in the same order (docs/adr/0011).
 */
export class Outbox {
  private readonly senders: readonly Sender[];

  constructor(...senders: readonly Sender[]) {
    this.senders = senders;
  }

  start(): this {
    void this.sendInOrder();
    return this;
  }

  get idle(): boolean {
    return this.senders.every(({ idle }) => idle);
  }

  /** Resolves once everything that must arrive before the workflow ends has arrived. */
  async drained(): Promise<void> {
    for (const sender of this.senders) sender.flush();
    await condition(() => !this.senders.some(({ owes }) => owes));
  }

  async letGo(): Promise<void> {
    await Promise.all(this.senders.map((sender) => sender.letGo()));
  }

  /** Drops what is under way; the carried state of the senders is then complete. */
  async stop(): Promise<void> {
    await Promise.all(this.senders.map((sender) => sender.stop()));
  }

  private async sendInOrder(): Promise<never> {
    for (;;) {
      await condition(() => mayNeedMark() || this.senders.some(({ due }) => due));
      await allTakenIn();
      let sends = false;
      for (const sender of this.senders) {
        if (!sender.due) continue;
        sends = true;
        sender.send();
      }
      markTask(sends || this.idle);
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
 * Waits until the timers are set, for an Update after which a paused clock continues. Its timer may have fired
 * without effect meanwhile. A replay gets timer and Update together, and would complete the Update before it sets the
 * new timer. After the first wait the run loop has set its timer, after the second the senders have sent.
 */
export async function timersAreSet(): Promise<void> {
  await allTakenIn();
  await allTakenIn();
}

/** Temporal's error for a workflow whose run has received the most Signals, 10,000 unless configured otherwise. */
const FULL = 'SignalCountLimitExceeded';
/** Such a workflow accepts Signals again in its next run, once its worker has caught up. */
const FULL_PAUSE = '5 seconds';

/** Whether a workflow accepted a Signal: `gone` if it is closed or missing, `full` if it accepts no more for now. */
export type Taken = 'taken' | 'gone' | 'full';

/** Signals a workflow once, even if the sender is cancelled, because the message was decided before. */
export async function signalOnce<Args extends unknown[]>(
  workflowId: string,
  signal: SignalDefinition<Args>,
  ...args: Args
): Promise<Taken> {
  try {
    await CancellationScope.nonCancellable(() =>
      getExternalWorkflowHandle(workflowId).signal(signal, ...args),
    );
    return 'taken';
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    return error instanceof ApplicationFailure && error.type === FULL ? 'full' : 'gone';
  }
}

/** Signals a workflow, and retries while it is full; returns false if it is closed or missing. */
export async function trySignal<Args extends unknown[]>(
  workflowId: string,
  signal: SignalDefinition<Args>,
  ...args: Args
): Promise<boolean> {
  for (;;) {
    const taken = await signalOnce(workflowId, signal, ...args);
    if (taken !== 'full') return taken === 'taken';
    log.warn('receiver_full', { receiver: workflowId });
    await sleep(FULL_PAUSE);
  }
}

/** Signals each of these workflows, as `trySignal` does. */
export async function signalEach<Args extends unknown[]>(
  workflowIds: readonly string[],
  signal: SignalDefinition<Args>,
  ...args: Args
): Promise<void> {
  await Promise.all(workflowIds.map((id) => trySignal(id, signal, ...args)));
}

/** Signals each of these workflows once; returns those that did not accept it. */
export async function signalEachOnce<Args extends unknown[]>(
  workflowIds: readonly string[],
  signal: SignalDefinition<Args>,
  ...args: Args
): Promise<Unreached> {
  const taken = await Promise.all(workflowIds.map((id) => signalOnce(id, signal, ...args)));
  return unreached(workflowIds, taken);
}

export function unreached(receivers: readonly string[], taken: readonly Taken[]): Unreached {
  const those = (what: Taken) => receivers.filter((_one, index) => taken[index] === what);
  return { gone: those('gone'), full: those('full') };
}
