import { log, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { Announcement, Unreached } from '../../contracts/graph/announcement.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { TaskNews } from '../../contracts/plan/task.js';
import { observeSignal, unobserveSignal } from './messages.js';
import { Sender, UNTIL_DONE, signalEachOnce } from './sender.js';
import { peerIdOf } from './space.js';

const { observeIntents } = proxyActivities<Pick<Activities, 'observeIntents'>>({
  startToCloseTimeout: '60 seconds',
  ...UNTIL_DONE,
  summary: 'observe intents',
});

const { readTasks } = proxyActivities<Pick<Activities, 'readTasks'>>({
  startToCloseTimeout: '10 seconds',
  ...UNTIL_DONE,
  summary: 'read tasks that are over',
});

type Wish = 'observe' | 'unobserve';

/** Requests that have not been sent yet. */
export type CarriedWishes = readonly (readonly [id: string, wish: Wish])[];

type Observable = 'intent' | 'portfolio' | 'task';

/**
 * Asks workflows of one kind to send this one their state, or to stop; returns the ids of those that did not accept
 * it.
 */
async function tell(
  kind: Observable,
  ids: readonly string[],
  signal: typeof observeSignal,
): Promise<Unreached> {
  const workflowIds = ids.map((id) => peerIdOf(kind, id));
  const { gone, full } = await signalEachOnce(workflowIds, signal, workflowInfo().workflowId);
  const those = (unreached: readonly string[]) =>
    ids.filter((id) => unreached.includes(peerIdOf(kind, id)));
  return { gone: those(gone), full: those(full) };
}

/** The last states of ended workflows, and the ids of those that accept no Signal for now. */
interface Observed<State> {
  readonly ended: readonly State[];
  readonly full: readonly string[];
}

interface Kind<State> {
  readonly kind: Observable;
  /** More workflows than this are not signalled directly. */
  readonly direct: number;
  /** Reads the states of workflows that no Signal reached: a closed workflow has written its end to the store. */
  readonly read: (ids: readonly string[]) => Promise<Observed<State>>;
}

const INTENTS: Kind<Announcement> = {
  kind: 'intent',
  direct: WORKFLOW_LIMITS.directAnnouncements,
  // Also signals open intents, because many are not signalled directly.
  read: (intent_ids) => observeIntents({ observer: workflowInfo().workflowId, intent_ids }),
};

const TASKS: Kind<TaskNews> = {
  kind: 'task',
  direct: Infinity,
  read: async (ids) => {
    const ended: TaskNews[] = [];
    for (const some of inGroups(ids, WORKFLOW_LIMITS.readTasks))
      ended.push(...(await readTasks(some)));
    return { ended, full: [] };
  },
};

function inGroups<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  const starts = Array.from({ length: Math.ceil(all.length / size) }, (_, index) => index * size);
  return starts.map((start) => all.slice(start, start + size));
}

/**
 * Subscriptions to the state of other workflows, which is received by Signal. The last state of an ended workflow is
 * read from the store and passed to `take`. Of two requests to one workflow, the later one is sent.
 */
export class Observing<State> extends Sender {
  private readonly of: Kind<State>;
  private readonly take: (state: State) => void;
  private readonly wishes: Map<string, Wish>;
  private underWay: CarriedWishes = [];
  /** Workflows that accepted no Signal, and are asked again. */
  private readonly asleep = new Map<string, Wish>();

  constructor(of: Kind<State>, take: (state: State) => void, carried: CarriedWishes = []) {
    super();
    this.of = of;
    this.take = take;
    this.wishes = new Map(carried);
  }

  get carried(): CarriedWishes {
    return [...new Map([...this.underWay, ...this.asleep, ...this.wishes])];
  }

  observe(...ids: readonly string[]): void {
    for (const id of ids) this.wishes.set(id, 'observe');
  }

  unobserve(...ids: readonly string[]): void {
    for (const id of ids) this.wishes.set(id, 'unobserve');
  }

  /** A workflow that ends needs no more announcements. */
  override get owes(): boolean {
    return false;
  }

  protected override get ready(): boolean {
    return this.wishes.size > 0;
  }

  protected override async sendNext(): Promise<void> {
    this.underWay = [...this.wishes].slice(0, WORKFLOW_LIMITS.announcementBatch);
    for (const [id] of this.underWay) this.wishes.delete(id);
    await this.ask(this.underWay);
    this.underWay = [];
  }

  private async ask(batch: CarriedWishes): Promise<void> {
    const { kind, direct, read } = this.of;
    const unwanted = await tell(kind, idsOf(batch, 'unobserve'), unobserveSignal);
    this.wishLater(unwanted.full, 'unobserve');
    const wanted = idsOf(batch, 'observe');
    const isFew = wanted.length <= direct;
    const all = { gone: wanted, full: [] };
    const { gone, full } = isFew ? await tell(kind, wanted, observeSignal) : all;
    this.wishLater(full, 'observe');
    if (gone.length === 0) return;
    const { ended, full: later } = await read(gone);
    this.wishLater(later, 'observe');
    if (isFew && ended.length + later.length < gone.length) log.warn('observed_missing');
    for (const state of ended) this.take(state);
  }

  /** Asks workflows that accepted no Signal again, unless there was another request meanwhile. */
  private wishLater(full: readonly string[], wish: Wish): void {
    for (const id of full) this.asleep.set(id, wish);
    this.afterRest(full, (id) => {
      this.asleep.delete(id);
      if (!this.wishes.has(id)) this.wishes.set(id, wish);
    });
  }
}

/** Observes intents; many are observed in batches. */
export function observingIntents(
  take: (end: Announcement) => void,
  carried?: CarriedWishes,
): Observing<Announcement> {
  return new Observing(INTENTS, take, carried);
}

export function observingTasks(
  take: (end: TaskNews) => void,
  carried?: CarriedWishes,
): Observing<TaskNews> {
  return new Observing(TASKS, take, carried);
}

function idsOf(batch: CarriedWishes, wanted: Wish): readonly string[] {
  return batch.flatMap(([id, wish]) => (wish === wanted ? [id] : []));
}
