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
import { Repeats } from './repeats.js';
import type { CarriedRepeats } from './repeats.js';
import type { Outbox } from './sender.js';

/** How long a run that ends waits for a write that is under way; the next run repeats one that takes longer. */
const WRITES_WITHIN_MS = 1_000;

/** What every run hands over to the next. */
export interface CarriedBase {
  /** A cancellation that came while the run before handed over: Temporal does not pass it on. */
  readonly cancel_requested?: true;
  /** The writes that came under keys. */
  readonly repeats?: CarriedRepeats;
}

/** What every run starts with. */
export interface RunInput {
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
  /** What the run before hands over. */
  readonly carried?: CarriedBase;
}

/** The next instant at which the clock changes something. */
export interface NextInstant {
  readonly at: string | undefined;
  /** The name of the timer. */
  readonly summary: string;
  /** Whether the timer is cancelled when the instant moves later; else it fires for nothing, and is set again. */
  readonly follows?: boolean;
  /** Whether the clock is paused, so that a timer that was set before may fire for nothing. */
  readonly paused?: boolean;
}

/** The state of a workflow in one run, as the run loop sees it. */
export abstract class Entity<Run extends RunInput = RunInput> {
  /** Set while this run hands over to the next. */
  moving = false;
  readonly isFirstRun: boolean;
  /** The writes that came under keys. */
  readonly repeats: Repeats;
  private readonly historyLimit: number;
  private long = false;

  constructor({ carried, history_limit = WORKFLOW_LIMITS.historyEvents }: RunInput) {
    this.isFirstRun = carried === undefined;
    this.repeats = new Repeats(carried?.repeats);
    this.historyLimit = history_limit;
  }

  abstract readonly outbox: Outbox;

  /** Whether nothing is left to wait for. */
  abstract get over(): boolean;

  /** Lets what is due by now take effect. */
  abstract settleDue(): void;

  /** What the next run would start with if this one ended now. */
  abstract get nextRun(): Run;

  get nextInstant(): NextInstant {
    return { at: undefined, summary: '' };
  }

  /** Whether work waits for `Life.work`. */
  get isBusy(): boolean {
    return false;
  }

  /** Whether the run has grown so long that a new one should go on. */
  get mayMove(): boolean {
    return this.long;
  }

  /** A run that is to hand over takes no more writes, or what it carries might never fit. */
  get takesNoWrites(): boolean {
    return this.moving || this.mayMove;
  }

  /** Whether a new run goes on now: this one is long enough, and what it would carry fits. */
  get mustMove(): boolean {
    return this.mayMove && jsonBytes(this.measured) <= this.carriedBytes;
  }

  /** The most that a run may carry. Together with what is not measured it stays under Temporal's 2 MB. */
  protected readonly carriedBytes: number = WORKFLOW_LIMITS.carriedBytes;

  /** The part of the next run's input that has to fit. */
  protected get measured(): unknown {
    return this.nextRun.carried;
  }

  /** Ends the run as soon as it may: a new one goes on without its history. */
  renew(): void {
    this.long = true;
  }

  /**
   * Reads the length of the run. Call it in handlers, and where a timer has fired. A condition must not read it: a
   * refused Update makes the history longer, but a replay does not see it.
   */
  measure(): void {
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    this.long ||= continueAsNewSuggested || historyLength > this.historyLimit;
  }

  /**
   * Stops what this run still does; what it carries is then complete. It waits a moment for a write that is under way, because
   * Temporal refuses to close a run while the end of an activity comes in.
   */
  async handOver(): Promise<void> {
    await this.outbox.letGo();
    await condition(() => this.writesEnded, WRITES_WITHIN_MS);
    await this.outbox.stop();
  }

  /** Whether nothing is under way that the next run would do again. */
  protected get writesEnded(): boolean {
    return this.outbox.idle;
  }
}

/** The parts in which the lives of workflow types differ. */
export interface Life<E extends Entity> {
  /** Makes the entity and registers its handlers. */
  readonly begin: () => E;
  /** Does the work for which the entity is busy. */
  readonly work?: (entity: E) => Promise<void>;
  /** Ends the entity, because somebody cancelled its workflow through Temporal itself. */
  readonly cancel: (entity: E) => void | Promise<void>;
  /** Resolves once all that must arrive before the workflow ends has arrived. */
  readonly finish?: (entity: E) => Promise<void>;
}

/** Runs a workflow: settles what is due, takes messages in, waits for the next instant, continues as new, and finishes. */
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

/** Waits for all handlers, and for all that the senders have to send. */
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

/** Hands over to a new run, with whatever comes in meanwhile. */
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
