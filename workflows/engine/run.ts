import {
  CancellationScope,
  allHandlersFinished,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { isEarlier } from '../../domain/kernel/time.js';
import { waitUntil } from './clock.js';
import { Repeats, type CarriedRepeats } from './repeats.js';
import type { Outbox } from './sender.js';

/** How long a run that ends waits for a write under way; the next run repeats one that takes longer. */
const WRITES_WITHIN_MS = 1_000;

export interface CarriedBase {
  /** A cancellation during the handover of the run before, which Temporal does not pass on. */
  readonly cancel_requested?: true;
  readonly repeats?: CarriedRepeats;
}

export interface RunInput {
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
  readonly carried?: CarriedBase;
}

/** The next instant at which the clock changes something. */
export interface NextInstant {
  readonly at: string | undefined;
  /** The name of the timer. */
  readonly summary: string;
  /** Whether the timer is cancelled when the instant moves later; otherwise it fires without effect, and is set again. */
  readonly follows?: boolean;
  /** Whether the clock is paused, so that an earlier timer may fire without effect. */
  readonly paused?: boolean;
}

/** The state of a workflow in one run, as the run loop sees it. */
export abstract class Entity<Run extends RunInput = RunInput> {
  /** Set while this run hands over to the next. */
  moving = false;
  readonly isFirstRun: boolean;
  readonly repeats: Repeats;
  private readonly historyLimit: number;
  private long = false;

  constructor({ carried, history_limit = WORKFLOW_LIMITS.historyEvents }: RunInput) {
    this.isFirstRun = carried === undefined;
    this.repeats = new Repeats(carried?.repeats);
    this.historyLimit = history_limit;
  }

  abstract readonly outbox: Outbox;

  abstract get over(): boolean;

  abstract settleDue(): void;

  abstract get nextRun(): Run;

  get nextInstant(): NextInstant {
    return { at: undefined, summary: '' };
  }

  /** Whether there is work for `Life.work`. */
  get isBusy(): boolean {
    return false;
  }

  /** Whether the run is so long that a new one should continue. */
  get mayMove(): boolean {
    return this.long;
  }

  /** A run that is about to hand over accepts no more writes, because its state might otherwise never fit. */
  get takesNoWrites(): boolean {
    return this.moving || this.mayMove;
  }

  /** Whether a new run starts now: this one is long enough, and its state fits. */
  get mustMove(): boolean {
    return this.mayMove && jsonBytes(this.measured) <= this.carriedBytes;
  }

  /**
   * The largest state that is passed to the next run. Together with what is not measured it stays below Temporal's 2
   * MB.
   */
  protected readonly carriedBytes: number = WORKFLOW_LIMITS.carriedBytes;

  /** The part of the next run's input that is measured. */
  protected get measured(): unknown {
    return this.nextRun.carried;
  }

  /** Ends the run as soon as possible; a new one continues without its history. */
  renew(): void {
    this.long = true;
  }

  /**
   * Updates the length of the run. Call it in handlers, and after a timer has fired. A condition must not read it: a
   * refused Update makes the history longer, but a replay does not see it.
   */
  measure(): void {
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    this.long ||= continueAsNewSuggested || historyLength > this.historyLimit;
  }

  /**
   * Stops the work of this run, so that its carried state is complete. It waits a moment for a write under way,
   * because Temporal refuses to close a run while the end of an activity arrives.
   */
  async handOver(): Promise<void> {
    await this.outbox.letGo();
    await condition(() => this.writesEnded, WRITES_WITHIN_MS);
    await this.outbox.stop();
  }

  protected get writesEnded(): boolean {
    return this.outbox.idle;
  }
}

export interface Life<E extends Entity> {
  readonly begin: () => E;
  readonly work?: (entity: E) => Promise<void>;
  /** Ends the entity after a cancellation of its workflow through Temporal. */
  readonly cancel: (entity: E) => void | Promise<void>;
  /** Resolves once everything that must arrive before the workflow ends has arrived. */
  readonly finish?: (entity: E) => Promise<void>;
}

/** Runs a workflow: settles what is due, handles messages, waits for the next instant, continues as new, and finishes. */
export async function run<E extends Entity>(
  { carried }: RunInput,
  { begin, work, cancel, finish = finishSending }: Life<E>,
): Promise<E> {
  const cancelRequested = watchCancellation(carried);
  return CancellationScope.nonCancellable(async () => {
    const entity = begin();
    let cancelled = false;
    const mustCancel = (): boolean => cancelRequested() && !cancelled;
    const isOver = (): boolean => entity.over;
    while (!isOver()) {
      entity.settleDue();
      if (entity.isBusy) await work?.(entity);
      if (isOver()) break;
      if (mustCancel()) {
        cancelled = true;
        await cancel(entity);
      } else if (entity.mustMove) await moveOn(entity, cancelRequested);
      else await nextTurn(entity, mustCancel);
    }
    await finish(entity);
    await condition(allHandlersFinished);
    return entity;
  });
}

/** Waits for all handlers, and until the senders have sent everything. */
export async function finishSending({ outbox }: Entity): Promise<void> {
  await condition(allHandlersFinished);
  await outbox.drained();
}

async function nextTurn(entity: Entity, mustCancel: () => boolean): Promise<void> {
  const { at: armed, summary, follows = false } = entity.nextInstant;
  const turned = (): boolean => {
    if (entity.over || entity.isBusy || mustCancel() || entity.mustMove) return true;
    const { at } = entity.nextInstant;
    return isEarlier(at, armed) || (follows && at !== armed);
  };
  if (armed === undefined) await condition(turned);
  else await waitUntil(armed, turned, summary);
}

/** Hands over to a new run, including everything that arrives meanwhile. */
async function moveOn(entity: Entity, cancelRequested: () => boolean): Promise<never> {
  entity.moving = true;
  await condition(allHandlersFinished);
  await entity.handOver();
  await condition(allHandlersFinished);
  const { nextRun } = entity;
  const repeats = entity.repeats.carried;
  const carried: CarriedBase = {
    ...nextRun.carried,
    ...(cancelRequested() && { cancel_requested: true }),
    ...(repeats.writes && { repeats }),
  };
  return continueAsNew<(input: RunInput) => Promise<unknown>>({ ...nextRun, carried });
}

/** Returns whether a cancellation of this workflow was requested; call it in the root scope. */
function watchCancellation({ cancel_requested }: CarriedBase = {}): () => boolean {
  let requested = cancel_requested ?? false;
  CancellationScope.current().cancelRequested.catch(() => {
    requested = true;
  });
  return () => requested;
}
