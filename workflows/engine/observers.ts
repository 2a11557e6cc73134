import type { Announced, Announcement, Unreached } from '../../contracts/graph/announcement.js';
import { Sender, UNTIL_DONE, signalEachOnce } from './sender.js';
import { log, proxyActivities, sleep, type SignalDefinition } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { TaskNews } from '../../contracts/plan/task.js';
import { isGuardedBy, unguarded } from '../../domain/graph/announcement.js';
import { isWorkflowId } from '../../domain/kernel/message-form.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { onSignal } from './handlers.js';
import { announcementSignal, newsSignal, observeSignal, unobserveSignal } from './messages.js';

/**
 * Sends the latest state to many receivers. Each has at most one message under way, and gets the state as of its
 * turn, so that several changes become one message.
 */
export abstract class LatestState extends Sender {
  private readonly underWay = new Set<string>();

  /** At most `lanes` batches are sent at once. */
  constructor(lanes = 1) {
    super(lanes);
  }

  protected get batch(): number {
    return Infinity;
  }

  /** The receivers without the current state, the most urgent first. */
  protected abstract outstanding(): Iterable<string>;

  /** Sends the state to each receiver; returns those that were missing, or accept no more for now. */
  protected abstract tell(receivers: readonly string[]): Promise<Unreached>;

  protected sending?(receiver: string): void;

  protected missed?(receiver: string): void;

  /** Called when a receiver that accepted no more may accept the state now. */
  protected again?(receiver: string): void;

  /** Whether the last message to a receiver is unconfirmed. */
  protected isUnderWay(receiver: string): boolean {
    return this.underWay.has(receiver);
  }

  protected get ready(): boolean {
    return this.next(1).length > 0;
  }

  protected async sendNext(): Promise<void> {
    const receivers = this.next(this.batch);
    for (const receiver of receivers) {
      this.underWay.add(receiver);
      this.sending?.(receiver);
    }
    const { gone, full } = await this.tell(receivers);
    const resting = new Set(full);
    for (const receiver of receivers) if (!resting.has(receiver)) this.underWay.delete(receiver);
    for (const receiver of gone) this.missed?.(receiver);
    // During the pause a receiver counts as under way, so that the next run would send to it too.
    this.afterRest(full, (receiver) => {
      this.underWay.delete(receiver);
      this.again?.(receiver);
    });
  }

  private next(most: number): readonly string[] {
    const receivers = new Set<string>();
    for (const receiver of this.outstanding()) {
      if (receivers.size === most) break;
      if (!this.underWay.has(receiver)) receivers.add(receiver);
    }
    return [...receivers];
  }
}

const { announce } = proxyActivities<Pick<Activities, 'announce'>>({
  startToCloseTimeout: '60 seconds',
  ...UNTIL_DONE,
  summary: 'tell observers',
});

/** How many batches are sent at once. */
const LANES = 8;
/** How soon a missing observer is signalled again, because it may be between two runs. */
const AGAIN_AFTER_MS = 1_000;

/** The observers of a workflow, by whether they are known to have its current state. */
export interface CarriedObservers {
  readonly informed: readonly string[];
  readonly owed: readonly string[];
}

type Send<State> = (state: State, observers: readonly string[]) => Promise<Unreached>;

/**
 * The observers of a workflow, by workflow id: each gets its state on request, and after every change
 * (docs/adr/0018). A missing one is dropped; one that accepts no more for now gets it later.
 */
export class Observers<State> extends LatestState {
  private readonly current: () => State;
  private readonly sendTo: Send<State>;
  private readonly most: number;
  /** The most bytes in one batch, if each observer gets its own Signal. */
  private readonly batchBytes: number;
  private readonly wants: (observer: string) => boolean;
  private readonly observers: Set<string>;
  private readonly newcomers = new Set<string>();
  private owed: Set<string>;
  private bytes = 0;

  constructor(
    current: () => State,
    sendTo: Send<State>,
    { informed, owed }: CarriedObservers = NOBODY,
    most: number = WORKFLOW_LIMITS.announcementBatch,
    batchBytes = Infinity,
    wants: (observer: string) => boolean = () => true,
  ) {
    super(LANES);
    this.wants = wants;
    this.most = most;
    this.batchBytes = batchBytes;
    this.current = current;
    this.sendTo = sendTo;
    this.owed = new Set(owed);
    this.observers = new Set([...informed, ...owed]);
    for (const observer of this.observers) this.bytes += bytesOf(observer);
  }

  get carried(): CarriedObservers {
    const isSure = (one: string) =>
      !this.newcomers.has(one) && !this.owed.has(one) && !this.isUnderWay(one);
    const all = [...this.observers];
    return { informed: all.filter(isSure), owed: all.filter((one) => !isSure(one)) };
  }

  /** Allows other workflows to observe this one; `heard` is called after each message. */
  listen(heard: () => void): void {
    onSignal(observeSignal, isWorkflowId, (observer) => {
      heard();
      this.observe(observer);
    });
    onSignal(unobserveSignal, isWorkflowId, (observer) => {
      heard();
      this.unobserve(observer);
    });
  }

  has(isOfKind: (observer: string) => boolean): boolean {
    return [...this.observers].some(isOfKind);
  }

  owesTo(isOfKind: (observer: string) => boolean): boolean {
    const isOwed = (one: string) =>
      this.newcomers.has(one) || this.owed.has(one) || this.isUnderWay(one);
    return this.has((one) => isOfKind(one) && isOwed(one));
  }

  /** Adds an observer, which gets the state at once if it wants it; a known one gets it again. */
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
    if (this.wants(observer)) this.newcomers.add(observer);
  }

  /** Sends the new state to every observer that wants it. */
  changed(): void {
    this.owed = new Set([...this.observers].filter((one) => this.wants(one)));
  }

  /**
   * Drops what is under way without waiting, because the next run repeats it, and Temporal may delay the results of
   * Signals for long.
   */
  override async stop(): Promise<void> {
    void super.stop();
    return Promise.resolve();
  }

  protected override get batch(): number {
    const fit = Math.floor(this.batchBytes / jsonBytes(this.current()));
    return Math.max(1, Math.min(this.most, fit));
  }

  protected override *outstanding(): Iterable<string> {
    yield* this.newcomers;
    yield* this.owed;
  }

  protected override sending(observer: string): void {
    this.newcomers.delete(observer);
    this.owed.delete(observer);
  }

  protected override tell(observers: readonly string[]): Promise<Unreached> {
    return this.sendTo(this.current(), observers);
  }

  /** Drops the observer, unless it has asked again meanwhile. */
  protected override missed(observer: string): void {
    if (this.newcomers.has(observer)) return;
    this.unobserve(observer);
    log.info('observer_gone', { observer });
  }

  /** Sends the state again to an observer that accepted no more, unless it was dropped meanwhile. */
  protected override again(observer: string): void {
    if (this.observers.has(observer)) this.owed.add(observer);
  }

  private unobserve(observer: string): void {
    if (this.observers.delete(observer)) this.bytes -= bytesOf(observer);
    this.newcomers.delete(observer);
    this.owed.delete(observer);
  }
}

/**
 * The observers of an intent or a portfolio: a few are signalled directly, many by an activity for each batch.
 *
 * @param wants - whether an observer gets the state as it is now
 */
export function announcer(
  current: () => Announced,
  carried?: CarriedObservers,
  batch?: number,
  wants?: (observer: string) => boolean,
): Observers<Announced> {
  const send: Send<Announced> = (announcement, observers) =>
    'guard' in announcement
      ? announceGuarded(announcement, observers)
      : announceTo(announcement, observers);
  return new Observers(current, send, carried, batch, undefined, wants);
}

async function announceGuarded(
  announcement: Announcement,
  observers: readonly string[],
): Promise<Unreached> {
  const others = observers.filter((observer) => !isGuardedBy(observer));
  const unreached = await Promise.all([
    announceTo(announcement, observers.filter(isGuardedBy)),
    announceTo(unguarded(announcement), others),
  ]);
  const those = (what: keyof Unreached) => unreached.flatMap((one) => one[what]);
  return { gone: those('gone'), full: those('full') };
}

function announceTo(announcement: Announced, observers: readonly string[]): Promise<Unreached> {
  return observers.length > WORKFLOW_LIMITS.directAnnouncements
    ? announce({ observers, announcement })
    : signalEachOnce(observers, announcementSignal, announcement);
}

export function taskObservers(
  current: () => TaskNews,
  carried?: CarriedObservers,
): Observers<TaskNews> {
  return new Observers(
    current,
    (news, observers) => tellTwice(newsSignal, news, observers),
    carried,
    WORKFLOW_LIMITS.announcementBatch,
    WORKFLOW_LIMITS.newsBatchBytes,
  );
}

/** Signals missing observers once more, a second later. */
async function tellTwice<State>(
  signal: SignalDefinition<[State]>,
  state: State,
  observers: readonly string[],
): Promise<Unreached> {
  const first = await signalEachOnce(observers, signal, state);
  if (first.gone.length === 0) return first;
  await sleep(AGAIN_AFTER_MS);
  const { gone, full } = await signalEachOnce(first.gone, signal, state);
  return { gone, full: [...first.full, ...full] };
}

const NOBODY: CarriedObservers = { informed: [], owed: [] };

/** Includes quotes and comma. */
function bytesOf(observer: string): number {
  return jsonBytes(observer) + 1;
}
