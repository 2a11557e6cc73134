import {
  CancellationScope,
  condition,
  isCancellation,
  log,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { Announced } from '../../contracts/announcement.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { announcementSignal } from './messages.js';
import { UNTIL_TAKEN, trySignal } from './outbox.js';
import type { Sender } from './outbox.js';

const { announce } = proxyActivities<Pick<Activities, 'announce'>>({
  startToCloseTimeout: '60 seconds',
  ...UNTIL_TAKEN,
  summary: 'tell observers',
});

/** Batches under way at once. */
const LANES = 8;

/** The observers of an intent or a portfolio, apart those that have not been told its current state. */
export interface CarriedObservers {
  readonly told: readonly string[];
  readonly owed: readonly string[];
}

/**
 * Tells every observer of an intent or a portfolio what it is now: few by signals of its own, many by an activity for each
 * batch (design §4). Each observer has one announcement under way at most, and gets the state as it is when
 * its turn comes, so that changes in between become one. One that is gone is dropped. Without observers it
 * does nothing at all.
 */
export class Announcer implements Sender {
  private readonly current: () => Announced;
  private readonly observers: Set<string>;
  private readonly newcomers = new Set<string>();
  private owed: Set<string>;
  private readonly telling = new Set<string>();
  private readonly batch: number;
  private lanes = 0;
  private bytes = 0;
  private readonly scope = new CancellationScope({ cancellable: true });
  private stopped = false;

  constructor(
    current: () => Announced,
    { told, owed }: CarriedObservers = NOBODY,
    batch: number = WORKFLOW_LIMITS.announcementBatch,
  ) {
    this.current = current;
    this.batch = batch;
    this.owed = new Set(owed);
    this.observers = new Set([...told, ...owed]);
    for (const observer of this.observers) this.bytes += bytesOf(observer);
  }

  get carried(): CarriedObservers {
    const sure = (one: string) =>
      ![this.newcomers, this.telling, this.owed].some((unsure) => unsure.has(one));
    const all = [...this.observers];
    return { told: all.filter(sure), owed: all.filter((one) => !sure(one)) };
  }

  /** Adds an observer, which is told at once; one that is known is told again. */
  observe(observer: string): void {
    if (!this.observers.has(observer)) {
      const bytes = this.bytes + bytesOf(observer);
      if (bytes > WORKFLOW_LIMITS.observerBytes) {
        log.error('observer_refused', { observer, observers: this.observers.size });
        return;
      }
      this.bytes = bytes;
      this.observers.add(observer);
    }
    this.newcomers.add(observer);
  }

  unobserve(observer: string): void {
    if (this.observers.delete(observer)) this.bytes -= bytesOf(observer);
    this.newcomers.delete(observer);
    this.owed.delete(observer);
  }

  /** From now on everybody is owed the new state. */
  changed(): void {
    this.owed = new Set(this.observers);
  }

  get due(): boolean {
    return !this.stopped && this.lanes < LANES && this.next(1).length > 0;
  }

  send(): void {
    const batch = this.next(this.batch);
    for (const observer of batch) {
      this.newcomers.delete(observer);
      this.owed.delete(observer);
      this.telling.add(observer);
    }
    void this.scope.run(() => this.deliver(batch));
  }

  /** Resolves once everybody knows the current state. */
  async told(): Promise<void> {
    await condition(() => this.lanes === 0 && this.newcomers.size + this.owed.size === 0);
  }

  /**
   * Gives up what is under way; who may not have been told is among the owed, and is told again. It waits for
   * nothing: where many signal a workflow, Temporal lets it hear of its own signals last, and the run would grow
   * all that time.
   */
  stop(): void {
    this.stopped = true;
    this.scope.cancel();
  }

  /** Who is to be told next; who has just come goes first. */
  private next(most: number): string[] {
    const batch: string[] = [];
    for (const waiting of [this.newcomers, this.owed]) {
      for (const observer of waiting) {
        if (batch.length === most) return batch;
        if (!this.telling.has(observer) && !batch.includes(observer)) batch.push(observer);
      }
    }
    return batch;
  }

  private async deliver(batch: readonly string[]): Promise<void> {
    this.lanes += 1;
    try {
      const gone = await tell(batch, this.current());
      for (const observer of batch) this.telling.delete(observer);
      for (const observer of gone) this.drop(observer);
    } catch (error) {
      if (!this.stopped || !isCancellation(error)) throw error;
    } finally {
      this.lanes -= 1;
    }
  }

  /** One that asked again meanwhile is there. */
  private drop(observer: string): void {
    if (this.newcomers.has(observer)) return;
    this.unobserve(observer);
    log.info('observer_gone', { observer });
  }
}

const NOBODY: CarriedObservers = { told: [], owed: [] };

/** Quotes and comma included. */
function bytesOf(observer: string): number {
  return jsonBytes(observer) + 1;
}

/** Returns those that are gone. */
async function tell(
  observers: readonly string[],
  announcement: Announced,
): Promise<readonly string[]> {
  if (observers.length > WORKFLOW_LIMITS.directAnnouncements) {
    return announce({ observers, announcement });
  }
  const taken = await Promise.all(
    observers.map((observer) => trySignal(observer, announcementSignal, announcement)),
  );
  return observers.filter((_observer, index) => taken[index] === false);
}
