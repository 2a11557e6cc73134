import { log, proxyActivities, sleep } from '@temporalio/workflow';
import type { SignalDefinition } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { Announced, Announcement, Unreached } from '../../contracts/graph/announcement.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { TaskNews } from '../../contracts/plan/task.js';
import { isGuardedBy, unguarded } from '../../domain/graph/announcement.js';
import { isWorkflowId } from '../../domain/kernel/message-form.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { onSignal } from './handlers.js';
import { LatestState } from './latest-state.js';
import { announcementSignal, newsSignal, observeSignal, unobserveSignal } from './messages.js';
import { UNTIL_DONE, signalEachOnce } from './sender.js';

const { announce } = proxyActivities<Pick<Activities, 'announce'>>({
  startToCloseTimeout: '60 seconds',
  ...UNTIL_DONE,
  summary: 'tell observers',
});

/** Batches under way at once. */
const LANES = 8;
/** An observer that is missing may be between two runs. */
const AGAIN_AFTER_MS = 1_000;

/** The observers of a workflow, by whether they surely have its current state. */
export interface CarriedObservers {
  readonly informed: readonly string[];
  readonly owed: readonly string[];
}

/** Sends a state to some observers; returns those that did not take it. */
type Send<State> = (state: State, observers: readonly string[]) => Promise<Unreached>;

/**
 * The observers of a workflow, by their workflow ids: each gets its state when it asks, and after every change
 * (docs/adr/0018). One that is gone is dropped, one that is full gets it later.
 */
export class Observers<State> extends LatestState {
  private readonly current: () => State;
  private readonly sendTo: Send<State>;
  private readonly most: number;
  /** How many bytes may go out in one batch, where each observer gets a Signal of its own. */
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

  /** Lets other workflows observe this one; `heard` follows each message. */
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

  /** Whether an observer of this kind is there. */
  has(isOfKind: (observer: string) => boolean): boolean {
    return [...this.observers].some(isOfKind);
  }

  /** Whether the state is still on its way to an observer of this kind. */
  owesTo(isOfKind: (observer: string) => boolean): boolean {
    const isOwed = (one: string) =>
      this.newcomers.has(one) || this.owed.has(one) || this.isUnderWay(one);
    return this.has((one) => isOfKind(one) && isOwed(one));
  }

  /** Adds an observer, which gets the state at once if it wants it; one that is known gets it again. */
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

  /** From now on everybody who wants it is owed the new state. */
  changed(): void {
    this.owed = new Set([...this.observers].filter((one) => this.wants(one)));
  }

  /** Gives up what is under way without waiting: the next run repeats it, and Temporal may hold up the results of Signals for long. */
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

  /** Drops the observer, unless it asked again meanwhile. */
  protected override missed(observer: string): void {
    if (this.newcomers.has(observer)) return;
    this.unobserve(observer);
    log.info('observer_gone', { observer });
  }

  /** Owes the state to an observer that was full, unless it went meanwhile. */
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
 * The observers of an intent or a portfolio: few get a Signal each, many an activity for each batch.
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

/** The observers of a task: its plan, and the tasks that depend on it. */
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

/** Signals those that were missing once more, a second later. */
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

/** Quotes and comma included. */
function bytesOf(observer: string): number {
  return jsonBytes(observer) + 1;
}
