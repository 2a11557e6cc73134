import { log, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { Announcement } from '../../contracts/announcement.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { TaskNews } from '../../contracts/task.js';
import { observeSignal, unobserveSignal } from './messages.js';
import { Sender, UNTIL_DONE, signalEach } from './sender.js';

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

/** What was not yet asked of whom. */
export type CarriedWishes = readonly (readonly [id: string, wish: Wish])[];

type Observable = 'intent' | 'portfolio' | 'task';

/**
 * Asks workflows of one kind, by the ids of what they stand for, to send this one their state; returns the ids of
 * those that are closed or missing.
 */
export async function askToObserve(
  kind: Observable,
  ids: readonly string[],
): Promise<readonly string[]> {
  const unreached = await signalEach(
    ids.map((id) => workflowIdOf(kind, id)),
    observeSignal,
    workflowInfo().workflowId,
  );
  return ids.filter((id) => unreached.includes(workflowIdOf(kind, id)));
}

/** How workflows of one kind are observed. */
interface Kind<State> {
  readonly kind: Observable;
  /** More than this are not signalled one by one. */
  readonly direct: number;
  /** What the store has of those that no signal reached: a closed workflow has written its end. */
  readonly read: (ids: readonly string[]) => Promise<readonly State[]>;
}

const INTENTS: Kind<Announcement> = {
  kind: 'intent',
  direct: WORKFLOW_LIMITS.directAnnouncements,
  // Also signals those that are open, for it gets them where they are many.
  read: (intent_ids) => observeIntents({ observer: workflowInfo().workflowId, intent_ids }),
};

const TASKS: Kind<TaskNews> = { kind: 'task', direct: Infinity, read: readTasks };

/**
 * Subscriptions to the state of other workflows. It comes by Signal; what has ended cannot be asked, so its end is
 * read from the store and handed to `take`. Of two wishes for one workflow the later counts.
 */
export class Observing<State> extends Sender {
  private readonly of: Kind<State>;
  private readonly take: (state: State) => void;
  private readonly wishes: Map<string, Wish>;
  private underWay: CarriedWishes = [];

  constructor(of: Kind<State>, take: (state: State) => void, carried: CarriedWishes = []) {
    super();
    this.of = of;
    this.take = take;
    this.wishes = new Map(carried);
  }

  get carried(): CarriedWishes {
    return [...new Map([...this.underWay, ...this.wishes])];
  }

  observe(...ids: readonly string[]): void {
    for (const id of ids) this.wishes.set(id, 'observe');
  }

  unobserve(...ids: readonly string[]): void {
    for (const id of ids) this.wishes.set(id, 'unobserve');
  }

  /** A workflow that ends needs to hear of nobody any more. */
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
    const unwanted = idsOf(batch, 'unobserve').map((id) => workflowIdOf(kind, id));
    await signalEach(unwanted, unobserveSignal, workflowInfo().workflowId);
    const wanted = idsOf(batch, 'observe');
    const unreached = wanted.length > direct ? wanted : await askToObserve(kind, wanted);
    if (unreached.length === 0) return;
    const ended = await read(unreached);
    if (wanted.length <= direct && ended.length < unreached.length) log.warn('observed_missing');
    for (const state of ended) this.take(state);
  }
}

/** Observes intents, many at once where they are many. */
export function observingIntents(
  take: (end: Announcement) => void,
  carried?: CarriedWishes,
): Observing<Announcement> {
  return new Observing(INTENTS, take, carried);
}

/** Observes tasks of a plan. */
export function observingTasks(
  take: (end: TaskNews) => void,
  carried?: CarriedWishes,
): Observing<TaskNews> {
  return new Observing(TASKS, take, carried);
}

function idsOf(batch: CarriedWishes, wanted: Wish): readonly string[] {
  return batch.flatMap(([id, wish]) => (wish === wanted ? [id] : []));
}
