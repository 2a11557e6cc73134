import {
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { Announcement } from '../../contracts/announcement.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import { observeSignal, unobserveSignal } from './messages.js';
import { UNTIL_TAKEN, trySignal } from './outbox.js';
import type { Sender } from './outbox.js';

const { observeIntents } = proxyActivities<Pick<Activities, 'observeIntents'>>({
  startToCloseTimeout: '60 seconds',
  ...UNTIL_TAKEN,
  summary: 'observe intents',
});

type Wish = 'observe' | 'unobserve';

/** What was not yet asked of which intent. */
export type CarriedWishes = readonly (readonly [intent_id: string, wish: Wish])[];

/**
 * Asks intents to announce themselves to this workflow, or to stop. Their announcements come by Signal; one
 * that is closed cannot be asked, so its end is read from the store and handed to `take`. An intent that is
 * nowhere is told to `missing`. Of two wishes for one intent the later counts.
 */
export class Observing implements Sender {
  private readonly take: (announcement: Announcement) => void;
  private wishes: Map<string, Wish>;
  private underWay: ReadonlyMap<string, Wish> = new Map<string, Wish>();
  private readonly scope = new CancellationScope({ cancellable: true });
  private sending = false;
  private stopped = false;

  constructor(take: (announcement: Announcement) => void, carried: CarriedWishes = []) {
    this.take = take;
    this.wishes = new Map(carried);
  }

  get carried(): CarriedWishes {
    return [...new Map([...this.underWay, ...this.wishes])];
  }

  observe(...intentIds: readonly string[]): void {
    for (const intentId of intentIds) this.wishes.set(intentId, 'observe');
  }

  unobserve(...intentIds: readonly string[]): void {
    for (const intentId of intentIds) this.wishes.set(intentId, 'unobserve');
  }

  get due(): boolean {
    return !this.stopped && !this.sending && this.wishes.size > 0;
  }

  send(): void {
    const batch = [...this.wishes].slice(0, WORKFLOW_LIMITS.announcementBatch);
    for (const [intentId] of batch) this.wishes.delete(intentId);
    this.underWay = new Map(batch);
    void this.scope.run(() => this.ask(batch));
  }

  /** Gives up what is under way; it is asked again by who takes over `carried`. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.scope.cancel();
    await condition(() => !this.sending);
  }

  private async ask(batch: CarriedWishes): Promise<void> {
    this.sending = true;
    try {
      const observer = workflowInfo().workflowId;
      await Promise.all(
        idsOf(batch, 'unobserve').map((id) =>
          trySignal(workflowIdOf('intent', id), unobserveSignal, observer),
        ),
      );
      const unreached = await askEach(idsOf(batch, 'observe'), observer);
      if (unreached.length > 0) await this.askMany(unreached, observer);
      this.underWay = new Map();
    } catch (error) {
      if (!this.stopped || !isCancellation(error)) throw error;
    } finally {
      this.sending = false;
    }
  }

  private async askMany(intent_ids: readonly string[], observer: string): Promise<void> {
    const ends = await observeIntents({ observer, intent_ids });
    for (const end of ends) this.take(end);
  }
}

function idsOf(batch: CarriedWishes, wanted: Wish): readonly string[] {
  return batch.flatMap(([id, wish]) => (wish === wanted ? [id] : []));
}

/** Signals each, unless they are many; returns those that were not reached so. */
async function askEach(intentIds: readonly string[], observer: string): Promise<readonly string[]> {
  if (intentIds.length > WORKFLOW_LIMITS.directAnnouncements) return intentIds;
  const reached = await Promise.all(
    intentIds.map((id) => trySignal(workflowIdOf('intent', id), observeSignal, observer)),
  );
  return intentIds.filter((_id, index) => reached[index] === false);
}
